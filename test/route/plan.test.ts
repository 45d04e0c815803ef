import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Notification } from '../../src/domain/notification.ts';
import type { PlanRequest } from '../../src/route/plan.ts';
import { aChannel, aNotification, anAlert, aPlanner, aRoute, aSource } from './support.ts';

const OPS = aChannel('ops');
const PAY = aChannel('pay');
const LOG = aChannel('log');
const CRITICAL = { severity: 'critical', team: 'a' };
const WARNING = { severity: 'warning', team: 'pay' };

function request(notification: Notification, pathChannel = ''): PlanRequest {
  return { notification, source: aSource(['ops']), pathChannel, groupHash: 'group' };
}

describe('planning', () => {
  it('brings alerts that no route matches to the channels of the source, whole', () => {
    const planner = aPlanner([OPS, PAY], [aRoute(['severity=info'], ['pay'])]);

    const deliveries = planner.plan(request(aNotification([anAlert(CRITICAL), anAlert(WARNING)])));

    expect(deliveries).toEqual([
      {
        id: 'dlv_1',
        channel: 'ops',
        lineHash: 'group',
        rank: 0,
        isFiring: true,
        selection: null,
        mentionAll: false,
      },
    ]);
  });

  it('splits the alerts of one notification by the first route each matches', () => {
    const routes = [aRoute(['severity=critical'], ['ops']), aRoute(['team=~".*"'], ['pay'])];
    const planner = aPlanner([OPS, PAY], routes);

    const deliveries = planner.plan(request(aNotification([anAlert(WARNING), anAlert(CRITICAL)])));

    expect(deliveries.map(({ channel, selection }) => [channel, selection])).toEqual([
      ['pay', [0]],
      ['ops', [1]],
    ]);
  });

  it('goes on past a route with continue', () => {
    const routes = [aRoute([], ['log'], { continue: true }), aRoute(['severity=critical'], ['pay'])];
    const planner = aPlanner([OPS, PAY, LOG], routes);

    const deliveries = planner.plan(request(aNotification([anAlert(CRITICAL), anAlert(WARNING)])));

    expect(deliveries.map(({ channel, selection }) => [channel, selection])).toEqual([
      ['log', null],
      ['pay', [0]],
    ]);
  });

  it('makes one delivery with the union where two routes meet in a channel, mentioning all if one asks', () => {
    const routes = [
      aRoute(['severity=critical'], ['pay'], { mentionAll: true }),
      aRoute(['team=pay'], ['pay']),
    ];
    const planner = aPlanner([OPS, PAY], routes);
    const alerts = [anAlert(CRITICAL), anAlert(WARNING), anAlert({ team: 'b' })];

    const deliveries = planner.plan(request(aNotification(alerts)));

    expect(deliveries.map(({ channel, selection, mentionAll }) => [channel, selection, mentionAll])).toEqual([
      ['pay', [0, 1], true],
      ['ops', [2], false],
    ]);
  });

  it('does not mention everyone for an alert that the channel leaves out', () => {
    const routes = [
      aRoute(['severity=critical'], ['quiet'], { mentionAll: true }),
      aRoute(['team=pay'], ['quiet']),
    ];
    const planner = aPlanner([aChannel('quiet', { sendResolved: false })], routes);
    const alerts = [anAlert(CRITICAL, 'resolved'), anAlert(WARNING)];

    const deliveries = planner.plan(request(aNotification(alerts)));

    expect(deliveries.map(({ selection, mentionAll }) => [selection, mentionAll])).toEqual([[[1], false]]);
  });

  it('asks no route when the path names the channel', () => {
    const planner = aPlanner([OPS, PAY, LOG], [aRoute([], ['log'], { mentionAll: true })]);

    const deliveries = planner.plan(request(aNotification([anAlert(CRITICAL)]), 'pay'));

    expect(deliveries.map(({ channel, mentionAll }) => [channel, mentionAll])).toEqual([['pay', false]]);
  });

  it.each([
    ['firing', [anAlert(WARNING), anAlert(CRITICAL, 'resolved')], 0, 2, true],
    ['resolved only', [anAlert(WARNING, 'resolved'), anAlert(CRITICAL, 'resolved')], 0, 100, false],
    ['resolved but cut short', [anAlert(WARNING, 'resolved')], 5, 2, true],
  ])('ranks a notification that is %s', (_, alerts, truncatedAlerts, rank, isFiring) => {
    const planner = aPlanner([OPS]);

    const deliveries = planner.plan(request(aNotification(alerts, { truncatedAlerts })));

    expect(deliveries).toMatchObject([{ rank, isFiring }]);
  });

  it('leaves resolved alerts out, and the delivery when nothing stays, where a channel does not want them', () => {
    const planner = aPlanner([aChannel('ops', { sendResolved: false })]);

    const mixed = planner.plan(request(aNotification([anAlert(WARNING, 'resolved'), anAlert(CRITICAL)])));
    const over = planner.plan(request(aNotification([anAlert(WARNING, 'resolved')])));

    expect(mixed).toMatchObject([{ selection: [1] }]);
    expect(over).toEqual([]);
  });

  it('never drops a notification that was cut short', () => {
    const planner = aPlanner([aChannel('ops', { sendResolved: false })]);
    const notification = aNotification([anAlert(WARNING, 'resolved')], { truncatedAlerts: 3 });

    const deliveries = planner.plan(request(notification));

    expect(deliveries).toMatchObject([{ isFiring: true, selection: null }]);
  });

  it('brings what has no alerts to the channels of the source, or the one of the path, as firing', () => {
    const planner = aPlanner([OPS, PAY], [aRoute([], ['pay'])]);
    const notification = aNotification([], { format: 'unreadable', text: 'not json' });

    const routed = planner.plan(request(notification));
    const direct = planner.plan(request(notification, 'pay'));

    expect(routed).toMatchObject([{ channel: 'ops', isFiring: true, selection: null, rank: 3 }]);
    expect(direct).toMatchObject([{ channel: 'pay', isFiring: true, selection: null }]);
  });

  it('gives each alert a line of its own where the channel asks for it', () => {
    const planner = aPlanner([aChannel('ops', { group: 'each' })]);
    const alerts = [anAlert(WARNING, 'firing', 'f1'), anAlert(CRITICAL, 'resolved', 'f2')];

    const deliveries = planner.plan(request(aNotification(alerts)));

    expect(deliveries.map(({ lineHash, selection, rank }) => [lineHash, selection, rank])).toEqual([
      ['line/group/f2', [1], 100],
      ['line/group/f1', [0], 2],
    ]);
  });

  it('puts what goes beyond twenty cards on the line of the group, the less severe ones', () => {
    const planner = aPlanner([aChannel('ops', { group: 'each' })]);
    const alerts = Array.from({ length: 25 }, (_, n) =>
      anAlert({ severity: n < 5 ? 'info' : 'critical', n: String(n) }, 'firing', `f${n}`),
    );

    const deliveries = planner.plan(request(aNotification(alerts)));

    expect(deliveries).toHaveLength(21);
    expect(deliveries.at(-1)).toMatchObject({ lineHash: 'group', selection: [0, 1, 2, 3, 4] });
  });

  it('explains which route each alert met', () => {
    const planner = aPlanner([OPS, PAY], [aRoute(['team=pay'], ['pay'], { mentionAll: true })]);

    const routings = planner.explain(request(aNotification([anAlert(CRITICAL), anAlert(WARNING)])));

    expect(routings).toEqual([
      { routes: [], by: 'source', channels: [{ name: 'ops', mentionAll: false }] },
      { routes: [0], by: 'routes', channels: [{ name: 'pay', mentionAll: true }] },
    ]);
  });
});

const channelNames = ['ops', 'pay', 'log'];
const someLabels = fc.record({
  severity: fc.constantFrom('critical', 'warning', 'info'),
  team: fc.constantFrom('a', 'b', 'pay'),
});
const someAlerts = fc
  .array(fc.record({ labels: someLabels, status: fc.constantFrom('firing' as const, 'resolved' as const) }), {
    minLength: 1,
    maxLength: 30,
  })
  .map((specs) => specs.map(({ labels, status }, n) => anAlert(labels, status, `f${n}`)));
const someRoutes = fc.array(
  fc.record({
    match: fc.subarray(['severity=critical', 'team=~"a|b"', 'team!=pay', '__source__=grafana']),
    channels: fc.subarray(channelNames, { minLength: 1 }),
    mentionAll: fc.boolean(),
    continue: fc.boolean(),
  }),
  { maxLength: 4 },
);
const someChannels = fc.tuple(
  ...channelNames.map((name) =>
    fc
      .record({ sendResolved: fc.boolean(), group: fc.constantFrom('together' as const, 'each' as const) })
      .map((change) => aChannel(name, change)),
  ),
);

describe('any notification and routes', () => {
  const world = fc.record({ alerts: someAlerts, routes: someRoutes, channels: someChannels });

  function planOf({ alerts, routes, channels }: typeof world extends fc.Arbitrary<infer W> ? W : never) {
    const built = routes.map(({ match, channels: to, ...rest }) => aRoute(match, to, rest));
    return aPlanner(channels, built).plan(request(aNotification(alerts)));
  }

  it('give the same plan twice', () => {
    fc.assert(
      fc.property(world, (given) => {
        const first = planOf(given);
        const second = planOf(given);

        expect(second).toEqual(first);
      }),
    );
  });

  it('bring every alert to a channel at most once, and to none that neither route nor source names', () => {
    fc.assert(
      fc.property(world, (given) => {
        const routed = new Set(['ops', ...given.routes.flatMap(({ channels }) => channels)]);

        const deliveries = planOf(given);

        const seen = deliveries.flatMap(({ channel, selection }) =>
          (selection ?? given.alerts.map((_, index) => index)).map((index) => `${channel}/${index}`),
        );
        expect(new Set(seen).size).toBe(seen.length);
        expect(deliveries.every(({ channel }) => routed.has(channel))).toBe(true);
      }),
    );
  });

  it('lose no firing alert', () => {
    fc.assert(
      fc.property(world, (given) => {
        const deliveries = planOf(given);

        const reached = new Set(
          deliveries.flatMap(({ selection }) => selection ?? given.alerts.map((_, index) => index)),
        );
        const firing = given.alerts.flatMap(({ status }, index) => (status === 'firing' ? [index] : []));
        expect(firing.filter((index) => !reached.has(index))).toEqual([]);
      }),
    );
  });

  it('bring each alert to the same channels in whatever order the alerts stand', () => {
    fc.assert(
      fc.property(world, (given) => {
        const namesOf = (alerts: typeof given.alerts) =>
          planOf({ ...given, alerts })
            .flatMap(({ channel, selection }) =>
              (selection ?? alerts.map((_, index) => index)).map(
                (index) => `${channel}/${alerts[index]?.fingerprint}`,
              ),
            )
            .sort();

        const forwards = namesOf(given.alerts);
        const backwards = namesOf([...given.alerts].reverse());

        expect(backwards).toEqual(forwards);
      }),
    );
  });
});
