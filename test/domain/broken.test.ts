import { describe, expect, it } from 'vitest';
import { type BrokenFacts, checkBroken, firingWaitMs } from '../../src/domain/broken.ts';
import { hintFor } from '../../src/domain/hints.ts';
import { REASONS } from '../../src/domain/outcome.ts';

const NOW = 10_000_000;
const AFTER = 120_000;

function facts(
  state: Partial<BrokenFacts['state']>,
  changes: Partial<Omit<BrokenFacts, 'state'>> = {},
): BrokenFacts {
  return {
    state: {
      oldestFiringMs: undefined,
      lastDeliveredAt: undefined,
      worstRank: 1,
      pausedForMs: undefined,
      broken: undefined,
      ...state,
    },
    brokenAfterMs: AFTER,
    isPacing: false,
    reason: 'connect',
    brokenSince: undefined,
    watchedSince: NOW - 5_000,
    now: NOW,
    ...changes,
  };
}

describe('how long something firing has waited', () => {
  it.each([
    ['nothing while nothing firing waits', {}, undefined],
    ['since it was accepted in a channel that never delivered', { oldestFiringMs: 500 }, 500],
    [
      'since it was accepted when the last delivery is older',
      { oldestFiringMs: 500, lastDeliveredAt: NOW - 900 },
      500,
    ],
    ['since the last delivery when that is later', { oldestFiringMs: 500, lastDeliveredAt: NOW - 100 }, 100],
    ['no time when the clocks disagree', { oldestFiringMs: 500, lastDeliveredAt: NOW + 100 }, 0],
  ])('is %s', (_name, state, expected) => {
    expect(firingWaitMs({ oldestFiringMs: undefined, lastDeliveredAt: undefined, ...state }, NOW)).toBe(
      expected,
    );
  });
});

describe('a channel', () => {
  it('is broken when something firing has waited too long, whatever the outcome', () => {
    const step = checkBroken(facts({ oldestFiringMs: AFTER }));

    expect(step).toEqual({
      kind: 'broken',
      note: { worstRank: 1, reason: 'connect' },
      since: NOW - AFTER,
      reason: 'connect',
    });
  });

  it.each([
    ['before its time', facts({ oldestFiringMs: AFTER - 1 })],
    ['while only resolved alerts wait', facts({})],
    ['while it waits for tokens only', facts({ oldestFiringMs: AFTER }, { isPacing: true })],
    ['while it delivers', facts({ oldestFiringMs: 9 * AFTER, lastDeliveredAt: NOW - 1_000 })],
  ])('is not broken %s', (_name, given) => {
    expect(checkBroken(given)).toEqual({ kind: 'nothing' });
  });

  it('is broken by the pause of a person, even while it waits for tokens', () => {
    const step = checkBroken(facts({ oldestFiringMs: AFTER, pausedForMs: 1 }, { isPacing: true }));

    expect(step).toMatchObject({ kind: 'broken', reason: 'paused' });
  });

  const noted = { worstRank: 1, reason: 'connect' };

  it('is told of once', () => {
    const step = checkBroken(facts({ oldestFiringMs: 2 * AFTER, broken: noted }));

    expect(step).toEqual({ kind: 'nothing' });
  });

  it('is told of again when a worse rank joins those that wait', () => {
    const step = checkBroken(facts({ oldestFiringMs: 2 * AFTER, broken: noted, worstRank: 0 }));

    expect(step).toMatchObject({ kind: 'worse', note: { worstRank: 0 } });
  });

  it('has recovered once it delivered, for as long as its alerts had waited', () => {
    const state = { oldestFiringMs: 5 * AFTER, lastDeliveredAt: NOW - 10, broken: noted };

    const step = checkBroken(facts(state, { brokenSince: NOW - 5 * AFTER }));

    expect(step).toEqual({ kind: 'recovered', forMs: 5 * AFTER });
  });

  it.each([
    ['because what waited was discarded', facts({ broken: noted }, { brokenSince: NOW - 1 })],
    [
      'because it has come to wait for tokens',
      facts({ oldestFiringMs: 2 * AFTER, broken: noted }, { isPacing: true, brokenSince: NOW - 2 * AFTER }),
    ],
    [
      'while a person pauses it',
      facts({ broken: noted, lastDeliveredAt: NOW, pausedForMs: 5 }, { brokenSince: 1 }),
    ],
    ['that never delivered, after a restart', facts({ broken: noted })],
    [
      'after a restart because what waited was discarded',
      facts({ broken: noted, lastDeliveredAt: NOW - 5_001 }),
    ],
  ])('has not recovered %s', (_name, given) => {
    expect(checkBroken(given)).toEqual({ kind: 'nothing' });
  });

  it('has recovered after a restart when something was delivered since', () => {
    const step = checkBroken(facts({ broken: noted, lastDeliveredAt: NOW - 1 }));

    expect(step).toEqual({ kind: 'recovered', forMs: 5_000 });
  });
});

describe('hints', () => {
  it.each([...REASONS, 'paused', 'pacing', 'waiting'] as const)(
    'say in one line what to do about %s',
    (reason) => {
      for (const provider of ['dingtalk', 'feishu'] as const)
        expect(hintFor(reason, provider)).toMatch(/^[A-Z][^\n]{10,}[.]$/);
    },
  );
});
