import { afterEach, describe, expect, it } from 'vitest';
import { type EventLoopDelay, watchEventLoop } from '../../src/observe/event-loop.ts';

let delay: EventLoopDelay | undefined;

afterEach(() => {
  delay?.stop();
});

const turn = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('watchEventLoop', () => {
  it('sees the loop held up, and starts anew after each look', async () => {
    delay = watchEventLoop();
    await turn(30);
    const until = performance.now() + 100;
    while (performance.now() < until);
    await turn(30);

    const first = delay.take();
    const second = delay.take();

    expect(first['1']).toBeGreaterThan(0.05);
    expect(first['0.5']).toBeLessThanOrEqual(first['1']);
    expect(second['1']).toBe(0);
  });
});
