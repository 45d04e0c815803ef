import type { RetentionRequest } from '../domain/store.ts';
import { FORGET_REPLAY_KEY_SQL } from './inbox.ts';
import type { Turn } from './intents.ts';
import { usedBytes } from './quota.ts';

/** Bodies, replay keys and alert states handled in one commit: 500 rows take about 2 ms. */
const SLICE_ROWS = 500;
/** Notifications in one commit; each brings its deliveries, attempts and body along. */
const SLICE_NOTIFICATIONS = 100;
/** Body bytes freed in one commit. */
const SLICE_BYTES = 16 * 1024 * 1024;
/** 1 MiB handed back to the file system per slice, about 4 ms. */
const VACUUM_PAGES = 256;
/** From this share of the allowed size on, delivered notifications go before their time. */
const CROWDED_SHARE = 0.85;

interface EndedRow {
  readonly seq: number;
  readonly bodyBytes: number;
}

/** Where the look through old alert states goes on. */
export interface PruneCursor {
  alerts: AlertPosition;
}

interface AlertPosition {
  readonly changedAt: number;
  readonly scopeHash: string;
  readonly fingerprint: string;
}

export const FIRST_ALERT: AlertPosition = { changedAt: 0, scopeHash: '', fingerprint: '' };

/** A range of ended notifications, oldest first. */
interface EndedRange {
  readonly hasDead: 0 | 1;
  readonly hasBody: 0 | 1;
  readonly before: number;
}

export const ENDED_SQL = `
  SELECT seq, body_bytes AS bodyBytes FROM inbox INDEXED BY inbox_ended
  WHERE has_dead = ? AND has_body = ? AND ended_at IS NOT NULL AND ended_at < ? ORDER BY ended_at LIMIT ?`;
const DELETE_BODY_SQL = 'DELETE FROM inbox_bodies WHERE seq = ?';
const MARK_BODILESS_SQL = 'UPDATE inbox SET has_body = 0 WHERE seq = ?';
const DELIVERIES_OF_SQL = `
  SELECT seq FROM deliveries INDEXED BY deliveries_of_notification WHERE inbox_seq = ?`;
const ATTEMPTS_OF_SQL = 'SELECT attempt_seq AS seq FROM attempt_deliveries WHERE delivery_seq = ?';
const UNLINK_SQL = 'DELETE FROM attempt_deliveries WHERE delivery_seq = ?';
const DELETE_UNUSED_ATTEMPT_SQL = `
  DELETE FROM attempts WHERE seq = ?1 AND NOT EXISTS (
    SELECT 1 FROM attempt_deliveries INDEXED BY attempt_deliveries_of_attempt WHERE attempt_seq = ?1)`;
const DELETE_DELIVERY_SQL = 'DELETE FROM deliveries WHERE seq = ?';
const DELETE_ENTRY_SQL = 'DELETE FROM inbox WHERE seq = ?';
export const OLD_REPLAY_KEYS_SQL = `
  SELECT seq FROM inbox INDEXED BY inbox_replay_until
  WHERE replay_until IS NOT NULL AND replay_until < ? LIMIT ?`;
export const OLD_ALERTS_SQL = `
  SELECT scope_hash AS scopeHash, fingerprint, status, changed_at AS changedAt
  FROM alerts INDEXED BY alerts_changed
  WHERE (changed_at, scope_hash, fingerprint) > (?, ?, ?) AND changed_at < ?
  ORDER BY changed_at, scope_hash, fingerprint LIMIT ?`;
const IS_SCOPE_OPEN_SQL =
  'SELECT 1 AS yes FROM inbox INDEXED BY inbox_scope WHERE scope_hash = ? AND ended_at IS NULL LIMIT 1';
const IS_SCOPE_USED_SQL = 'SELECT 1 AS yes FROM inbox INDEXED BY inbox_scope WHERE scope_hash = ? LIMIT 1';
const DELETE_ALERT_SQL = 'DELETE FROM alerts WHERE scope_hash = ? AND fingerprint = ?';

/** Deletes one slice of what is past its retention; what has not ended is never touched. */
export function prune(
  turn: Turn,
  retention: RetentionRequest,
  cursor: PruneCursor,
): { readonly pruned: number; readonly more: boolean } {
  const { now } = turn;
  const isCrowded = usedBytes(turn.db) > retention.maxSizeBytes * CROWDED_SHARE;
  const deliveredBefore = isCrowded ? Number.MAX_SAFE_INTEGER : now - retention.deliveredMs;
  // a dead letter keeps its body as long as itself: without it a replay would have nothing to show
  const ended = deleteEnded(turn, 0, deliveredBefore) || deleteEnded(turn, 1, now - retention.deadMs);
  const crowdedOut = isCrowded && ended === 0 ? deleteEnded(turn, 1, Number.MAX_SAFE_INTEGER) : 0;
  const bodies = deleteBodies(turn, now - retention.bodiesMs);
  const keys = forgetReplayKeys(turn);
  const alerts = deleteAlerts(turn, now - retention.deliveredMs, cursor);
  turn.db.pragma(`incremental_vacuum(${VACUUM_PAGES})`);
  const notifications = ended + crowdedOut;
  return {
    pruned: notifications + bodies + keys + alerts.deleted,
    more: notifications > 0 || bodies > 0 || keys === SLICE_ROWS || alerts.more,
  };
}

function deleteEnded(turn: Turn, hasDead: 0 | 1, before: number): number {
  // those without a body ended earlier
  const rows = [
    ...sliceOf(turn, { hasDead, hasBody: 0, before }, SLICE_NOTIFICATIONS),
    ...sliceOf(turn, { hasDead, hasBody: 1, before }, SLICE_NOTIFICATIONS),
  ].slice(0, SLICE_NOTIFICATIONS);
  for (const { seq } of rows) deleteNotification(turn, seq);
  return rows.length;
}

function deleteNotification(turn: Turn, seq: number): void {
  for (const delivery of turn.db.all<{ seq: number }>(DELIVERIES_OF_SQL, seq)) {
    const attempts = turn.db.all<{ seq: number }>(ATTEMPTS_OF_SQL, delivery.seq);
    turn.db.run(UNLINK_SQL, delivery.seq);
    for (const attempt of attempts) turn.db.run(DELETE_UNUSED_ATTEMPT_SQL, attempt.seq);
    turn.db.run(DELETE_DELIVERY_SQL, delivery.seq);
  }
  turn.db.run(DELETE_BODY_SQL, seq);
  turn.db.run(DELETE_ENTRY_SQL, seq);
}

function forgetReplayKeys(turn: Turn): number {
  const rows = turn.db.all<{ seq: number }>(OLD_REPLAY_KEYS_SQL, turn.now, SLICE_ROWS);
  for (const { seq } of rows) turn.db.run(FORGET_REPLAY_KEY_SQL, seq);
  return rows.length;
}

function deleteBodies(turn: Turn, before: number): number {
  const rows = sliceOf(turn, { hasDead: 0, hasBody: 1, before }, SLICE_ROWS);
  for (const { seq } of rows) {
    turn.db.run(DELETE_BODY_SQL, seq);
    turn.db.run(MARK_BODILESS_SQL, seq);
  }
  return rows.length;
}

function sliceOf(turn: Turn, { hasDead, hasBody, before }: EndedRange, limit: number): readonly EndedRow[] {
  const rows = turn.db.all<EndedRow>(ENDED_SQL, hasDead, hasBody, before, limit);
  let bytes = 0;
  const tooMany = rows.findIndex((row) => {
    bytes += row.bodyBytes * hasBody;
    return bytes > SLICE_BYTES;
  });
  return tooMany === -1 ? rows : rows.slice(0, Math.max(1, tooMany));
}

/**
 * Forgets resolved alerts of scopes in which nothing waits, and firing ones whose scope has no notification
 * left: a rule deleted while it fired never resolves. What must stay is passed over by the cursor, which
 * starts anew after the newest.
 */
function deleteAlerts(
  turn: Turn,
  before: number,
  cursor: PruneCursor,
): { readonly deleted: number; readonly more: boolean } {
  const { changedAt, scopeHash: scope, fingerprint: print } = cursor.alerts;
  const rows = turn.db.all<AlertPosition & { readonly status: string }>(
    OLD_ALERTS_SQL,
    changedAt,
    scope,
    print,
    before,
    SLICE_ROWS,
  );
  let deleted = 0;
  for (const { scopeHash, fingerprint, status } of rows) {
    const keepSql = status === 'resolved' ? IS_SCOPE_OPEN_SQL : IS_SCOPE_USED_SQL;
    if (turn.db.get(keepSql, scopeHash) === undefined)
      deleted += turn.db.run(DELETE_ALERT_SQL, scopeHash, fingerprint);
  }
  const more = rows.length === SLICE_ROWS;
  cursor.alerts = (more ? rows.at(-1) : undefined) ?? FIRST_ALERT;
  return { deleted, more };
}
