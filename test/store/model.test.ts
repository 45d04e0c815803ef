import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../support/budget.ts';
import { openTestStore } from '../support/store.ts';
import { anyCommands, expectSame, type Real } from './model/commands.ts';
import { Model } from './model/model.ts';

describe('the store against a simple model', () => {
  it('loses nothing, hands each line to one holder and keeps the order, whatever happens', async () => {
    let done = 0;
    await fc.assert(
      fc.asyncProperty(anyCommands, async (commands) => {
        const subject = await openTestStore();
        const real: Real = { subject, clock: subject.clock, store: subject.store };
        const model = new Model();

        await fc.asyncModelRun(() => ({ model, real }), commands);

        await expectSame(model, real);
        await real.store.close();
        done += 1;
      }),
      { numRuns: runs(40) },
    );
    expect(done).toBe(runs(40));
  });
});
