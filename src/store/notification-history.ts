import type { Format } from '../domain/notification.ts';
import type { DeliveryRow, NotificationDetail, NotificationRow, TimelineItem } from '../domain/store.ts';
import { readBodyLater } from './bodies.ts';
import type { Connection } from './connection.ts';
import {
  attemptsOf,
  DELIVERY_COLUMNS,
  NOTIFICATION_COLUMNS,
  toDeliveryRow,
  toNotificationRow,
} from './history.ts';

type NotificationColumns = Parameters<typeof toNotificationRow>[0];
type DeliveryColumns = DeliveryRow & { readonly seq: number };

const NOTIFICATION_SQL = `SELECT ${NOTIFICATION_COLUMNS} FROM inbox AS i WHERE i.id = ?`;
const DELIVERIES_OF_SQL = `
  SELECT ${DELIVERY_COLUMNS} FROM deliveries AS d INDEXED BY deliveries_of_notification
    CROSS JOIN inbox AS i ON i.seq = d.inbox_seq
  WHERE d.inbox_seq = ? ORDER BY d.seq`;
const BODY_OF_SQL = 'SELECT seq, format, source, has_body AS hasBody FROM inbox WHERE id = ?';

/** One notification with everything that happened to it. */
export function findNotification(db: Connection, id: string): NotificationDetail | undefined {
  const row = db.get<NotificationColumns>(NOTIFICATION_SQL, id);
  if (row === undefined) return undefined;
  const deliveries = db.all<DeliveryColumns>(DELIVERIES_OF_SQL, row.seq);
  const notification = toNotificationRow(row);
  return {
    ...notification,
    bodyBytes: row.bodyBytes,
    timeline: timelineOf(db, notification, row.committedAt, deliveries),
    deliveries: deliveries.map(toDeliveryRow),
  };
}

export async function findBody(
  db: Connection,
  id: string,
): Promise<{ readonly body: Uint8Array; readonly format: Format; readonly source: string } | undefined> {
  const row = db.get<{ seq: number; format: Format; source: string; hasBody: 0 | 1 }>(BODY_OF_SQL, id);
  if (row === undefined || row.hasBody === 0) return undefined;
  return { body: await readBodyLater(db, row.seq), format: row.format, source: row.source };
}

function timelineOf(
  db: Connection,
  { receivedAt }: NotificationRow,
  committedAt: number,
  deliveries: readonly DeliveryColumns[],
): readonly TimelineItem[] {
  const events: TimelineItem[] = [
    ...deliveries.map(
      ({ id, channel, createdAt }): TimelineItem => ({
        at: createdAt,
        kind: 'planned',
        channel,
        deliveryId: id,
      }),
    ),
    ...deliveries.flatMap(({ id, seq }) =>
      attemptsOf(db, seq).map(
        (attempt): TimelineItem => ({ at: attempt.startedAt, kind: 'attempt', deliveryId: id, attempt }),
      ),
    ),
    ...deliveries.flatMap(({ id, state, reason, endedAt }): TimelineItem[] =>
      endedAt === null ? [] : [{ at: endedAt, kind: 'ended', deliveryId: id, state, reason }],
    ),
  ];
  // a stable sort: what happened in the same ms stays in the order of the list above
  events.sort((a, b) => a.at - b.at);
  return [{ at: receivedAt, kind: 'received' }, { at: committedAt, kind: 'committed' }, ...events];
}
