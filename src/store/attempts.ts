import type { Reason } from '../domain/outcome.ts';
import type { Settlement } from '../domain/work.ts';
import { noteAttempt } from './channel-state.ts';
import type { ClaimIntent, Turn } from './intents.ts';
import { restateLine } from './lines.ts';

export interface OpenAttempt {
  readonly seq: number;
  readonly channel: string;
}

/** How the lines of an attempt come back to their lane. */
export type LineReturn =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'unsent' }
  | { readonly kind: 'interrupted' }
  | {
      readonly kind: 'retry';
      /** NULL: at once. */
      readonly dueAt: number | null;
      readonly rung: number;
      readonly isPossibleRepeat: 0 | 1;
      readonly withoutMentions: 0 | 1;
      readonly isAlone: 0 | 1;
    };

/** Columns of an attempt `a` as an `AttemptRecord`. */
export const ATTEMPT_COLUMNS = `
  a.id, a.channel, a.robot AS robotKey, a.started_at AS startedAt, a.duration_ms AS durationMs, a.rung, a.outcome,
  a.reason, a.http_status AS httpStatus, a.provider_code AS providerCode, a.provider_text AS providerText`;
export const HAS_OPEN_ATTEMPT_SQL =
  'SELECT 1 AS yes FROM attempts INDEXED BY attempts_open WHERE channel = ? AND outcome IS NULL';
const INSERT_ATTEMPT_SQL = `
  INSERT INTO attempts (id, token, expires_at, channel, robot, started_at) VALUES (?, ?, ?, ?, ?, ?)`;
const LEASE_LINE_SQL = `
  UPDATE lines SET attempt_seq = ?, due_at = ?, attempts = attempts + 1 WHERE channel = ? AND line_hash = ?`;
const LINK_DELIVERIES_SQL = `
  INSERT INTO attempt_deliveries (delivery_seq, attempt_seq)
  SELECT seq, ? FROM deliveries INDEXED BY deliveries_undelivered
  WHERE channel = ? AND line_hash = ? AND ended_at IS NULL`;
const MOVE_DELIVERIES_SQL = `
  UPDATE deliveries INDEXED BY deliveries_undelivered SET state = ?
  WHERE channel = ? AND line_hash = ? AND ended_at IS NULL`;
export const OPEN_BY_TOKEN_SQL =
  'SELECT seq, channel FROM attempts INDEXED BY attempts_token WHERE token = ? AND outcome IS NULL';
const FINISH_SQL = `
  UPDATE attempts SET outcome = ?, reason = ?, duration_ms = ?, rung = ?, http_status = ?, provider_code = ?,
    provider_text = ? WHERE seq = ?`;
const CUT_OFF_SQL = "UPDATE attempts SET outcome = 'unconfirmed', reason = ? WHERE seq = ?";
const DELETE_ATTEMPT_SQL = 'DELETE FROM attempts WHERE seq = ?';
const UNLINK_ATTEMPT_SQL = 'DELETE FROM attempt_deliveries WHERE attempt_seq = ?';
const LEASED_LINES_SQL =
  'SELECT line_hash AS lineHash FROM lines INDEXED BY lines_leased WHERE attempt_seq = ?';
const RETURN_DELIVERED_SQL = `
  UPDATE lines SET attempt_seq = NULL, due_at = NULL, rung = 0, attempts = 0, interruptions = 0,
    is_possible_repeat = 0, without_mentions = 0, is_alone = 0 WHERE channel = ? AND line_hash = ?`;
const RETURN_UNSENT_SQL = `
  UPDATE lines SET attempt_seq = NULL, due_at = NULL, attempts = attempts - 1
  WHERE channel = ? AND line_hash = ?`;
// alone from now on: what ends the process must not take the other lines of a digest along again
const RETURN_INTERRUPTED_SQL = `
  UPDATE lines SET attempt_seq = NULL, due_at = NULL, interruptions = interruptions + 1, is_possible_repeat = 1,
    is_alone = 1
  WHERE channel = ? AND line_hash = ?`;
// the marks stay until a delivery: another line of the same digest may have earned them. A line that went down
// the ladder is not to take a digest down with it
const RETURN_RETRY_SQL = `
  UPDATE lines SET attempt_seq = NULL, due_at = ?1, rung = ?2, is_possible_repeat = max(is_possible_repeat, ?3),
    without_mentions = max(without_mentions, ?4), is_alone = max(is_alone, ?5, ?2 > 0)
  WHERE channel = ?6 AND line_hash = ?7`;

/** Writes the attempt, which is the lease, and takes whole lines into it. */
export function openAttempt(turn: Turn, claim: ClaimIntent, lineHashes: readonly string[]): void {
  const { request, attemptId, token } = claim;
  const { channel, robotKey, leaseMs } = request;
  const expiresAt = turn.now + leaseMs;
  const seq = turn.db.insert(INSERT_ATTEMPT_SQL, attemptId, token, expiresAt, channel, robotKey, turn.now);
  for (const lineHash of lineHashes) {
    turn.db.run(LEASE_LINE_SQL, seq, expiresAt, channel, lineHash);
    turn.db.run(LINK_DELIVERIES_SQL, seq, channel, lineHash);
    turn.db.run(MOVE_DELIVERIES_SQL, 'leased', channel, lineHash);
  }
}

export function hasOpenAttempt(turn: Turn, channel: string): boolean {
  return turn.db.get(HAS_OPEN_ATTEMPT_SQL, channel) !== undefined;
}

/** undefined: the lease was lost, and whatever its holder has to say no longer counts. */
export function openAttemptOf(turn: Turn, token: string): OpenAttempt | undefined {
  return turn.db.get<OpenAttempt>(OPEN_BY_TOKEN_SQL, token);
}

/** Records how an attempt ended. */
export function finishAttempt(
  turn: Turn,
  attempt: OpenAttempt,
  { verdict, durationMs, rung }: Settlement,
): void {
  turn.db.run(
    FINISH_SQL,
    verdict.outcome,
    verdict.reason,
    Math.round(durationMs),
    rung,
    verdict.httpStatus ?? null,
    verdict.providerCode ?? null,
    verdict.providerText ?? null,
    attempt.seq,
  );
  noteAttempt(turn, attempt.channel, attempt.seq);
}

/** Ends an attempt whose holder will not settle it: what it sent may have been shown. */
export function cutOffAttempt(turn: Turn, attempt: OpenAttempt, reason: Reason): void {
  turn.db.run(CUT_OFF_SQL, reason, attempt.seq);
  noteAttempt(turn, attempt.channel, attempt.seq);
  returnLines(turn, attempt, { kind: 'interrupted' });
}

/** Undoes a claim of which nothing was sent. */
export function release(turn: Turn, token: string): boolean {
  const attempt = openAttemptOf(turn, token);
  if (attempt === undefined) return false;
  returnLines(turn, attempt, { kind: 'unsent' });
  turn.db.run(UNLINK_ATTEMPT_SQL, attempt.seq);
  turn.db.run(DELETE_ATTEMPT_SQL, attempt.seq);
  return true;
}

/** Gives an attempt's lines back to their lane, with what arrived meanwhile worked in. */
export function returnLines(turn: Turn, attempt: OpenAttempt, how: LineReturn): void {
  const lines = turn.db.all<{ lineHash: string }>(LEASED_LINES_SQL, attempt.seq);
  for (const { lineHash } of lines) {
    if (how.kind !== 'delivered') turn.db.run(MOVE_DELIVERIES_SQL, 'scheduled', attempt.channel, lineHash);
    returnLine(turn, attempt.channel, lineHash, how);
    restateLine(turn, attempt.channel, lineHash);
  }
}

function returnLine(turn: Turn, channel: string, lineHash: string, how: LineReturn): void {
  switch (how.kind) {
    case 'delivered':
      turn.db.run(RETURN_DELIVERED_SQL, channel, lineHash);
      return;
    case 'unsent':
      turn.db.run(RETURN_UNSENT_SQL, channel, lineHash);
      return;
    case 'interrupted':
      turn.db.run(RETURN_INTERRUPTED_SQL, channel, lineHash);
      return;
    case 'retry':
      turn.db.run(
        RETURN_RETRY_SQL,
        how.dueAt,
        how.rung,
        how.isPossibleRepeat,
        how.withoutMentions,
        how.isAlone,
        channel,
        lineHash,
      );
  }
}
