import type { Entry, PlannedDelivery } from '../domain/accepted.ts';
import { goesAlone } from '../domain/digest-rule.ts';
import type { Format } from '../domain/notification.ts';
import { flag } from './connection.ts';
import type { Turn } from './intents.ts';

/** So many backed-off lines come due in one claim; the rest with the next. */
const PROMOTE_LIMIT = 500;
/** So many lines are woken in one commit. */
const WAKE_LIMIT = 2_000;

/** Where a line stands in its lane: what its undelivered notifications, folded, amount to. */
interface Standing {
  readonly rank: number;
  readonly isFiring: boolean;
  readonly latestSeq: number;
  readonly isAlone: boolean;
}

interface NewestRow {
  readonly inboxSeq: number;
  readonly rank: number;
  readonly isFiring: 0 | 1;
  readonly isSnapshot: 0 | 1;
  readonly format: Format;
  readonly isTest: 0 | 1;
}

const JOIN_SQL = `
  INSERT INTO lines (channel, line_hash, rank, is_firing, since_seq, latest_seq, is_alone)
  VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?7)
  ON CONFLICT (channel, line_hash) DO UPDATE SET
    latest_seq = ?5,
    is_alone = max(is_alone, ?7),
    rank = CASE WHEN attempt_seq IS NOT NULL THEN rank WHEN ?6 THEN ?3 ELSE min(rank, ?3) END,
    is_firing = CASE WHEN attempt_seq IS NOT NULL THEN is_firing WHEN ?6 THEN ?4 ELSE max(is_firing, ?4) END`;
export const NEWEST_FIRST_SQL = `
  SELECT d.inbox_seq AS inboxSeq, d.rank, d.is_firing AS isFiring, i.is_snapshot AS isSnapshot, i.format,
    i.is_test AS isTest
  FROM deliveries AS d INDEXED BY deliveries_undelivered CROSS JOIN inbox AS i ON i.seq = d.inbox_seq
  WHERE d.channel = ? AND d.line_hash = ? AND d.ended_at IS NULL ORDER BY d.inbox_seq DESC`;
const OLDEST_SQL = `
  SELECT min(inbox_seq) AS seq FROM deliveries INDEXED BY deliveries_undelivered
  WHERE channel = ? AND line_hash = ? AND ended_at IS NULL`;
const RESTATE_SQL = `
  UPDATE lines SET rank = ?, is_firing = ?, since_seq = ?, latest_seq = ?, is_alone = max(is_alone, ?)
  WHERE channel = ? AND line_hash = ?`;
const INSERT_LINE_SQL = `
  INSERT INTO lines (channel, line_hash, rank, is_firing, since_seq, latest_seq) VALUES (?, ?, 0, 0, 0, 0)
  ON CONFLICT DO NOTHING`;
const DELETE_LINE_SQL = 'DELETE FROM lines WHERE channel = ? AND line_hash = ?';
export const NEXT_TIMED_SQL = `
  SELECT due_at AS dueAt, since_seq AS sinceSeq, line_hash AS lineHash FROM lines INDEXED BY lines_timed
  WHERE channel = ? AND due_at IS NOT NULL AND attempt_seq IS NULL ORDER BY due_at LIMIT 1`;
export const PROMOTE_SQL = `
  UPDATE lines SET due_at = NULL WHERE channel = ?1 AND line_hash IN (
    SELECT line_hash FROM lines INDEXED BY lines_timed
    WHERE channel = ?1 AND due_at IS NOT NULL AND attempt_seq IS NULL AND due_at <= ?2
    ORDER BY due_at LIMIT ?3)`;

/**
 * Adds a new notification to its line. The newest untruncated notification says what fires and how bad it
 * is; a truncated one can only make it worse. A line in flight is restated when it returns, and a backed-off
 * one keeps its time: what is wrong with the robot is not cured by another alert.
 */
export function joinLine(turn: Turn, delivery: PlannedDelivery, seq: number, entry: Entry): void {
  const { channel, lineHash, rank, isFiring } = delivery;
  const { isSnapshot, format, isTest } = entry;
  const isAlone = goesAlone(format, isTest);
  turn.db.run(JOIN_SQL, channel, lineHash, rank, flag(isFiring), seq, flag(isSnapshot), flag(isAlone));
}

/** Makes sure the line exists; `restateLine` fills it in. */
export function ensureLine(turn: Turn, channel: string, lineHash: string): void {
  turn.db.run(INSERT_LINE_SQL, channel, lineHash);
}

/** Works out a line anew from its undelivered deliveries; without any it vanishes. */
export function restateLine(turn: Turn, channel: string, lineHash: string): void {
  const standing = standingOf(turn, channel, lineHash);
  if (standing === undefined) {
    turn.db.run(DELETE_LINE_SQL, channel, lineHash);
    return;
  }
  const { rank, isFiring, latestSeq, isAlone } = standing;
  const oldest = turn.db.get<{ seq: number }>(OLDEST_SQL, channel, lineHash)?.seq ?? latestSeq;
  turn.db.run(RESTATE_SQL, rank, flag(isFiring), oldest, latestSeq, flag(isAlone), channel, lineHash);
}

function standingOf(turn: Turn, channel: string, lineHash: string): Standing | undefined {
  let standing: Standing | undefined;
  const rows = turn.db.iterate<NewestRow>(NEWEST_FIRST_SQL, channel, lineHash);
  for (const row of rows) {
    standing = {
      rank: Math.min(standing?.rank ?? row.rank, row.rank),
      isFiring: standing?.isFiring === true || row.isFiring === 1,
      latestSeq: standing?.latestSeq ?? row.inboxSeq,
      isAlone: standing?.isAlone === true || goesAlone(row.format, row.isTest === 1),
    };
    if (row.isSnapshot === 1) break;
  }
  return standing;
}

/** Makes lines due whose wait is over. */
export function promote(turn: Turn, channel: string): void {
  const next = turn.db.get<{ dueAt: number }>(NEXT_TIMED_SQL, channel);
  if (next !== undefined && next.dueAt <= turn.now)
    turn.db.run(PROMOTE_SQL, channel, turn.now, PROMOTE_LIMIT);
}

/** Makes a slice of the channel's lines due whatever their wait. */
export function wakeChannel(turn: Turn, channel: string): { readonly more: boolean } {
  const woken = turn.db.run(PROMOTE_SQL, channel, Number.MAX_SAFE_INTEGER, WAKE_LIMIT);
  return { more: woken === WAKE_LIMIT };
}
