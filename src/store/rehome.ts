import type { DeliveryId } from '../domain/ids.ts';
import { addWaiting } from './channel-state.ts';
import { type Endable, endFolded } from './endings.ts';
import type { IntentOf, Turn } from './intents.ts';
import { ensureLine, restateLine } from './lines.ts';
import { parseSelection } from './work.ts';

/** Deliveries moved in one commit. */
export const REHOME_LIMIT = 200;

interface MovingRow extends Endable {
  readonly source: string;
  readonly lineHash: string;
  readonly selection: string | null;
  readonly mentionAll: 0 | 1;
}

interface TwinRow {
  readonly seq: number;
  readonly id: DeliveryId;
  readonly selection: string | null;
}

const MOVING_SQL = `
  SELECT d.seq, d.inbox_seq AS inboxSeq, d.line_hash AS lineHash, d.selection, d.mention_all AS mentionAll, i.source
  FROM deliveries d INDEXED BY deliveries_undelivered CROSS JOIN inbox i ON i.seq = d.inbox_seq
  WHERE d.channel = ? AND d.ended_at IS NULL AND d.state = 'scheduled' LIMIT ?`;
const TWIN_SQL = `
  SELECT seq, id, selection FROM deliveries INDEXED BY deliveries_undelivered
  WHERE channel = ? AND line_hash = ? AND inbox_seq = ? AND ended_at IS NULL AND state = 'scheduled'`;
const WIDEN_SQL = 'UPDATE deliveries SET selection = ?, mention_all = max(mention_all, ?) WHERE seq = ?';
const MOVE_SQL = 'UPDATE deliveries SET channel = ? WHERE seq = ?';
const COPY_SQL = `
  INSERT INTO deliveries (id, inbox_seq, channel, line_hash, state, rank, is_firing, mention_all, is_replay,
    selection, created_at, budget_from)
  SELECT ?, inbox_seq, ?, line_hash, state, rank, is_firing, mention_all, is_replay, selection, ?, budget_from
  FROM deliveries WHERE seq = ?`;

/**
 * Hands a slice of a channel's waiting deliveries to the default channels of their sources: each is copied
 * to all but the last, and itself moves to the last. Where the notification already waits there, the two become one.
 */
export function rehome(
  turn: Turn,
  { channel, defaults, newIds }: IntentOf<'rehome'>,
): { readonly moved: number; readonly more: boolean } {
  const all = [...defaults.values()].flat();
  const targetsOf = (source: string): string[] =>
    [...new Set(defaults.get(source) ?? all)].filter((target) => target !== channel);
  const moving = turn.db.all<MovingRow>(MOVING_SQL, channel, REHOME_LIMIT);
  const ids = newIds[Symbol.iterator]();
  let moved = 0;
  for (const row of moving) {
    const targets = targetsOf(row.source);
    const moveTo = targets.pop();
    if (moveTo === undefined) continue;
    for (const target of targets) copy(turn, row, target, ids);
    move(turn, row, channel, moveTo);
    moved += 1;
  }
  const lines = new Map(moving.map(({ lineHash, source }) => [lineHash, source]));
  for (const [lineHash, source] of lines)
    for (const target of [channel, ...targetsOf(source)]) restateLine(turn, target, lineHash);
  // What nobody takes stays and would be read again for ever.
  return { moved, more: moved === REHOME_LIMIT };
}

function copy(turn: Turn, row: MovingRow, target: string, ids: Iterator<DeliveryId>): void {
  if (joinTwin(turn, row, target) !== undefined) return;
  const id = ids.next();
  if (id.done === true) throw new Error('rehome was given too few ids');
  turn.db.run(COPY_SQL, id.value, target, turn.now, row.seq);
  settleIn(turn, row, target);
}

function move(turn: Turn, row: MovingRow, channel: string, target: string): void {
  const twin = joinTwin(turn, row, target);
  if (twin !== undefined) {
    endFolded(turn, channel, row, twin);
    return;
  }
  turn.db.run(MOVE_SQL, target, row.seq);
  addWaiting(turn, channel, -1);
  settleIn(turn, row, target);
}

function settleIn(turn: Turn, { lineHash }: MovingRow, target: string): void {
  addWaiting(turn, target, 1);
  ensureLine(turn, target, lineHash);
}

/** Widens the delivery that already waits in the target for this notification, if there is one. */
function joinTwin(turn: Turn, row: MovingRow, target: string): DeliveryId | undefined {
  const twin = turn.db.get<TwinRow>(TWIN_SQL, target, row.lineHash, row.inboxSeq);
  if (twin === undefined) return undefined;
  turn.db.run(WIDEN_SQL, unite(twin.selection, row.selection), row.mentionAll, twin.seq);
  return twin.id;
}

function unite(one: string | null, other: string | null): string | null {
  const a = parseSelection(one);
  const b = parseSelection(other);
  if (a === null || b === null) return null;
  return JSON.stringify([...new Set([...a, ...b])].sort((left, right) => left - right));
}
