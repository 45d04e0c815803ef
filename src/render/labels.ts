import { type Labels, makeLabels } from '../domain/alert.ts';

/** Labels that stand elsewhere on the card, or say where Grafana keeps a rule rather than what is wrong. */
const NOT_SHOWN = new Set(['alertname', 'rulename', 'grafana_folder', 'datasource_uid', 'ref_id']);

/** What a person on call looks for first; all others follow in the order they came in. */
const FIRST = [
  'instance',
  'host',
  'hostname',
  'node',
  'pod',
  'container',
  'namespace',
  'service',
  'app',
  'job',
  'cluster',
  'region',
  'env',
  'environment',
];
const PLACES: ReadonlyMap<string, number> = new Map(FIRST.map((name, place) => [name, place]));

/** Labels people look at: no private ones (`__x__`), none that stand elsewhere. */
function isShownLabel(name: string, severityLabel: string): boolean {
  return !NOT_SHOWN.has(name) && name !== severityLabel && !/^__.*__$/u.test(name);
}

/** Those of the labels that are shown, what says where first. */
export function shownLabels(labels: Labels, severityLabel: string): readonly (readonly [string, string])[] {
  return Object.entries(labels)
    .filter(([name]) => isShownLabel(name, severityLabel))
    .sort(([left], [right]) => placeOf(left) - placeOf(right));
}

function placeOf(name: string): number {
  return PLACES.get(name) ?? FIRST.length;
}

/** The pairs that every one of them has with the same value. */
export function sharedLabels(all: readonly Labels[]): Labels {
  const [first, ...others] = all;
  if (first === undefined) return makeLabels();
  let shared = Object.entries(first);
  for (const labels of others) {
    if (shared.some(([name, value]) => labels[name] !== value))
      shared = shared.filter(([name, value]) => labels[name] === value);
    if (shared.length === 0) break;
  }
  return makeLabels(shared);
}
