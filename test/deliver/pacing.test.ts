import { describe, expect, it } from 'vitest';
import { PacingLedger } from '../../src/deliver/pacing.ts';
import { createManualClock } from '../support/clock.ts';

const TWO_A_MINUTE = { perSecond: undefined, perMinute: 2 };

describe('the pacing ledger', () => {
  it('counts a token from the moment it is taken, for every lane', () => {
    const clock = createManualClock();
    const ledger = new PacingLedger(clock, () => undefined);
    ledger.take('robot', TWO_A_MINUTE);
    ledger.take('robot', TWO_A_MINUTE);

    const freeAt = ledger.freeAt('robot', TWO_A_MINUTE, 0);

    expect(freeAt).toBe(clock.now() + 60_000);
  });

  it('dates a token by its use, not by its taking', async () => {
    const clock = createManualClock();
    const ledger = new PacingLedger(clock, () => undefined);
    const tokens = [ledger.take('robot', TWO_A_MINUTE), ledger.take('robot', TWO_A_MINUTE)];
    await clock.advance(5_000);
    for (const token of tokens) token.use();
    await clock.advance(55_000);

    const freeAt = ledger.freeAt('robot', TWO_A_MINUTE, 0);

    expect(freeAt).toBe(clock.now() + 5_000);
  });

  it('takes a refund once and says so', () => {
    const clock = createManualClock();
    const refunds: string[] = [];
    const ledger = new PacingLedger(clock, (robotKey) => refunds.push(robotKey));
    const token = ledger.take('robot', TWO_A_MINUTE);
    ledger.take('robot', TWO_A_MINUTE);

    token.refund();
    token.refund();

    expect(refunds).toEqual(['robot']);
    expect(ledger.freeAt('robot', TWO_A_MINUTE, 0)).toBe(clock.now());
  });

  it('does not take back what was used', () => {
    const clock = createManualClock();
    const ledger = new PacingLedger(clock, () => undefined);
    const pacing = { perSecond: undefined, perMinute: 1 };
    const token = ledger.take('robot', pacing);

    token.use();
    token.refund();

    expect(ledger.freeAt('robot', pacing, 0)).toBe(clock.now() + 60_000);
  });

  it('knows the attempts of an earlier process, and trusts none from the future', () => {
    const clock = createManualClock();
    const ledger = new PacingLedger(clock, () => undefined);

    ledger.seed('robot', [clock.now() - 10_000, clock.now() + 3_600_000]);

    expect(ledger.freeAt('robot', TWO_A_MINUTE, 0)).toBe(clock.now() + 50_000);
  });
});
