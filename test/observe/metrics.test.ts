import { describe, expect, it } from 'vitest';
import type { ChannelReport } from '../../src/domain/channel-report.ts';
import { REASONS } from '../../src/domain/outcome.ts';
import { DEATH_REASONS, OUTCOME_REASONS } from '../../src/observe/metric-labels.ts';
import { createMetrics, type MetricsOptions } from '../../src/observe/metrics.ts';
import { METRIC_DOCS } from '../../src/observe/metrics-docs.ts';
import { attempted, EVENTS } from './support.ts';

const NAMES = { sources: ['grafana'], channels: ['ops', 'dev'], templates: ['dingtalk/default'] };

function feed(changes: Partial<MetricsOptions> = {}) {
  return createMetrics({
    names: NAMES,
    version: '1.2.3',
    node: '20.19.0',
    eventLoop: { take: () => ({ '0.5': 0.001, '0.99': 0.02, '1': 0.5 }) },
    snapshot: async () => ({ channels: [], storeBytes: 4_096 }),
    ...changes,
  });
}

/** Series to values, e.g. `alertcard_waiting{channel="ops"}`. */
function seriesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [
      line.slice(0, line.lastIndexOf(' ')),
      Number(line.slice(line.lastIndexOf(' ') + 1)),
    ]),
  );
}

function report(changes: Partial<ChannelReport>): ChannelReport {
  return {
    name: 'ops',
    provider: 'dingtalk',
    state: 'ok',
    waiting: 0,
    oldestDueMs: undefined,
    brokenReason: undefined,
    pausedUntil: undefined,
    robots: [],
    lastAttempt: undefined,
    lastDeliveredAt: undefined,
    fallback: undefined,
    ...changes,
  };
}

describe('the metrics', () => {
  it('have exactly the names, types and labels that are contract', () => {
    const lines = METRIC_DOCS.map(({ name, type, labels }) => `${type} ${name}{${labels.join(',')}}`);

    expect(lines).toEqual([
      'counter alertcard_notifications_total{source,result}',
      'counter alertcard_deliveries_total{channel,state}',
      'counter alertcard_attempts_total{channel,outcome,reason}',
      'counter alertcard_dead_total{channel,reason}',
      'gauge alertcard_waiting{channel}',
      'gauge alertcard_oldest_due_seconds{channel}',
      'gauge alertcard_channel_broken{channel}',
      'gauge alertcard_robot_paused{channel}',
      'histogram alertcard_delivery_seconds{channel}',
      'histogram alertcard_ack_seconds{}',
      'histogram alertcard_commit_seconds{}',
      'histogram alertcard_commit_batch{}',
      'gauge alertcard_store_writable{}',
      'gauge alertcard_store_bytes{}',
      'gauge alertcard_template_broken{template}',
      'counter alertcard_lost_leases_total{}',
      'gauge alertcard_event_loop_delay_seconds{quantile}',
      'gauge alertcard_build_info{version,node}',
    ]);
  });

  it('are exposed with the help and type of the table', async () => {
    const text = await feed().scrape();

    for (const { name, type, help } of METRIC_DOCS) {
      expect(text).toContain(`# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`);
    }
    expect([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1])).toEqual(
      METRIC_DOCS.map(({ name }) => name),
    );
  });

  it('exist at zero before anything happens', async () => {
    const series = seriesOf(await feed().scrape());

    expect(series.get('alertcard_notifications_total{source="grafana",result="refused"}')).toBe(0);
    expect(series.get('alertcard_notifications_total{source="alertcard",result="accepted"}')).toBe(0);
    expect(series.get('alertcard_deliveries_total{channel="dev",state="dead"}')).toBe(0);
    expect(series.get('alertcard_dead_total{channel="ops",reason="poison"}')).toBe(0);
    expect(series.get('alertcard_channel_broken{channel="dev"}')).toBe(0);
    expect(series.get('alertcard_template_broken{template="dingtalk/default"}')).toBe(0);
    expect(series.get('alertcard_delivery_seconds_count{channel="ops"}')).toBe(0);
    expect(series.get('alertcard_lost_leases_total')).toBe(0);
    expect(series.get('alertcard_store_writable')).toBe(1);
    expect(series.get('alertcard_build_info{version="1.2.3",node="20.19.0"}')).toBe(1);
    const attempts = [...series.keys()].filter((key) =>
      key.startsWith('alertcard_attempts_total{channel="ops"'),
    );
    expect(attempts).toHaveLength(Object.values(OUTCOME_REASONS).flat().length);
  });

  it('know every reason, as that of one outcome or of deaths', () => {
    const known = [...Object.values(OUTCOME_REASONS).flat(), ...DEATH_REASONS];

    expect(known.toSorted()).toEqual([...REASONS].toSorted());
  });

  it('count requests by what became of them', async () => {
    const metrics = feed();
    metrics.observe(EVENTS.accepted);
    metrics.observe(EVENTS.duplicate);
    metrics.observe(EVENTS.refused);

    const series = seriesOf(await metrics.scrape());

    for (const result of ['accepted', 'duplicate', 'refused']) {
      expect(series.get(`alertcard_notifications_total{source="grafana",result="${result}"}`)).toBe(1);
    }
    expect(series.get('alertcard_ack_seconds_count')).toBe(2);
    expect(series.get('alertcard_ack_seconds_sum')).toBeCloseTo(0.008);
    expect(series.get('alertcard_deliveries_total{channel="ops",state="scheduled"}')).toBe(1);
    expect(series.get('alertcard_deliveries_total{channel="dev",state="scheduled"}')).toBe(1);
  });

  it('count an attempt once and its deliveries each', async () => {
    const metrics = feed();
    const verdict = { outcome: 'throttled', reason: 'rate_limited' } as const;
    metrics.observe(
      attempted({
        verdict,
        deliveries: [{ deliveryId: 'dlv_1', notificationId: 'ntf_1', state: 'scheduled', waitedMs: 9 }],
      }),
    );
    metrics.observe(
      attempted({
        deliveries: [
          { deliveryId: 'dlv_1', notificationId: 'ntf_1', state: 'folded', waitedMs: 2_000 },
          { deliveryId: 'dlv_2', notificationId: 'ntf_2', state: 'delivered', waitedMs: 1_000 },
        ],
      }),
    );

    const series = seriesOf(await metrics.scrape());

    expect(
      series.get('alertcard_attempts_total{channel="ops",outcome="throttled",reason="rate_limited"}'),
    ).toBe(1);
    expect(series.get('alertcard_attempts_total{channel="ops",outcome="delivered",reason="ok"}')).toBe(1);
    expect(series.get('alertcard_deliveries_total{channel="ops",state="delivered"}')).toBe(1);
    expect(series.get('alertcard_deliveries_total{channel="ops",state="folded"}')).toBe(1);
    expect(series.get('alertcard_deliveries_total{channel="ops",state="scheduled"}')).toBe(0);
    expect(series.get('alertcard_delivery_seconds_count{channel="ops"}')).toBe(2);
    expect(series.get('alertcard_delivery_seconds_sum{channel="ops"}')).toBe(3);
  });

  it('count deaths, lost leases and commits, and follow the store and the templates', async () => {
    const metrics = feed();
    for (const kind of ['died', 'lease_lost', 'committed', 'store_writable', 'template_broken'] as const) {
      metrics.observe(EVENTS[kind]);
    }

    const series = seriesOf(await metrics.scrape());

    expect(series.get('alertcard_dead_total{channel="ops",reason="expired"}')).toBe(4);
    expect(series.get('alertcard_deliveries_total{channel="ops",state="dead"}')).toBe(4);
    expect(series.get('alertcard_lost_leases_total')).toBe(1);
    expect(series.get('alertcard_commit_seconds_sum')).toBeCloseTo(0.007);
    expect(series.get('alertcard_commit_batch_sum')).toBe(12);
    expect(series.get('alertcard_store_writable')).toBe(0);
    expect(series.get('alertcard_template_broken{template="dingtalk/default"}')).toBe(1);
  });

  it('never make a label value of a name the configuration does not know', async () => {
    const metrics = feed();
    metrics.observe({ ...EVENTS.refused, source: 'ntf_01jd-guess' });
    metrics.observe(attempted({ channel: 'once-known' }));
    metrics.observe({ ...EVENTS.template_broken, template: 'another' });

    const text = await metrics.scrape();

    expect(text).not.toMatch(/guess|once-known|another/);
    expect(seriesOf(text).get('alertcard_notifications_total{source="other",result="refused"}')).toBe(1);
    expect(seriesOf(text).get('alertcard_template_broken{template="other"}')).toBe(1);
  });

  it('read the channels, the store and the event loop at each scrape', async () => {
    const channels = [
      report({
        waiting: 12,
        oldestDueMs: 2_500,
        brokenReason: 'ip_denied',
        robots: [
          { key: 'a', pausedUntil: 1, reason: 'ip_denied' },
          { key: 'b', pausedUntil: undefined, reason: undefined },
        ],
      }),
      report({ name: 'dev', pausedUntil: 1 }),
    ];
    const metrics = feed({ snapshot: async () => ({ channels, storeBytes: 4_096 }) });

    const series = seriesOf(await metrics.scrape());

    expect(series.get('alertcard_waiting{channel="ops"}')).toBe(12);
    expect(series.get('alertcard_oldest_due_seconds{channel="ops"}')).toBe(2.5);
    expect(series.get('alertcard_oldest_due_seconds{channel="dev"}')).toBe(0);
    expect(series.get('alertcard_channel_broken{channel="ops"}')).toBe(1);
    expect(series.get('alertcard_channel_broken{channel="dev"}')).toBe(1);
    expect(series.get('alertcard_robot_paused{channel="ops"}')).toBe(1);
    expect(series.get('alertcard_store_bytes')).toBe(4_096);
    expect(series.get('alertcard_event_loop_delay_seconds{quantile="0.99"}')).toBe(0.02);
  });

  it('are told even when the snapshot cannot be taken', async () => {
    const metrics = feed({ snapshot: async () => Promise.reject(new Error('store closed')) });
    metrics.observe(EVENTS.lease_lost);

    const series = seriesOf(await metrics.scrape());

    expect(series.get('alertcard_lost_leases_total')).toBe(1);
  });

  it('know new names after a reload, keep their counts and forget broken templates', async () => {
    const metrics = feed();
    metrics.observe(EVENTS.died);
    metrics.observe(EVENTS.template_broken);

    metrics.rename({ ...NAMES, channels: ['ops', 'night'] });

    const series = seriesOf(await metrics.scrape());
    expect(series.get('alertcard_dead_total{channel="ops",reason="expired"}')).toBe(4);
    expect(series.get('alertcard_dead_total{channel="night",reason="expired"}')).toBe(0);
    expect(series.get('alertcard_waiting{channel="night"}')).toBe(0);
    expect(series.get('alertcard_template_broken{template="dingtalk/default"}')).toBe(0);
  });

  it('live in a registry of their own', async () => {
    const first = feed();
    first.observe(EVENTS.lease_lost);
    const second = feed();

    const series = seriesOf(await second.scrape());

    expect(series.get('alertcard_lost_leases_total')).toBe(0);
  });
});
