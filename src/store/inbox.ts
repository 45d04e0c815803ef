import type { Accepted, AcceptResult, Entry, PlannedDelivery } from '../domain/accepted.ts';
import { AlertcardError } from '../domain/errors.ts';
import type { NotificationId } from '../domain/ids.ts';
import { recordAlerts } from './alert-states.ts';
import { writeBody } from './bodies.ts';
import { addWaiting } from './channel-state.ts';
import { flag } from './connection.ts';
import type { Turn } from './intents.ts';
import { joinLine } from './lines.ts';

interface EarlierRow {
  readonly seq: number;
  readonly id: NotificationId;
  readonly dedupKey: string | null;
  readonly receivedAt: number;
  readonly replayUntil: number | null;
}

const EARLIER_COLUMNS =
  'seq, id, dedup_key AS dedupKey, received_at AS receivedAt, replay_until AS replayUntil';
const SAME_REPLAY_KEY_SQL = `SELECT ${EARLIER_COLUMNS} FROM inbox WHERE replay_key = ?`;
export const LATEST_OF_SCOPE_SQL = `
  SELECT ${EARLIER_COLUMNS} FROM inbox INDEXED BY inbox_scope WHERE scope_hash = ? ORDER BY seq DESC LIMIT 1`;
export const FORGET_REPLAY_KEY_SQL = 'UPDATE inbox SET replay_key = NULL, replay_until = NULL WHERE seq = ?';
const COUNT_DUPLICATE_SQL = 'UPDATE inbox SET duplicates = duplicates + 1 WHERE seq = ?';
const INSERT_ENTRY_SQL = `
  INSERT INTO inbox (id, source, org, receiver, group_key, group_hash, path_channel, scope_hash, received_at,
    committed_at, format, status, is_test, is_snapshot, dedup_key, replay_key, replay_until, body_bytes, ended_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_DELIVERY_SQL = `
  INSERT INTO deliveries (id, inbox_seq, channel, line_hash, state, rank, is_firing, mention_all, selection,
    created_at, budget_from)
  VALUES (?, ?, ?, ?, 'scheduled', ?, ?, ?, ?, ?, ?)`;

/** Keeps a notification with all that was planned for it, or finds that it was kept before. */
export function accept(turn: Turn, { entry, deliveries, alerts }: Accepted): AcceptResult {
  const earlier = findReplayed(turn, entry) ?? findDuplicated(turn, entry);
  if (earlier !== undefined) {
    turn.db.run(COUNT_DUPLICATE_SQL, earlier.seq);
    return { kind: 'duplicate', id: earlier.id };
  }
  requireRoom(turn, entry.body.byteLength);
  const seq = insertEntry(turn, entry, deliveries.length === 0);
  writeBody(turn.db, seq, entry.body);
  for (const delivery of deliveries) plan(turn, entry, seq, delivery);
  recordAlerts(turn, entry.scopeHash, alerts, { seq, receivedAt: entry.receivedAt });
  return { kind: 'kept', id: entry.id, seq };
}

/** The same request within the time its key is kept. */
function findReplayed(turn: Turn, { replay }: Entry): EarlierRow | undefined {
  if (replay === undefined) return undefined;
  const earlier = turn.db.get<EarlierRow>(SAME_REPLAY_KEY_SQL, replay.key);
  if (earlier === undefined) return undefined;
  if ((earlier.replayUntil ?? 0) >= turn.now) return earlier;
  turn.db.run(FORGET_REPLAY_KEY_SQL, earlier.seq);
  return undefined;
}

/**
 * The same content inside the window while it is still the latest of its scope. Counted from the first
 * arrival: a duplicate leaves no row, so it cannot extend the window.
 */
function findDuplicated(turn: Turn, { dedup, scopeHash, receivedAt }: Entry): EarlierRow | undefined {
  if (dedup === undefined) return undefined;
  const latest = turn.db.get<EarlierRow>(LATEST_OF_SCOPE_SQL, scopeHash);
  if (latest?.dedupKey !== dedup.key) return undefined;
  // either way: the wall clock may have been set back in between
  return Math.abs(receivedAt - latest.receivedAt) < dedup.windowMs ? latest : undefined;
}

function requireRoom(turn: Turn, bodyBytes: number): void {
  turn.roomBytes -= bodyBytes;
  if (turn.roomBytes >= 0) return;
  throw new AlertcardError(
    'store_unavailable',
    'The database has reached store.retention.max_size; waiting for pruning. Raise it if this stays.',
  );
}

function insertEntry(turn: Turn, entry: Entry, isEnded: boolean): number {
  return turn.db.insert(
    INSERT_ENTRY_SQL,
    entry.id,
    entry.source,
    entry.org,
    entry.receiver,
    entry.groupKey,
    entry.groupHash,
    entry.pathChannel,
    entry.scopeHash,
    entry.receivedAt,
    turn.now,
    entry.format,
    entry.status,
    flag(entry.isTest),
    flag(entry.isSnapshot),
    entry.dedup?.key ?? null,
    entry.replay?.key ?? null,
    entry.replay === undefined ? null : turn.now + entry.replay.keepMs,
    entry.body.byteLength,
    isEnded ? turn.now : null,
  );
}

function plan(turn: Turn, entry: Entry, seq: number, delivery: PlannedDelivery): void {
  turn.db.insert(
    INSERT_DELIVERY_SQL,
    delivery.id,
    seq,
    delivery.channel,
    delivery.lineHash,
    delivery.rank,
    flag(delivery.isFiring),
    flag(delivery.mentionAll),
    delivery.selection === null ? null : JSON.stringify(delivery.selection),
    turn.now,
    turn.now,
  );
  joinLine(turn, delivery, seq, entry);
  addWaiting(turn, delivery.channel, 1);
}
