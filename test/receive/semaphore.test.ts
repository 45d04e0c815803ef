import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../src/receive/semaphore.ts';
import { HandClock } from './harness.ts';

describe('a semaphore', () => {
  it('serves those who wait in the order they came, also when a later one would fit', async () => {
    const semaphore = new Semaphore(10, new HandClock());
    const served: string[] = [];
    await semaphore.acquire(8, 1_000);
    const big = semaphore.acquire(5, 1_000).then(() => served.push('big'));
    const small = semaphore.acquire(1, 1_000).then(() => served.push('small'));

    semaphore.release(8);
    await Promise.all([big, small]);

    expect(served).toEqual(['big', 'small']);
  });

  it('lets the next one in when the first gives up waiting', async () => {
    const clock = new HandClock();
    const semaphore = new Semaphore(10, clock);
    await semaphore.acquire(8, 1_000);
    const big = semaphore.acquire(5, 1_000);
    const small = semaphore.acquire(2, 5_000);

    clock.advance(1_000);

    expect(await Promise.all([big, small])).toEqual([false, true]);
    expect(clock.waiting).toBe(0);
  });

  it('never gives out more than it has, and loses nothing', async () => {
    const step = fc.record({
      amount: fc.integer({ min: 1, max: 12 }),
      isKept: fc.boolean(),
      waitMs: fc.nat(20),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const clock = new HandClock();
        const semaphore = new Semaphore(10, clock);
        let held = 0;
        let mostHeld = 0;
        const finished = steps.map(async ({ amount, isKept, waitMs }) => {
          if (!(await semaphore.acquire(amount, waitMs))) return;
          held += amount;
          mostHeld = Math.max(mostHeld, held);
          if (isKept) await new Promise<void>((resolve) => clock.after(7, resolve));
          held -= amount;
          semaphore.release(amount);
        });
        for (let tick = 0; tick < 300; tick++) {
          clock.advance(1);
          await Promise.resolve();
        }
        await Promise.all(finished);

        expect(mostHeld).toBeLessThanOrEqual(10);
        expect(await semaphore.acquire(10, 0)).toBe(true);
      }),
    );
  });
});
