import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextFreeAt, reserveForWorst, tokensLeft } from '../../src/domain/pacing.ts';

const NOW = 1_000_000;

describe('the tokens of a robot', () => {
  it('are free at once while fewer than the limit started in the last minute', () => {
    const starts = [NOW - 60_000, NOW - 50_000, NOW - 1];

    const at = nextFreeAt(starts, { perSecond: undefined, perMinute: 3 }, NOW, 0);

    expect(at).toBe(NOW);
  });

  it('come back one minute after the start that took them', () => {
    const starts = [NOW - 50_000, NOW - 40_000, NOW - 1];

    const at = nextFreeAt(starts, { perSecond: undefined, perMinute: 3 }, NOW, 0);

    expect(at).toBe(NOW + 10_000);
  });

  it('obey the limit of a second as well', () => {
    const starts = [NOW - 400, NOW - 300, NOW - 200, NOW - 100];

    const at = nextFreeAt(starts, { perSecond: 4, perMinute: 90 }, NOW, 0);

    expect(at).toBe(NOW + 600);
  });

  it('leave the reserved ones alone', () => {
    const starts = Array.from({ length: 15 }, (_, index) => NOW - 30_000 + index);
    const pacing = { perSecond: undefined, perMinute: 18 };

    const free = [nextFreeAt(starts, pacing, NOW, 3), nextFreeAt(starts, pacing, NOW, 0)];

    expect(free).toEqual([NOW + 30_000, NOW]);
  });

  it('are without limit when pacing is off', () => {
    const starts = Array.from({ length: 500 }, () => NOW);

    const at = nextFreeAt(starts, { perSecond: 1, perMinute: 0 }, NOW, 0);

    expect(at).toBe(NOW);
  });

  it.each([
    [18, 3],
    [90, 15],
    [6, 1],
    [1, 0],
    [0, 0],
  ])('keep of %i a minute %i for the worst rank', (perMinute, expected) => {
    expect(reserveForWorst(perMinute)).toBe(expected);
  });

  it('always leave one for the other ranks', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000 }), (perMinute) => {
        expect(perMinute - reserveForWorst(perMinute)).toBeGreaterThanOrEqual(1);
      }),
    );
  });

  it('are counted over the last minute, without those kept for the worst', () => {
    const pacing = { perSecond: undefined, perMinute: 6 };
    const starts = [NOW - 60_000, NOW - 59_999, NOW];

    expect(tokensLeft(starts, pacing, NOW, 0)).toBe(4);
    expect(tokensLeft(starts, pacing, NOW, 1)).toBe(3);
    expect(tokensLeft(starts, { ...pacing, perMinute: 0 }, NOW, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it('never let more start in any rolling minute or second than the limits say', () => {
    const pacing = fc.record({
      perSecond: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
      perMinute: fc.integer({ min: 1, max: 40 }),
    });
    const pauses = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(pacing, pauses, fc.boolean(), (limits, waits, isReserving) => {
        const reserved = isReserving ? reserveForWorst(limits.perMinute) : 0;
        const starts: number[] = [];
        let now = NOW;
        for (const waitMs of waits) {
          now = nextFreeAt(starts, limits, now + waitMs, reserved);
          starts.push(now);
        }

        for (const end of starts) {
          expect(countWithin(starts, end, 60_000)).toBeLessThanOrEqual(limits.perMinute - reserved);
          expect(countWithin(starts, end, 1_000)).toBeLessThanOrEqual(limits.perSecond ?? limits.perMinute);
        }
      }),
    );
  });
});

function countWithin(starts: readonly number[], end: number, windowMs: number): number {
  return starts.filter((start) => start > end - windowMs && start <= end).length;
}
