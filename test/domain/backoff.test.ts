import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_LANE_WAIT_MS,
  MAX_ROBOT_WAIT_MS,
  probeMs,
  throttleMs,
  unavailableMs,
  unconfirmedMs,
  untilTomorrowMs,
} from '../../src/domain/backoff.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** No jitter either way. */
const MIDDLE = 0.5;

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failures = fc.integer({ min: -5, max: 10_000 });
const wait = fc.option(fc.oneof(fc.double(), fc.integer({ min: 0, max: 10 * 24 * HOUR })), {
  nil: undefined,
});
const throttleReason = fc.constantFrom('rate_limited', 'flood_guard', 'quota_exhausted');
const provider = fc.constantFrom('dingtalk' as const, 'feishu' as const);

describe('the backoff of a lane', () => {
  it('grows from a second to a minute while robots cannot be reached, then stays between two and five', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 50].map((count) => unavailableMs(count, MIDDLE));

    expect(waits).toEqual([1, 2, 5, 10, 30, 60, 210, 210].map((seconds) => seconds * SECOND));
  });

  it('spreads each early step by a fifth either way and the late ones over the whole range', () => {
    const spread = [1, 6, 7].map((count) => [unavailableMs(count, 0), unavailableMs(count, 1)]);

    expect(spread).toEqual([
      [800, 1_200],
      [48_000, 72_000],
      [2 * MINUTE, 5 * MINUTE],
    ]);
  });

  it('is slow after an unconfirmed attempt, since each try may repeat a card', () => {
    const waits = [1, 2, 3, 4, 5, 99].map((count) => unconfirmedMs(count));

    expect(waits).toEqual([10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 30 * MINUTE, 30 * MINUTE]);
  });

  it('probes a misconfigured robot at 1, 5, 15 and then every 30 minutes', () => {
    const waits = [1, 2, 3, 4, 5, 99].map(probeMs);

    expect(waits).toEqual([1, 5, 15, 30, 30, 30].map((minutes) => minutes * MINUTE));
  });

  it('stays within its bounds and is never shorter than what the provider asked for, whatever comes in', () => {
    fc.assert(
      fc.property(failures, random, wait, (count, chance, waitMs) => {
        const floor = waitMs !== undefined && waitMs > 0 ? Math.min(waitMs, MAX_LANE_WAIT_MS) : 0;
        for (const ms of [unavailableMs(count, chance, waitMs), unconfirmedMs(count, waitMs)]) {
          expect(ms).toBeGreaterThanOrEqual(Math.max(floor, 800));
          expect(ms).toBeLessThanOrEqual(MAX_LANE_WAIT_MS);
        }
      }),
    );
  });
});

describe('the pause of a throttled robot', () => {
  const usual = { failures: 1, waitMs: undefined, wallMs: Date.UTC(2026, 0, 5, 2), random: MIDDLE };

  it.each([
    ['ten minutes for DingTalk', { provider: 'dingtalk', reason: 'rate_limited' }, 10 * MINUTE],
    ['five for its flood guard', { provider: 'dingtalk', reason: 'flood_guard' }, 5 * MINUTE],
    [
      'until midnight in Shanghai when the quota is used up',
      { provider: 'dingtalk', reason: 'quota_exhausted' },
      14 * HOUR,
    ],
    ['what the header says for Feishu', { provider: 'feishu', reason: 'rate_limited', waitMs: 7_500 }, 7_500],
    ['a second and a half at first for Feishu', { provider: 'feishu', reason: 'rate_limited' }, 1_500],
    [
      'half a minute after many for Feishu',
      { provider: 'feishu', reason: 'rate_limited', failures: 20 },
      30_500,
    ],
    [
      'longer than ours when DingTalk asks so',
      { provider: 'dingtalk', reason: 'rate_limited', waitMs: HOUR },
      HOUR,
    ],
  ] as const)('lasts %s', (_name, changes, expected) => {
    const ms = throttleMs({ ...usual, ...changes });

    expect(ms).toBe(expected);
  });

  it('stays between a second and a day and is never shorter than what the provider asked for', () => {
    fc.assert(
      fc.property(
        fc.record({
          provider,
          reason: throttleReason,
          failures,
          waitMs: wait,
          wallMs: fc.integer({ min: 0, max: 4e12 }),
          random,
        }),
        (throttle) => {
          const ms = throttleMs(throttle);

          const { waitMs } = throttle;
          const floor = waitMs !== undefined && waitMs > 0 ? Math.min(waitMs, MAX_ROBOT_WAIT_MS) : 0;
          expect(ms).toBeGreaterThanOrEqual(floor);
          expect(ms).toBeGreaterThan(0);
          expect(ms).toBeLessThanOrEqual(MAX_ROBOT_WAIT_MS);
        },
      ),
    );
  });
});

describe('tomorrow', () => {
  it.each([
    ['2026-01-05T15:59:59.999Z', 1],
    ['2026-01-05T16:00:00.000Z', 24 * HOUR],
    ['2026-01-05T00:00:00.000Z', 16 * HOUR],
  ])('begins at midnight in Shanghai, seen from %s', (at, expected) => {
    const ms = untilTomorrowMs(Date.parse(at));

    expect(ms).toBe(expected);
  });
});
