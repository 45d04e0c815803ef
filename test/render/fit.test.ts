import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { largestWithin } from '../../src/render/fit.ts';

describe('the largest number that fits', () => {
  it('is never more than fits, and misses at most one', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 200 }),
        fc.integer({ min: 0, max: 2_000 }),
        fc.integer({ min: 0, max: 20_000 }),
        (sizes, base, limit) => {
          const bytes = (count: number): number =>
            sizes.slice(0, count).reduce((sum, size) => sum + size, base);
          const best = sizes.findLastIndex((_size, index) => bytes(index + 1) <= limit) + 1;

          const found = largestWithin(sizes.length, limit, bytes);

          expect(found).toBeLessThanOrEqual(best);
          expect(found === 0 || bytes(found) <= limit).toBe(true);
          if (best <= 20) expect(found).toBe(best);
          else expect(found).toBeGreaterThan(20);
        },
      ),
    );
  });

  it('renders few cards to find out', () => {
    let measured = 0;
    const found = largestWithin(200, 18_000, (count) => {
      measured += 1;
      return 700 + count * 188;
    });

    expect(found).toBe(92);
    expect(measured).toBeLessThanOrEqual(4);
  });

  it('stays quick with sizes that jump', () => {
    let measured = 0;
    largestWithin(200, 100, (count) => {
      measured += 1;
      return count > 130 ? 1_000_000 : 1;
    });

    expect(measured).toBeLessThanOrEqual(16);
  });
});
