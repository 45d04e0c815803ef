import type {
  DeliveryDetail,
  DeliveryQuery,
  DeliveryRow,
  NotificationQuery,
  NotificationRow,
  Page,
} from '../domain/store.ts';
import type { AttemptRecord } from '../domain/work.ts';
import { ATTEMPT_COLUMNS } from './attempts.ts';
import type { Connection } from './connection.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';

/**
 * A page looks at no more rows than this, so that a filter that matches little cannot hold the main thread;
 * it may then hold fewer items than asked for, or none, and still have a next one.
 */
const SCAN_ROWS = 20_000;

/** A row with the number its list is ordered by. */
type Numbered<T> = T & { readonly seq: number };
type NotificationColumns = Numbered<
  Omit<NotificationRow, 'isTest'> & {
    readonly isTest: 0 | 1;
    readonly committedAt: number;
    readonly bodyBytes: number | null;
  }
>;

export const NOTIFICATION_COLUMNS = `
  i.seq, i.id, i.source, i.org, i.receiver, i.group_key AS groupKey, i.received_at AS receivedAt,
  i.committed_at AS committedAt, i.format, i.status, i.is_test AS isTest, i.duplicates,
  CASE WHEN i.has_body = 1 THEN i.body_bytes END AS bodyBytes`;
export const DELIVERY_COLUMNS = `
  d.seq, d.id, i.id AS notificationId, d.channel, d.state, d.reason,
  (SELECT count(*) FROM attempt_deliveries AS ad WHERE ad.delivery_seq = d.seq) AS attempts,
  d.created_at AS createdAt, d.ended_at AS endedAt, d.folded_into AS foldedInto`;

const NOTIFICATIONS_SQL = `
  SELECT ${NOTIFICATION_COLUMNS} FROM inbox AS i
  WHERE i.seq < ?1 AND i.seq >= ?2 AND (?3 IS NULL OR i.source = ?3) ORDER BY i.seq DESC LIMIT ?4`;
const DELIVERIES_SQL = `
  SELECT ${DELIVERY_COLUMNS} FROM deliveries AS d NOT INDEXED CROSS JOIN inbox AS i ON i.seq = d.inbox_seq
  WHERE d.seq < ?1 AND d.seq >= ?2 AND (?3 IS NULL OR d.state = ?3) AND (?4 IS NULL OR d.channel = ?4)
  ORDER BY d.seq DESC LIMIT ?5`;
export const DEAD_SQL = `
  SELECT ${DELIVERY_COLUMNS} FROM deliveries AS d INDEXED BY deliveries_dead
    CROSS JOIN inbox AS i ON i.seq = d.inbox_seq
  WHERE d.state = 'dead' AND d.seq < ?1 AND (?2 IS NULL OR d.channel = ?2) ORDER BY d.seq DESC LIMIT ?3`;
const DELIVERY_SQL = `
  SELECT ${DELIVERY_COLUMNS} FROM deliveries AS d JOIN inbox AS i ON i.seq = d.inbox_seq WHERE d.id = ?`;
const ATTEMPTS_OF_DELIVERY_SQL = `
  SELECT ${ATTEMPT_COLUMNS} FROM attempt_deliveries AS ad CROSS JOIN attempts AS a ON a.seq = ad.attempt_seq
  WHERE ad.delivery_seq = ? ORDER BY a.seq`;
const NEWEST_SEQ_SQL = 'SELECT max(seq) AS seq FROM inbox';
const NEWEST_DELIVERY_SEQ_SQL = 'SELECT max(seq) AS seq FROM deliveries';

export function listNotifications(db: Connection, query: NotificationQuery): Page<NotificationRow> {
  const below = startOf(db, NEWEST_SEQ_SQL, query.cursor);
  const from = below - SCAN_ROWS;
  const rows = db.all<NotificationColumns>(NOTIFICATIONS_SQL, below, from, query.source ?? null, query.limit);
  return toPage(rows, query.limit, from, toNotificationRow);
}

export function listDeliveries(db: Connection, query: DeliveryQuery): Page<DeliveryRow> {
  const { state, channel = null, limit } = query;
  if (state === 'dead') {
    const dead = db.all<Numbered<DeliveryRow>>(DEAD_SQL, decodeCursor(query.cursor), channel, limit);
    return toPage(dead, limit, 0, toDeliveryRow);
  }
  const below = startOf(db, NEWEST_DELIVERY_SEQ_SQL, query.cursor);
  const from = below - SCAN_ROWS;
  const rows = db.all<Numbered<DeliveryRow>>(DELIVERIES_SQL, below, from, state ?? null, channel, limit);
  return toPage(rows, limit, from, toDeliveryRow);
}

export function findDelivery(db: Connection, id: string): DeliveryDetail | undefined {
  const row = db.get<Numbered<DeliveryRow>>(DELIVERY_SQL, id);
  if (row === undefined) return undefined;
  return { ...toDeliveryRow(row), attemptRecords: attemptsOf(db, row.seq) };
}

export function attemptsOf(db: Connection, deliverySeq: number): readonly AttemptRecord[] {
  return db.all<AttemptRecord>(ATTEMPTS_OF_DELIVERY_SQL, deliverySeq);
}

function startOf(db: Connection, newestSql: string, cursor: string | undefined): number {
  if (cursor !== undefined) return decodeCursor(cursor);
  return (db.get<{ seq: number | null }>(newestSql)?.seq ?? 0) + 1;
}

function toPage<R extends { readonly seq: number }, T>(
  rows: readonly R[],
  limit: number,
  scannedFrom: number,
  map: (row: R) => T,
): Page<T> {
  const last = rows.at(-1);
  const isFull = last !== undefined && rows.length === limit;
  const lowest = isFull ? last.seq : scannedFrom;
  return { items: rows.map(map), next: lowest > 1 ? encodeCursor(lowest) : null };
}

export function toNotificationRow(row: NotificationColumns): NotificationRow {
  const { seq: _seq, committedAt: _committedAt, bodyBytes: _bodyBytes, isTest, ...rest } = row;
  return { ...rest, isTest: isTest === 1 };
}

export function toDeliveryRow({ seq: _seq, ...row }: Numbered<DeliveryRow>): DeliveryRow {
  return row;
}
