/**
 * What Alertcard itself has to say: the JSON body of an inbox entry of source `alertcard`, format
 * `notice`. Payload text inside (names, summaries) is as sent, escaped where it is rendered.
 */
export type Notice =
  | {
      readonly kind: 'channel_broken';
      /** The channel that cannot be reached. */
      readonly channel: string;
      /** A `Reason`, or `paused`, or `waiting`. */
      readonly reason: string;
      /** What to do, when more is known than the reason says; '' otherwise. */
      readonly hint: string;
      /** Lines with something firing that wait there. */
      readonly waiting: number;
      /** The worst of them, worst first. */
      readonly worst: readonly WaitingAlert[];
    }
  | { readonly kind: 'channel_recovered'; readonly channel: string; readonly brokenForMs: number }
  | { readonly kind: 'test'; readonly channel: string; readonly requestedBy?: string }
  | {
      /** Deliveries of a channel that ended dead and that no card of its own has told of. */
      readonly kind: 'deaths';
      readonly channel: string;
      readonly count: number;
      readonly reasons: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'template_broken'; readonly template: string; readonly message: string }
  | {
      readonly kind: 'store_refusing';
      /** Epoch ms. */
      readonly since: number;
      readonly reason: string;
      readonly refused: number;
    };

export interface WaitingAlert {
  readonly name: string;
  /** The severity label's value; '' when there is none. */
  readonly severity: string;
  readonly summary: string;
  /** Epoch ms; null when unknown. */
  readonly startedAt: number | null;
}

/** Reads a notice from its JSON; undefined when it is none. */
export function readNotice(text: string): Notice | undefined {
  const value = parse(text);
  if (!isRecord(value) || typeof value.kind !== 'string') return undefined;
  return Object.hasOwn(READERS, value.kind) ? READERS[value.kind]?.(value) : undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const READERS: Readonly<Record<string, (fields: Fields) => Notice>> = {
  channel_broken: (fields) => ({
    kind: 'channel_broken',
    channel: text(fields.channel),
    reason: text(fields.reason),
    hint: text(fields.hint),
    waiting: number(fields.waiting),
    worst: list(fields.worst).map(toWaitingAlert),
  }),
  channel_recovered: (fields) => ({
    kind: 'channel_recovered',
    channel: text(fields.channel),
    brokenForMs: number(fields.brokenForMs),
  }),
  test: (fields) => ({ kind: 'test', channel: text(fields.channel), requestedBy: text(fields.requestedBy) }),
  deaths: (fields) => ({
    kind: 'deaths',
    channel: text(fields.channel),
    count: number(fields.count),
    reasons: counts(fields.reasons),
  }),
  template_broken: (fields) => ({
    kind: 'template_broken',
    template: text(fields.template),
    message: text(fields.message),
  }),
  store_refusing: (fields) => ({
    kind: 'store_refusing',
    since: number(fields.since),
    reason: text(fields.reason),
    refused: number(fields.refused),
  }),
};

function toWaitingAlert(value: unknown): WaitingAlert {
  const fields = isRecord(value) ? value : {};
  return {
    name: text(fields.name),
    severity: text(fields.severity),
    summary: text(fields.summary),
    startedAt: typeof fields.startedAt === 'number' ? fields.startedAt : null,
  };
}

function counts(value: unknown): Readonly<Record<string, number>> {
  const pairs = isRecord(value) ? Object.entries(value) : [];
  return Object.fromEntries(pairs.map(([name, count]) => [name, number(count)]));
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function number(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
