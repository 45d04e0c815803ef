import { afterEach } from 'vitest';
import type { Clock } from '../../src/domain/clock.ts';
import type { EgressSettings } from '../../src/domain/settings.ts';
import { type Robots, type RobotsOptions, startRobots } from '../../src/sandbox/robots.ts';

/** Egress rules under which the look-alike robots on loopback may be called. */
export const LOOPBACK_EGRESS: EgressSettings = {
  allowHosts: [],
  allowPrivate: true,
  proxy: undefined,
  caFile: '',
};

/** Starts look-alike robots for one test; they end with it. Call it while tests are collected. */
export function useRobots(): (options?: RobotsOptions) => Promise<Robots> {
  const running: Robots[] = [];
  afterEach(async () => {
    await Promise.all(running.splice(0).map((robots) => robots.close()));
  });
  return async (options) => {
    const robots = await startRobots(options);
    running.push(robots);
    return robots;
  };
}

/** A clock moved by hand. */
export interface HandClock extends Clock {
  /** Moves on and runs, in order, every timer that falls due. */
  advance(byMs: number): void;
  /** Timers that wait. */
  readonly waiting: number;
}

/** Starts a clock that stands still at `startedAt` (epoch ms). */
export function handClock(startedAt: number): HandClock {
  let now = startedAt;
  const timers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    wall: () => now,
    now: () => now,
    after: (ms, wake) => {
      const timer = { at: now + Math.max(0, ms), wake };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: (byMs) => {
      now += byMs;
      for (const timer of [...timers].filter(({ at }) => at <= now).sort((a, b) => a.at - b.at)) {
        timers.delete(timer);
        timer.wake();
      }
    },
    get waiting() {
      return timers.size;
    },
  };
}
