import { LADDERS, type ProviderName, type Rung } from './settings.ts';

/** Interruptions after which a line goes out on the bare rung: something in it may have killed the process. */
const INTERRUPTIONS_UNTIL_BARE = 2;

/** The rungs a channel may use, from its own form down to bare. */
export function ladderOf(channel: { readonly provider: ProviderName; readonly form: Rung }): readonly Rung[] {
  const rungs = LADDERS[channel.provider];
  return rungs.slice(Math.max(rungs.indexOf(channel.form), 0));
}

/** The position to try next: the line's own, kept on the ladder, and the last one after interruptions. */
export function positionFor(
  ladder: readonly Rung[],
  line: { readonly rung: number; readonly interruptions: number },
): number {
  const last = ladder.length - 1;
  if (line.interruptions >= INTERRUPTIONS_UNTIL_BARE) return last;
  return Math.min(Math.max(line.rung, 0), last);
}

/** The rung at a position; bare past the end. */
export function rungAt(ladder: readonly Rung[], position: number): Rung {
  return ladder[position] ?? 'bare';
}

/** Where the rung that was really used stands; never above the one that was asked for. */
export function positionUsed(ladder: readonly Rung[], asked: number, used: Rung): number {
  return Math.max(asked, ladder.indexOf(used));
}
