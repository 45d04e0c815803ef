import type { Pacing } from './settings.ts';

const SECOND_MS = 1_000;
/** How long a start counts against the limit of a minute. */
export const PACING_WINDOW_MS = 60_000;
/** One token in six is kept for the worst rank: three of DingTalk's eighteen. */
const SHARE_FOR_WORST = 6;

/** Tokens of a minute that only the worst rank may use; one is always left for the others. */
export function reserveForWorst(perMinute: number): number {
  return Math.min(Math.round(perMinute / SHARE_FOR_WORST), Math.max(perMinute - 1, 0));
}

/**
 * The first instant, not before `now`, at which one more attempt keeps a robot within its pacing:
 * a token comes back one window after the start that took it. `starts` ascend; `reserved` tokens of the
 * minute are left untouched.
 */
export function nextFreeAt(starts: readonly number[], pacing: Pacing, now: number, reserved: number): number {
  if (pacing.perMinute <= 0) return now;
  const minuteAt = freeAt(starts, Math.max(pacing.perMinute - reserved, 1), PACING_WINDOW_MS);
  const secondAt = pacing.perSecond === undefined ? now : freeAt(starts, pacing.perSecond, SECOND_MS);
  return Math.max(now, minuteAt, secondAt);
}

/** When fewer than `limit` of the starts lie within the window. */
function freeAt(starts: readonly number[], limit: number, windowMs: number): number {
  const blocking = starts[starts.length - Math.max(Math.floor(limit), 1)];
  return blocking === undefined ? Number.NEGATIVE_INFINITY : blocking + windowMs;
}

/** Tokens of the minute that are free at an instant; those `reserved` do not count. */
export function tokensLeft(starts: readonly number[], pacing: Pacing, now: number, reserved: number): number {
  if (pacing.perMinute <= 0) return Number.POSITIVE_INFINITY;
  const used = starts.filter((start) => start > now - PACING_WINDOW_MS).length;
  return Math.max(pacing.perMinute - reserved, 1) - used;
}
