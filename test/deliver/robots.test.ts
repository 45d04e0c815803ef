import { describe, expect, it } from 'vitest';
import { PacingLedger } from '../../src/deliver/pacing.ts';
import { type NoRobot, Robots, type Taken } from '../../src/deliver/robots.ts';
import type { ChannelSettings } from '../../src/domain/settings.ts';
import { createManualClock, type ManualClock } from '../support/clock.ts';
import { channel, robot, WRONG_TOKEN } from './rig.ts';

const TWO = channel('ops', { robots: [robot('a'), robot('b')] });

function setUp(...channels: readonly ChannelSettings[]): { clock: ManualClock; robots: Robots } {
  const clock = createManualClock();
  const robots = new Robots(clock, new PacingLedger(clock, () => undefined));
  robots.configure(channels);
  return { clock, robots };
}

function useOne(robots: Robots, from: ChannelSettings): string {
  const taken = robots.take(from);
  if (taken.kind === 'none') return `none: ${taken.why}`;
  taken.token.use();
  return taken.robotKey + (taken.maxRank === undefined ? '' : ` up to rank ${taken.maxRank}`);
}

function pauseOf(
  outcome: 'throttled' | 'misconfigured',
  forMs: number,
  scope: 'robot' | 'provider' = 'robot',
) {
  const reason = outcome === 'throttled' ? ('rate_limited' as const) : ('unknown_token' as const);
  return { outcome, reason, forMs, scope };
}

describe('the robots of a channel', () => {
  it('take turns', () => {
    const { robots } = setUp(TWO);

    const used = [1, 2, 3, 4].map(() => useOne(robots, TWO));

    expect(used).toEqual(['a', 'b', 'a', 'b']);
  });

  it('tell how many requests the minute still holds, of all that do not pause', () => {
    const { robots } = setUp(TWO);
    useOne(robots, TWO);
    const both = robots.take(TWO) as Taken;
    both.token.refund();
    robots.pause('a', pauseOf('throttled', 10_000));

    const one = robots.take(TWO) as Taken;

    expect([both.tokens, one.tokens]).toEqual([29, 15]);
  });

  it('keep their turn when nothing was sent', () => {
    const { robots } = setUp(TWO);
    const taken = robots.take(TWO) as Taken;
    taken.token.refund();

    const used = useOne(robots, TWO);

    expect(used).toBe('a');
  });

  it('leave the rotation while they pause and come back by themselves', async () => {
    const { clock, robots } = setUp(TWO);
    robots.pause('a', pauseOf('throttled', 10_000));

    const during = [useOne(robots, TWO), useOne(robots, TWO)];
    await clock.advance(10_000);
    const after = useOne(robots, TWO);

    expect([...during, after]).toEqual(['b', 'b', 'a']);
  });

  it('make the lane wait for the first to return when none is left', () => {
    const { clock, robots } = setUp(TWO);
    robots.pause('a', pauseOf('throttled', 10_000));
    robots.pause('b', pauseOf('misconfigured', 4_000));

    const none = robots.take(TWO) as NoRobot;

    expect(none).toEqual({
      kind: 'none',
      why: 'robots',
      until: clock.now() + 4_000,
      reason: 'unknown_token',
    });
  });

  it('keep the last tokens of the minute for the worst rank, then none', () => {
    const one = channel('ops', { robots: [robot('a')], pacing: { perSecond: undefined, perMinute: 6 } });
    const { robots } = setUp(one);

    const used = [1, 2, 3, 4, 5, 6, 7].map(() => useOne(robots, one));

    expect(used).toEqual(['a', 'a', 'a', 'a', 'a', 'a up to rank 0', 'none: pacing']);
  });

  it('share their tokens between all channels that name them', () => {
    const pacing = { perSecond: undefined, perMinute: 1 };
    const one = channel('one', { robots: [robot('a')], pacing });
    const two = channel('two', { robots: [robot('a')], pacing });
    const { robots } = setUp(one, two);

    const used = [useOne(robots, one), useOne(robots, two)];

    expect(used).toEqual(['a', 'none: pacing']);
  });

  it('all pause behind the flood guard of their provider, and no others', () => {
    const ding = channel('ding', { robots: [robot('b')] });
    const feishu = channel('feishu', { provider: 'feishu', robots: [robot('c')] });
    const { robots } = setUp(TWO, ding, feishu);

    robots.pause('a', pauseOf('throttled', 300_000, 'provider'));

    expect([TWO, ding, feishu].map((one) => useOne(robots, one))).toEqual([
      'none: robots',
      'none: robots',
      'c',
    ]);
  });

  it('pause after a restart as they did before it', () => {
    const feishu = channel('feishu', { provider: 'feishu', robots: [robot('c')] });
    const { robots } = setUp(TWO, feishu);

    robots.seed([
      { robotKey: 'a', forMs: 1_000, reason: 'flood_guard' },
      { robotKey: 'gone', forMs: 1_000, reason: 'rate_limited' },
    ]);

    expect([TWO, feishu].map((one) => useOne(robots, one))).toEqual(['none: robots', 'c']);
  });

  it('are probed at once when asked, but a throttle outlasts that', () => {
    const { robots } = setUp(TWO);
    robots.note('b', WRONG_TOKEN);
    robots.pause('a', pauseOf('throttled', 10_000));
    robots.pause('b', pauseOf('misconfigured', 10_000));

    robots.probe(TWO);

    expect([useOne(robots, TWO), useOne(robots, TWO)]).toEqual(['b', 'b']);
    expect(robots.failuresOf('b')).toEqual({ throttled: 0, misconfigured: 0 });
  });

  it('never have a longer throttle cut short by a shorter one', () => {
    const { clock, robots } = setUp(TWO);
    robots.pause('a', pauseOf('throttled', 600_000));

    robots.pause('a', pauseOf('throttled', 1_000));

    expect(robots.pauseOf('a')?.until).toBe(clock.now() + 600_000);
  });

  it('keep their pauses when the configuration is read anew', () => {
    const { robots } = setUp(TWO);
    robots.pause('a', pauseOf('throttled', 10_000));

    robots.configure([TWO]);

    expect(useOne(robots, TWO)).toBe('b');
  });
});
