export const METRIC_PREFIX = 'alertcard_';

/** One metric as people read of it: generated into the reference page. */
export interface MetricDoc {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

/** Every metric, without the prefix. Names and labels are contract; the registry is built from this table. */
export const METRICS = {
  notifications_total: {
    type: 'counter',
    labels: ['source', 'result'],
    help: 'Requests to the hook by what became of them: accepted, duplicate or refused.',
  },
  deliveries_total: {
    type: 'counter',
    labels: ['channel', 'state'],
    help: 'Deliveries that entered a state: scheduled when planned, then delivered, folded or dead.',
  },
  attempts_total: {
    type: 'counter',
    labels: ['channel', 'outcome', 'reason'],
    help: 'Requests to robots by outcome and reason.',
  },
  dead_total: {
    type: 'counter',
    labels: ['channel', 'reason'],
    help: 'Deliveries given up, by reason.',
  },
  waiting: {
    type: 'gauge',
    labels: ['channel'],
    help: 'Deliveries that are neither ended nor dead.',
  },
  oldest_due_seconds: {
    type: 'gauge',
    labels: ['channel'],
    help: 'How long the oldest due line has waited; 0 when none is due.',
  },
  channel_broken: {
    type: 'gauge',
    labels: ['channel'],
    help: '1 while firing deliveries wait beyond broken_after or a person paused the channel.',
  },
  robot_paused: {
    type: 'gauge',
    labels: ['channel'],
    help: 'Robots of the channel that are paused.',
  },
  delivery_seconds: {
    type: 'histogram',
    labels: ['channel'],
    help: 'From accepting a notification to the card that told of it.',
  },
  ack_seconds: {
    type: 'histogram',
    labels: [],
    help: 'From the start of a request to its durable acknowledgement.',
  },
  commit_seconds: {
    type: 'histogram',
    labels: [],
    help: 'Duration of a commit, fsync included.',
  },
  commit_batch: {
    type: 'histogram',
    labels: [],
    help: 'Writes that shared one commit.',
  },
  store_writable: {
    type: 'gauge',
    labels: [],
    help: '1 while the store takes writes.',
  },
  store_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Size of the store with its write-ahead log.',
  },
  template_broken: {
    type: 'gauge',
    labels: ['template'],
    help: '1 when a template failed and simpler cards go out in its place.',
  },
  lost_leases_total: {
    type: 'counter',
    labels: [],
    help: 'Attempts whose lease had passed on before their outcome was written.',
  },
  event_loop_delay_seconds: {
    type: 'gauge',
    labels: ['quantile'],
    help: 'Delay of the event loop since the last scrape.',
  },
  build_info: {
    type: 'gauge',
    labels: ['version', 'node'],
    help: 'Always 1; its labels name the versions.',
  },
} as const satisfies Readonly<Record<string, Omit<MetricDoc, 'name'>>>;

export type MetricName = keyof typeof METRICS;
export type LabelOf<N extends MetricName> = (typeof METRICS)[N]['labels'][number];

/** The table with full names, in the order people should read it. */
export const METRIC_DOCS: readonly MetricDoc[] = Object.entries(METRICS).map(([name, doc]) => ({
  name: `${METRIC_PREFIX}${name}`,
  ...doc,
}));
