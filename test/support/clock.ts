import type { Clock } from '../../src/domain/clock.ts';

/** A clock moved by hand. Timers fire in order of their time, then of their making. */
export interface ManualClock extends Clock {
  /** Moves time on, firing what comes due, and lets promises settle after each timer. */
  advance(ms: number): Promise<void>;
  /** Lets promises settle without moving time. */
  settle(): Promise<void>;
  /** Steps the wall clock as NTP would; timers do not notice. */
  stepWall(ms: number): void;
  /** How many timers wait. */
  timers(): number;
}

interface Timer {
  readonly at: number;
  readonly wake: () => void;
}

/** `turns` of the event loop let promises settle: one for memory, more where each write of a store takes some. */
export function createManualClock(startAt = Date.UTC(2026, 0, 5, 2, 0, 0), turns = 1): ManualClock {
  let now = startAt;
  let wallStepMs = 0;
  let timers: Timer[] = [];

  // All promises of the code under test hang on other promises, which one turn of the event loop exhausts.
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };

  return {
    wall: () => now + wallStepMs,
    now: () => now,
    after(ms, wake) {
      const timer = { at: now + Math.max(ms, 0), wake };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const next = timers.toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined || next.at > end) break;
        timers = timers.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = end;
      await settle();
    },
    settle,
    stepWall(ms) {
      wallStepMs += ms;
    },
    timers: () => timers.length,
  };
}
