import type { Labels } from '../domain/alert.ts';
import type { FoldedGroup } from '../domain/fold.ts';
import { oneLine } from './text.ts';
import { say, type Words } from './words.ts';

/** Names Grafana gives the alerts it makes when a rule itself fails; the rule's name is in `rulename`. */
const SYNTHETIC = new Set(['DatasourceError', 'DatasourceNoData']);

/** Names written out before the rest is only counted. */
const MAX_NAMES = 2;

/** An alert's own name: of the rule, also when Grafana put another name in its place; '' when it has none. */
export function nameOf(labels: Labels): string {
  return oneLine(sentName(labels));
}

function sentName(labels: Labels): string {
  const name = labels.alertname ?? '';
  const ruleName = labels.rulename ?? '';
  return SYNTHETIC.has(name) && ruleName !== '' ? ruleName : name;
}

/** The name of a whole group, never blank: of its alerts, else the sender's title, the receiver, the source. */
export function groupName({ alerts, newest }: FoldedGroup, words: Words): string {
  const sent = new Set(alerts.map(({ alert }) => sentName(alert.labels)));
  const names = [...new Set([...sent].map(oneLine))].filter((name) => name !== '');
  if (names.length > 0) return joinNames(names, words);
  // The status stands in front already.
  const title = oneLine(newest.title).replace(/^\[[^\]]*\]\s*/u, '');
  return (
    [title, oneLine(newest.receiver), oneLine(newest.source)].find((each) => each !== '') ??
    say(words, 'unnamed')
  );
}

function joinNames(names: readonly string[], words: Words): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  const rest = names.length - MAX_NAMES;
  return rest > 0 ? say(words, 'and_more_names', { names: shown, count: rest }) : shown;
}

/** Why an alert is as it is when its rule could not decide: a key of the words, '' for an ordinary alert. */
export function stateKeyOf(labels: Labels, annotations: Labels): string {
  if (labels.alertname === 'DatasourceError' && labels.rulename !== undefined) return 'error';
  if (labels.alertname === 'DatasourceNoData' && labels.rulename !== undefined) return 'no_data';
  const [reason = ''] = (annotations.grafana_state_reason ?? '').split(',', 1);
  return Object.hasOwn(STATE_REASONS, reason) ? (STATE_REASONS[reason] ?? '') : '';
}

/** Grafana's reasons that people have to know of. */
const STATE_REASONS: Readonly<Record<string, string>> = {
  Error: 'error',
  NoData: 'no_data',
  MissingSeries: 'missing_series',
  Paused: 'paused',
  Updated: 'updated',
  RuleDeleted: 'rule_deleted',
};
