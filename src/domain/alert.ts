/** Whether an alert, or a whole notification, is going on or over. */
export type Status = 'firing' | 'resolved';

/** Names to values, on an object without a prototype: a user may name a label `__proto__` or `constructor`. */
export type Labels = Readonly<Record<string, string>>;

/** Builds `Labels` from pairs; later pairs win. */
export function makeLabels(pairs: Iterable<readonly [string, string]> = []): Labels {
  const labels: Record<string, string> = Object.create(null);
  for (const [name, value] of pairs) labels[name] = value;
  return labels;
}

/**
 * One alert of a notification, whatever sender it came from.
 * Texts are as sent (not escaped); a link that is missing or unusable is `''`.
 */
export interface Alert {
  readonly status: Status;
  readonly labels: Labels;
  readonly annotations: Labels;
  /** Epoch ms; undefined when the sender gave none or none that parses. */
  readonly startsAt: number | undefined;
  /** Epoch ms; undefined while firing (Grafana's year 1) or unknown. */
  readonly endsAt: number | undefined;
  /** The sender's own opaque string; a hash of labels and annotations where it sent none. */
  readonly fingerprint: string;
  /** In the sender's order; empty for no data, errors and tests (Grafana sends null). */
  readonly values: readonly (readonly [name: string, value: number])[];
  readonly valueString: string;
  readonly ruleUid: string;
  readonly generatorUrl: string;
  readonly silenceUrl: string;
  readonly dashboardUrl: string;
  readonly panelUrl: string;
  readonly imageUrl: string;
}
