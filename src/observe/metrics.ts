import type { ChannelReport } from '../domain/channel-report.ts';
import type { Emit, Event } from '../domain/events.ts';
import { DELAY_QUANTILES, type EventLoopDelay } from './event-loop.ts';
import {
  COUNTED_STATES,
  DEATH_REASONS,
  type KnownNames,
  LabelValues,
  NOTIFICATION_RESULTS,
  type NotificationResult,
  OUTCOME_REASONS,
} from './metric-labels.ts';
import { createMetricRegistry, type Metrics } from './metric-registry.ts';

/** What is read at each scrape instead of being counted. */
export interface MetricsSnapshot {
  readonly channels: readonly ChannelReport[];
  readonly storeBytes: number;
}

export interface MetricsOptions {
  readonly names: KnownNames;
  readonly version: string;
  readonly node: string;
  readonly eventLoop: Pick<EventLoopDelay, 'take'>;
  /** When it fails, the gauges keep their last values: a scrape must tell the rest in any case. */
  readonly snapshot: () => Promise<MetricsSnapshot>;
}

export interface MetricsFeed {
  /** Feeds the counters. */
  readonly observe: Emit;
  /** After a reload: new names exist at zero, old counters stay, broken templates are forgotten. */
  readonly rename: (names: KnownNames) => void;
  /** The exposition text. */
  readonly scrape: () => Promise<string>;
  readonly contentType: string;
}

/** Builds the registry, fed by events and by a snapshot at each scrape. */
export function createMetrics(options: MetricsOptions): MetricsFeed {
  const metrics = createMetricRegistry();
  let values = new LabelValues(options.names);
  zero(metrics, values);
  metrics.storeWritable.set(1);
  metrics.buildInfo.set({ version: options.version, node: options.node }, 1);
  return {
    contentType: metrics.registry.contentType,
    observe: (event) => {
      count(metrics, values, event);
    },
    rename: (names) => {
      values = new LabelValues(names);
      metrics.templateBroken.reset();
      zero(metrics, values);
    },
    scrape: async () => {
      const delay = options.eventLoop.take();
      for (const quantile of DELAY_QUANTILES) metrics.eventLoopDelay.set({ quantile }, delay[quantile]);
      const snapshot = await options.snapshot().catch(() => undefined);
      if (snapshot !== undefined) fill(metrics, values, snapshot);
      return metrics.registry.metrics();
    },
  };
}

/** Makes every series exist at zero, so that a first failure is an increase and not a new series. */
function zero(metrics: Metrics, values: LabelValues): void {
  for (const source of values.sources) {
    for (const result of NOTIFICATION_RESULTS) metrics.notifications.inc({ source, result }, 0);
  }
  for (const template of values.templates) metrics.templateBroken.set({ template }, 0);
  for (const channel of values.channels) {
    for (const state of COUNTED_STATES) metrics.deliveries.inc({ channel, state }, 0);
    for (const reason of DEATH_REASONS) metrics.dead.inc({ channel, reason }, 0);
    for (const [outcome, reasons] of Object.entries(OUTCOME_REASONS)) {
      for (const reason of reasons) metrics.attempts.inc({ channel, outcome, reason }, 0);
    }
    metrics.deliverySeconds.zero({ channel });
  }
  zeroChannelGauges(metrics, values);
}

function zeroChannelGauges(metrics: Metrics, values: LabelValues): void {
  for (const gauge of [metrics.waiting, metrics.oldestDue, metrics.channelBroken, metrics.robotPaused]) {
    gauge.reset();
    for (const channel of values.channels) gauge.set({ channel }, 0);
  }
}

function fill(metrics: Metrics, values: LabelValues, snapshot: MetricsSnapshot): void {
  metrics.storeBytes.set(snapshot.storeBytes);
  zeroChannelGauges(metrics, values);
  for (const report of snapshot.channels) {
    const channel = values.channel(report.name);
    const isBroken = report.brokenReason !== undefined || report.pausedUntil !== undefined;
    metrics.waiting.set({ channel }, report.waiting);
    metrics.oldestDue.set({ channel }, (report.oldestDueMs ?? 0) / 1000);
    metrics.channelBroken.set({ channel }, isBroken ? 1 : 0);
    metrics.robotPaused.set(
      { channel },
      report.robots.filter((robot) => robot.pausedUntil !== undefined).length,
    );
  }
}

function count(metrics: Metrics, values: LabelValues, event: Event): void {
  const countRequest = (source: string, result: NotificationResult): void =>
    metrics.notifications.inc({ source: values.source(source), result });
  switch (event.kind) {
    case 'accepted':
      countRequest(event.source, 'accepted');
      metrics.ackSeconds.observe(event.ackMs / 1000);
      for (const name of event.channels) {
        metrics.deliveries.inc({ channel: values.channel(name), state: 'scheduled' });
      }
      return;
    case 'duplicate':
      countRequest(event.source, 'duplicate');
      metrics.ackSeconds.observe(event.ackMs / 1000);
      return;
    case 'refused':
      countRequest(event.source, 'refused');
      return;
    case 'attempted':
      countAttempt(metrics, values.channel(event.channel), event);
      return;
    case 'died':
      metrics.dead.inc({ channel: values.channel(event.channel), reason: event.reason }, event.count);
      metrics.deliveries.inc({ channel: values.channel(event.channel), state: 'dead' }, event.count);
      return;
    default:
      note(metrics, values, event);
  }
}

/** Events that are not about a notification. What the snapshot tells (pauses, brokenness) is not kept here. */
function note(metrics: Metrics, values: LabelValues, event: Event): void {
  if (event.kind === 'lease_lost') metrics.lostLeases.inc();
  if (event.kind === 'store_writable') metrics.storeWritable.set(event.writable ? 1 : 0);
  if (event.kind === 'template_broken') {
    metrics.templateBroken.set({ template: values.template(event.template) }, 1);
  }
  if (event.kind === 'committed') {
    metrics.commitSeconds.observe(event.commitMs / 1000);
    metrics.commitBatch.observe(event.intents);
  }
}

function countAttempt(
  metrics: Metrics,
  channel: string,
  event: Extract<Event, { readonly kind: 'attempted' }>,
): void {
  const { outcome, reason } = event.verdict;
  metrics.attempts.inc({ channel, outcome, reason });
  for (const { state, waitedMs } of event.deliveries) {
    // Deaths come as events of their own; the other states are not ends.
    if (state !== 'delivered' && state !== 'folded') continue;
    metrics.deliveries.inc({ channel, state });
    metrics.deliverySeconds.observe({ channel }, waitedMs / 1000);
  }
}
