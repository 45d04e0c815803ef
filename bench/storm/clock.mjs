/** A clock that jumps from timer to timer: an hour passes as fast as the work in it can be done. */
export function simulatedClock(startAt) {
  let now = startAt;
  let timers = [];
  return {
    now: () => now,
    wall: () => now,
    after(ms, wake) {
      const timer = { at: now + Math.max(ms, 0), wake };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
    /** Fires what comes due until `endAt`; `settle` waits until nothing is under way any more. */
    async runUntil(endAt, settle) {
      await settle();
      for (;;) {
        const next = timers.reduce(
          (first, timer) => (first && first.at <= timer.at ? first : timer),
          undefined,
        );
        if (next === undefined || next.at > endAt) break;
        timers = timers.filter((other) => other !== next);
        now = Math.max(now, next.at);
        next.wake();
        await settle();
      }
      now = endAt;
    },
  };
}
