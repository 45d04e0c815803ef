/**
 * An hour around a storm, in simulated time: 10,000 notifications of 400 groups within five minutes, to robots that
 * throttle as the vendors' do, with one outage of twenty minutes and one wrong secret mended after ten. Beside it the
 * same storm through a relay that posts each notification at once and keeps nothing.
 *
 *   npm run build && node bench/storm.mjs [--plot docs/images/storm.svg]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { atMost, plain, report, temporaryFolder } from './lib.mjs';
import { simulatedClock } from './storm/clock.mjs';
import { svgOf } from './storm/plot.mjs';
import { startStorm } from './storm/program.mjs';
import { busiestMinute, ROBOTS, robotSettings, robotsFrom } from './storm/robots.mjs';
import { stormTraffic } from './storm/traffic.mjs';

const START_AT = Date.UTC(2026, 2, 2, 8, 0, 0);
const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const SAMPLE_MS = 10_000;
const DINGTALK_PER_MINUTE = 20;
const FEISHU_PER_MINUTE = 100;

const { values } = parseArgs({ options: { plot: { type: 'string' } } });
const traffic = stormTraffic(START_AT);
const ours = await throughAlertcard();
const relay = throughRelay(ours.routes);
if (values.plot !== undefined) writeFileSync(values.plot, plotOf());
report([
  plain('notifications', traffic.length, ''),
  plain('duties, one for each channel', ours.duties, ''),
  atMost('first critical alert in its chat after', ours.firstCriticalMs / 1_000, 's', 1),
  atMost('every critical alert in one chat at least within', ours.worstCriticalMs / 1_000, 's', 120),
  plain('cards', ours.cards, ''),
  plain('alerts shown on them', ours.shown, ''),
  atMost('requests to a DingTalk robot in any minute', ours.dingtalk, '', DINGTALK_PER_MINUTE),
  atMost('requests to a Feishu robot in any minute', ours.feishu, '', FEISHU_PER_MINUTE),
  plain('refused by a rate limit', ours.throttled, ''),
  atMost('lost', ours.lost, '', 0),
  plain('all told after', ours.lastToldMs / MINUTE_MS, 'min'),
  plain('resident memory', process.memoryUsage().rss / 2 ** 20, 'MiB'),
  plain('relay: lost', relay.lost, ''),
  plain('relay: requests to a DingTalk robot in any minute', relay.dingtalk, ''),
]);

async function throughAlertcard() {
  const folder = temporaryFolder();
  const clock = simulatedClock(START_AT);
  const robots = robotsFrom(START_AT);
  const program = await startStorm(folder.path, clock, robots);
  const duties = new Map();
  const routes = [];
  for (const [second, batch] of bySecond(traffic)) {
    await clock.runUntil(second, program.settle);
    const planned = await Promise.all(batch.map(({ body }) => program.accept(body)));
    for (const [index, deliveries] of planned.entries()) {
      routes.push(deliveries.map(({ channel }) => channel));
      for (const { id } of deliveries)
        duties.set(id, {
          at: second,
          index: routes.length,
          severity: batch[index].severity,
          told: undefined,
        });
    }
  }
  await clock.runUntil(START_AT + HOUR_MINUTES * MINUTE_MS, program.settle);
  const attempts = program.events.filter(({ kind }) => kind === 'attempted');
  for (const { at, deliveries } of attempts)
    for (const { deliveryId, state } of deliveries)
      if (state === 'delivered' || state === 'folded') {
        const duty = duties.get(deliveryId);
        if (duty !== undefined) duty.told = at;
      }
  await program.engine.drain(1_000).catch(() => undefined);
  await program.store.close();
  folder.remove();
  return { ...measure([...duties.values()], attempts, robots.posts), routes };
}

function measure(all, attempts, posts) {
  const cards = attempts.filter(({ verdict }) => verdict.outcome === 'delivered');
  const firstTold = new Map();
  for (const { index, severity, at, told } of all) {
    if (severity !== 'critical') continue;
    firstTold.set(
      index,
      Math.min(firstTold.get(index) ?? Number.POSITIVE_INFINITY, (told ?? Number.POSITIVE_INFINITY) - at),
    );
  }
  return {
    duties: all.length,
    arrivals: all.map(({ at }) => at),
    told: all.flatMap(({ told }) => told ?? []),
    posts,
    firstCriticalMs: firstTold.values().next().value,
    worstCriticalMs: Math.max(...firstTold.values()),
    cards: cards.length,
    shown: cards.reduce((sum, { shown }) => sum + shown, 0),
    dingtalk: busiestMinute(posts, 'dingtalk'),
    feishu: busiestMinute(posts, 'feishu'),
    throttled: attempts.filter(({ verdict }) => verdict.outcome === 'throttled').length,
    lost: all.filter(({ told }) => told === undefined).length,
    lastToldMs: Math.max(...all.map(({ told }) => told ?? 0)) - START_AT,
  };
}

/** What a relay does: one request for each notification and channel, at once; what fails is gone. */
function throughRelay(routes) {
  const robots = robotsFrom(START_AT);
  const told = [];
  let lost = 0;
  for (const [index, { at }] of traffic.entries()) {
    for (const channel of routes[index]) {
      const key = `${channel}-1`;
      const outcome = robots.post(key, relayMessage(ROBOTS[key].provider), robotSettings(key), at).outcome;
      if (outcome === 'delivered') told.push(at);
      else lost += 1;
    }
  }
  return { told, lost, posts: robots.posts, dingtalk: busiestMinute(robots.posts, 'dingtalk') };
}

function relayMessage(provider) {
  const text = 'an alert';
  return provider === 'dingtalk'
    ? { rung: 'text', json: { msgtype: 'text', text: { content: text } } }
    : { rung: 'text', json: { msg_type: 'text', content: { text } } };
}

/** Notifications of one second arrive together: the store commits them as one. */
function bySecond(all) {
  const batches = new Map();
  for (const one of all) {
    const second = Math.ceil(one.at / 1_000) * 1_000;
    batches.set(second, [...(batches.get(second) ?? []), one]);
  }
  return batches;
}

function plotOf() {
  const busiest = (posts) => perMinute(posts.filter(({ key }) => key === 'ops-1').map(({ at }) => at));
  return svgOf(
    [
      {
        title: 'Notifications that people can see in their chats',
        unit: 'notifications x channels',
        lines: [
          { name: 'sent by Grafana', color: '#9a9a9a', points: cumulated(ours.arrivals) },
          { name: 'Alertcard', color: '#1668dc', points: cumulated(ours.told) },
          { name: 'relay without an inbox', color: '#d4380d', points: cumulated(relay.told) },
        ],
      },
      {
        title: 'Requests to one DingTalk robot within the last minute',
        unit: 'requests a minute',
        limit: { value: DINGTALK_PER_MINUTE, text: 'muted for ten minutes above 20' },
        lines: [
          { name: 'Alertcard', color: '#1668dc', points: busiest(ours.posts) },
          {
            name: 'relay without an inbox (cut off at 60)',
            color: '#d4380d',
            points: busiest(relay.posts).map(([minute, count]) => [minute, Math.min(count, 60)]),
          },
        ],
      },
    ],
    HOUR_MINUTES,
  );
}

function samples() {
  return Array.from({ length: (HOUR_MINUTES * MINUTE_MS) / SAMPLE_MS + 1 }, (_, index) => index * SAMPLE_MS);
}

function cumulated(times) {
  return samples().map((ms) => [ms / MINUTE_MS, times.filter((at) => at <= START_AT + ms).length]);
}

function perMinute(times) {
  return samples().map((ms) => {
    const end = START_AT + ms;
    return [ms / MINUTE_MS, times.filter((at) => at > end - MINUTE_MS && at <= end).length];
  });
}
