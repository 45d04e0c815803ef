import { describe, expect, it } from 'vitest';
import { makeLabels } from '../../src/domain/alert.ts';
import { lineRank, rankOf, worstRankMax } from '../../src/domain/severity.ts';
import { SEVERITY } from '../support/card-input.ts';

function rank(value: string, ranks = SEVERITY.ranks): number {
  return rankOf(makeLabels([['severity', value]]), { label: 'severity', ranks }).rank;
}

describe('the rank of an alert', () => {
  it.each([
    ['critical', 0, 'critical'],
    ['CRIT', 0, 'critical'],
    ['p0', 0, 'critical'],
    ['严重', 0, 'critical'],
    ['High', 1, 'error'],
    [' warn ', 2, 'warning'],
    ['low', 4, 'info'],
  ])('reads %s as rank %i, %s', (value, expected, name) => {
    const ranked = rankOf(makeLabels([['severity', value]]), SEVERITY);

    expect(ranked).toEqual({ rank: expected, name });
  });

  it('puts an unknown or missing severity between warning and info', () => {
    const missing = rankOf(makeLabels(), SEVERITY);

    expect(rank('sev-9')).toBe(3);
    expect(missing).toEqual({ rank: 3, name: 'unknown' });
    expect(rank('warning')).toBeLessThan(missing.rank);
    expect(rank('info')).toBeGreaterThan(missing.rank);
  });

  it('puts an unknown one before the mildest where no rank is called info or warning', () => {
    const ranks = [
      { name: 'P0', values: [] },
      { name: 'P1', values: [] },
      { name: 'P2', values: [] },
    ];

    expect([rank('P0', ranks), rank('P1', ranks), rank('?', ranks), rank('P2', ranks)]).toEqual([0, 1, 2, 3]);
  });

  it('is not fooled by labels named like parts of an object', () => {
    const labels = makeLabels([['severity', 'constructor']]);

    expect(rankOf(labels, SEVERITY).name).toBe('unknown');
  });
});

describe('the rank of a line', () => {
  it('puts whatever fires before whatever is only resolved', () => {
    const mildestFiring = lineRank(true, 4);
    const worstResolved = lineRank(false, 0);

    expect(mildestFiring).toBeLessThan(worstResolved);
  });

  it('orders by severity among lines that fire', () => {
    expect([lineRank(true, 2), lineRank(true, 0), lineRank(true, 1)].sort()).toEqual([
      lineRank(true, 0),
      lineRank(true, 1),
      lineRank(true, 2),
    ]);
  });

  it('counts only firing alerts of the first rank as the worst', () => {
    const max = worstRankMax(SEVERITY);

    expect(lineRank(true, 0)).toBeLessThanOrEqual(max);
    expect(lineRank(true, 1)).toBeGreaterThan(max);
    expect(lineRank(false, 0)).toBeGreaterThan(max);
  });
});
