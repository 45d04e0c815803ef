import type { DeliveryId } from '../domain/ids.ts';
import { NOTICE_SOURCE } from '../domain/notification.ts';
import type { Reason } from '../domain/outcome.ts';
import { addDeaths, addWaiting } from './channel-state.ts';
import type { Turn } from './intents.ts';

/** What ending a delivery needs to know of it. */
export interface Endable {
  readonly seq: number;
  readonly inboxSeq: number;
}

const END_SQL = 'UPDATE deliveries SET state = ?, reason = ?, folded_into = ?, ended_at = ? WHERE seq = ?';
export const CLOSE_NOTIFICATION_SQL = `
  UPDATE inbox SET ended_at = ?1,
    has_dead = EXISTS (
      SELECT 1 FROM deliveries INDEXED BY deliveries_of_notification WHERE inbox_seq = ?2 AND state = 'dead')
  WHERE seq = ?2 AND NOT EXISTS (
    SELECT 1 FROM deliveries INDEXED BY deliveries_of_notification WHERE inbox_seq = ?2 AND ended_at IS NULL)`;
const IS_NOTICE_SQL = 'SELECT 1 AS yes FROM inbox WHERE seq = ? AND source = ?';
const REOPEN_NOTIFICATION_SQL = 'UPDATE inbox SET ended_at = NULL, has_dead = 0 WHERE seq = ?';
const UNDELIVERED_OF_LINE_SQL = `
  SELECT seq, inbox_seq AS inboxSeq FROM deliveries INDEXED BY deliveries_undelivered
  WHERE channel = ? AND line_hash = ? AND ended_at IS NULL`;

/** Ends the newest delivery of a line `delivered` and the others `folded` into it. */
export function endDelivered(
  turn: Turn,
  channel: string,
  newest: Endable & { readonly id: DeliveryId },
  others: readonly Endable[],
): void {
  end(turn, newest, 'delivered', null, null);
  for (const other of others) end(turn, other, 'folded', null, newest.id);
  addWaiting(turn, channel, -1 - others.length);
}

/** Ends one delivery as part of another that brings the same notification. */
export function endFolded(turn: Turn, channel: string, delivery: Endable, into: DeliveryId): void {
  end(turn, delivery, 'folded', null, into);
  addWaiting(turn, channel, -1);
}

/**
 * Ends deliveries `dead`; the channel's next card tells of them. Their lines are the caller's to restate.
 * Nobody is told of notices that die: telling is done by notices.
 */
export function bury(turn: Turn, channel: string, deliveries: readonly Endable[], reason: Reason): void {
  if (deliveries.length === 0) return;
  for (const delivery of deliveries) end(turn, delivery, 'dead', reason, null);
  addWaiting(turn, channel, -deliveries.length);
  const told = deliveries.filter(
    ({ inboxSeq }) => turn.db.get(IS_NOTICE_SQL, inboxSeq, NOTICE_SOURCE) === undefined,
  );
  if (told.length > 0) addDeaths(turn, channel, told.length);
}

export function undeliveredOfLine(turn: Turn, channel: string, lineHash: string): readonly Endable[] {
  return turn.db.all<Endable>(UNDELIVERED_OF_LINE_SQL, channel, lineHash);
}

/** Keeps a notification from being pruned while one of its deliveries waits again. */
export function reopenNotification(turn: Turn, inboxSeq: number): void {
  turn.db.run(REOPEN_NOTIFICATION_SQL, inboxSeq);
}

function end(
  turn: Turn,
  { seq, inboxSeq }: Endable,
  state: 'delivered' | 'folded' | 'dead',
  reason: Reason | null,
  foldedInto: DeliveryId | null,
): void {
  turn.db.run(END_SQL, state, reason, foldedInto, turn.now, seq);
  turn.db.run(CLOSE_NOTIFICATION_SQL, turn.now, inboxSeq);
}
