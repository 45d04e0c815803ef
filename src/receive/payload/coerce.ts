import { type Labels, makeLabels, type Status } from '../../domain/alert.ts';

/** A value as text: '' for nothing, JSON for what has no text of its own. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Label or annotation map; anything but an object is an empty one, and values that say nothing are left out, as Grafana does. */
export function toLabels(value: unknown): Labels {
  const pairs: [string, string][] = [];
  for (const [name, item] of entriesOf(value)) {
    const text = toText(item);
    if (text !== '') pairs.push([name, text]);
  }
  return makeLabels(pairs);
}

/** The numbers of a value map, in the sender's order; Grafana sends null for the whole map when one is NaN. */
export function toValues(value: unknown): readonly (readonly [string, number])[] {
  return entriesOf(value).filter((entry): entry is [string, number] => Number.isFinite(entry[1]));
}

/** A count; what is no whole number from 0 up counts as none. */
export function toCount(value: unknown): number {
  const count = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? count : 0;
}

/** An organisation id as text; 0, which Grafana uses for "none", and null are ''. */
export function toOrg(value: unknown): string {
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  return text === '0' ? '' : text;
}

/** The status in the words of the senders we know; undefined for words we do not. */
export function toStatus(value: unknown): Status | undefined {
  const word = typeof value === 'string' ? value.toLowerCase() : '';
  if (['firing', 'alerting', 'no_data', 'pending', 'unknown', 'active'].includes(word)) return 'firing';
  if (['resolved', 'ok', 'normal', 'inactive', 'paused'].includes(word)) return 'resolved';
  return undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function entriesOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : [];
}
