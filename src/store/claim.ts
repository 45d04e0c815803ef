import type { ClaimRequest, Work } from '../domain/work.ts';
import { hasOpenAttempt, openAttempt } from './attempts.ts';
import { deathsUntold, isPaused } from './channel-state.ts';
import { bury, undeliveredOfLine } from './endings.ts';
import type { ClaimIntent, Turn } from './intents.ts';
import { promote, restateLine } from './lines.ts';
import { type LineRow, readLines } from './work.ts';

/** A card carries at most so many lines. */
const MAX_LINES = 200;
/** A line whose attempts died with the process so often is taken to be what kills it. */
const MAX_INTERRUPTIONS = 5;

export const DUE_LINES_SQL = `
  SELECT line_hash AS lineHash, rank, rung, attempts, interruptions, is_possible_repeat AS isPossibleRepeat,
    without_mentions AS withoutMentions
  FROM lines INDEXED BY lines_due
  WHERE channel = ? AND due_at IS NULL AND rank <= ? ORDER BY rank, since_seq LIMIT ?`;

/** Leases the lane's next lines, worst first, and reads what they have to say. */
export function claim(turn: Turn, intent: ClaimIntent): Work | undefined {
  const { channel, robotKey } = intent.request;
  if (isPaused(turn, channel) || hasOpenAttempt(turn, channel)) return undefined;
  promote(turn, channel);
  const lines = readLines(turn.db, channel, dueLines(turn, intent.request));
  if (lines.length === 0) return undefined;
  openAttempt(
    turn,
    intent,
    lines.map((line) => line.lineHash),
  );
  return {
    token: intent.token,
    attemptId: intent.attemptId,
    channel,
    robotKey,
    lines,
    deathsUntold: deathsUntold(turn, channel),
  };
}

function dueLines(turn: Turn, { channel, maxLines, maxRank }: ClaimRequest): readonly LineRow[] {
  const limit = Math.min(maxLines, MAX_LINES);
  for (;;) {
    const due = turn.db.all<LineRow>(DUE_LINES_SQL, channel, maxRank ?? Number.MAX_SAFE_INTEGER, limit);
    const poisonous = due.filter((line) => line.interruptions >= MAX_INTERRUPTIONS);
    if (poisonous.length === 0) return due;
    for (const { lineHash } of poisonous) {
      const dying = undeliveredOfLine(turn, channel, lineHash);
      bury(turn, channel, dying, 'poison');
      turn.deaths.push({ channel, reason: 'poison', count: dying.length });
      restateLine(turn, channel, lineHash);
    }
  }
}
