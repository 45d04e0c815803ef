import type { Clock } from '../domain/clock.ts';

/** Longest delay `setTimeout` takes before it overflows to 1 ms. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The real clock. `now` starts at the wall clock and advances with the monotonic one, so that an NTP
 * step neither expires every lease nor freezes a lane; `wall` is what signatures and people need.
 */
export function createSystemClock(): Clock {
  const anchorMs = Date.now() - performance.now();
  return {
    wall: () => Date.now(),
    now: () => Math.round(anchorMs + performance.now()),
    after(ms, wake) {
      const timer = setTimeout(wake, Math.min(Math.max(0, ms), MAX_TIMER_MS));
      return () => clearTimeout(timer);
    },
  };
}
