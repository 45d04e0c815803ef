import { linesToTake } from '../domain/digest-rule.ts';
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

const LINE_COLUMNS = `
  line_hash AS lineHash, rank, rung, attempts, interruptions, is_possible_repeat AS isPossibleRepeat,
  without_mentions AS withoutMentions`;
export const DUE_LINES_SQL = `
  SELECT ${LINE_COLUMNS} FROM lines INDEXED BY lines_due
  WHERE channel = ? AND due_at IS NULL AND rank <= ? ORDER BY rank, since_seq LIMIT ?`;
export const SHARED_LINES_SQL = `
  SELECT ${LINE_COLUMNS} FROM lines INDEXED BY lines_due_shared
  WHERE channel = ? AND due_at IS NULL AND is_alone = 0 AND rank <= ? ORDER BY rank, since_seq LIMIT ?`;
export const LONE_LINES_SQL = `
  SELECT ${LINE_COLUMNS} FROM lines INDEXED BY lines_due_alone
  WHERE channel = ? AND due_at IS NULL AND is_alone = 1 AND rank <= ? ORDER BY rank, since_seq LIMIT ?`;
export const COUNT_SHARED_SQL = `
  SELECT count(*) AS count FROM (
    SELECT 1 FROM lines INDEXED BY lines_due_shared
    WHERE channel = ? AND due_at IS NULL AND is_alone = 0 AND rank <= ? LIMIT ?)`;
const LINE_SQL = `
  SELECT ${LINE_COLUMNS} FROM lines WHERE channel = ? AND line_hash = ? AND due_at IS NULL`;

/** Leases the lane's next lines, worst first, and reads what they have to say. `again` names those just settled. */
export function claim(turn: Turn, intent: ClaimIntent, again: readonly string[] = []): Work | undefined {
  const { request, token, attemptId } = intent;
  const { channel, robotKey } = request;
  if (isPaused(turn, channel) || hasOpenAttempt(turn, channel)) return undefined;
  promote(turn, channel);
  const limit = (request.digest?.above ?? 0) + 1;
  const due = countShared(turn, request, limit);
  const rows = request.isAgain === true ? linesNamed(turn, channel, again) : nextLines(turn, request, due);
  const lines = readLines(turn.db, channel, rows);
  if (lines.length === 0) return undefined;
  openAttempt(
    turn,
    intent,
    lines.map((line) => line.lineHash),
  );
  return {
    token,
    attemptId,
    channel,
    robotKey,
    lines,
    deathsUntold: deathsUntold(turn, channel),
    isStorm: due === limit,
    hasMoreDue: countShared(turn, request, 1) > 0,
  };
}

function linesNamed(turn: Turn, channel: string, hashes: readonly string[]): readonly LineRow[] {
  return hashes.flatMap((lineHash) => turn.db.get<LineRow>(LINE_SQL, channel, lineHash) ?? []);
}

function nextLines(turn: Turn, request: ClaimRequest, due: number): readonly LineRow[] {
  const { digest, maxLines } = request;
  if (digest === undefined) return dueLines(turn, request, DUE_LINES_SQL, maxLines);
  const lone = digest.isAloneFirst ? dueLines(turn, request, LONE_LINES_SQL, 1) : [];
  if (lone.length > 0) return lone;
  const count = linesToTake(due, digest, maxLines);
  return dueLines(turn, request, count === 1 ? DUE_LINES_SQL : SHARED_LINES_SQL, count);
}

/** How many lines that may share a card are due; reads no further than the limit. */
function countShared(turn: Turn, { channel, maxRank }: ClaimRequest, limit: number): number {
  const highest = maxRank ?? Number.MAX_SAFE_INTEGER;
  return turn.db.get<{ count: number }>(COUNT_SHARED_SQL, channel, highest, limit)?.count ?? 0;
}

function dueLines(
  turn: Turn,
  { channel, maxRank }: ClaimRequest,
  sql: string,
  count: number,
): readonly LineRow[] {
  const limit = Math.min(count, MAX_LINES);
  for (;;) {
    const due = turn.db.all<LineRow>(sql, channel, maxRank ?? Number.MAX_SAFE_INTEGER, limit);
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
