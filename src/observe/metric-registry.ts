import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type LabelOf, METRIC_PREFIX, METRICS, type MetricName } from './metrics-docs.ts';

type NameOf<T extends 'counter' | 'gauge' | 'histogram'> = {
  [N in MetricName]: (typeof METRICS)[N]['type'] extends T ? N : never;
}[MetricName];

/** Upper bounds in seconds: a card normally takes well under a second, an outage up to a day. */
const DELIVERY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400];
/** Upper bounds in seconds: around the cost of an fsync. */
const COMMIT_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
/** Up to 128 writes share a commit. */
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128];

/** The registry with every metric of the table, typed by its own labels. */
export type Metrics = ReturnType<typeof createMetricRegistry>;

/** Builds each metric of the table in a registry of its own. */
export function createMetricRegistry() {
  const registry = new Registry();
  const common = <N extends MetricName>(name: N) => {
    const labelNames: readonly LabelOf<N>[] = METRICS[name].labels;
    return { name: `${METRIC_PREFIX}${name}`, help: METRICS[name].help, labelNames, registers: [registry] };
  };
  const counter = <N extends NameOf<'counter'>>(name: N) => new Counter<LabelOf<N>>(common(name));
  const gauge = <N extends NameOf<'gauge'>>(name: N) => new Gauge<LabelOf<N>>(common(name));
  const histogram = <N extends NameOf<'histogram'>>(name: N, buckets: number[]) =>
    new Histogram<LabelOf<N>>({ ...common(name), buckets });
  return {
    registry,
    notifications: counter('notifications_total'),
    deliveries: counter('deliveries_total'),
    attempts: counter('attempts_total'),
    dead: counter('dead_total'),
    waiting: gauge('waiting'),
    oldestDue: gauge('oldest_due_seconds'),
    channelBroken: gauge('channel_broken'),
    robotPaused: gauge('robot_paused'),
    deliverySeconds: histogram('delivery_seconds', DELIVERY_BUCKETS),
    ackSeconds: histogram('ack_seconds', COMMIT_BUCKETS),
    commitSeconds: histogram('commit_seconds', COMMIT_BUCKETS),
    commitBatch: histogram('commit_batch', BATCH_BUCKETS),
    storeWritable: gauge('store_writable'),
    storeBytes: gauge('store_bytes'),
    templateBroken: gauge('template_broken'),
    lostLeases: counter('lost_leases_total'),
    eventLoopDelay: gauge('event_loop_delay_seconds'),
    buildInfo: gauge('build_info'),
  };
}
