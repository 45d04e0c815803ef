import type { DeliveryId, NotificationId } from '../domain/ids.ts';
import type { Format } from '../domain/notification.ts';
import type { AlertState, WorkEntry, WorkLine } from '../domain/work.ts';
import { SCOPE_STATES_SQL } from './alert-states.ts';
import { readBody } from './bodies.ts';
import type { Connection } from './connection.ts';

/** Bodies read for one claim, decompressed. */
export const MAX_READ_BYTES = 16 * 1024 * 1024;
/** A card settles at most so many deliveries, but a line always goes whole. */
const MAX_DELIVERIES = 2_000;

/** A due line as it stands in its table. */
export interface LineRow {
  readonly lineHash: string;
  readonly rank: number;
  readonly rung: number;
  readonly attempts: number;
  readonly interruptions: number;
  readonly isPossibleRepeat: 0 | 1;
  readonly withoutMentions: 0 | 1;
}

/** One undelivered delivery of a line, without its body. */
interface WaitingRow {
  readonly deliveryId: DeliveryId;
  readonly isReplay: 0 | 1;
  readonly selection: string | null;
  readonly mentionAll: 0 | 1;
  readonly notificationId: NotificationId;
  readonly seq: number;
  readonly source: string;
  readonly receivedAt: number;
  readonly format: Format;
  readonly isTest: 0 | 1;
  readonly pathChannel: string;
  readonly scopeHash: string;
  readonly bodyBytes: number;
}

interface LoadedLine {
  readonly line: LineRow;
  /** Newest first, never empty. */
  readonly waiting: readonly WaitingRow[];
  readonly newest: WaitingRow;
}

/** Bytes that may still be read; shared by the lines of one claim. */
interface ReadBudget {
  leftBytes: number;
  readonly statesByScope: Map<string, readonly AlertState[]>;
}

export const WAITING_SQL = `
  SELECT d.id AS deliveryId, d.is_replay AS isReplay, d.selection, d.mention_all AS mentionAll,
    i.id AS notificationId, i.seq, i.source, i.received_at AS receivedAt, i.format, i.is_test AS isTest,
    i.path_channel AS pathChannel, i.scope_hash AS scopeHash, i.body_bytes AS bodyBytes
  FROM deliveries AS d INDEXED BY deliveries_undelivered CROSS JOIN inbox AS i ON i.seq = d.inbox_seq
  WHERE d.channel = ? AND d.line_hash = ? AND d.ended_at IS NULL
  ORDER BY d.inbox_seq DESC, d.seq DESC`;

/** Reads as many of the due lines, in order, as one card may carry; always the first. */
export function readLines(db: Connection, channel: string, due: readonly LineRow[]): readonly WorkLine[] {
  const budget: ReadBudget = { leftBytes: MAX_READ_BYTES, statesByScope: new Map() };
  const loaded: LoadedLine[] = [];
  let deliveries = 0;
  for (const line of due) {
    const waiting = db.all<WaitingRow>(WAITING_SQL, channel, line.lineHash);
    const newest = waiting[0];
    if (newest === undefined) continue;
    const isTooMuch = deliveries + waiting.length > MAX_DELIVERIES || newest.bodyBytes > budget.leftBytes;
    if (loaded.length > 0 && isTooMuch) break;
    deliveries += waiting.length;
    budget.leftBytes -= newest.bodyBytes;
    loaded.push({ line, waiting, newest });
  }
  return loaded.map((one) => toWorkLine(db, one, budget));
}

function toWorkLine(db: Connection, { line, waiting, newest }: LoadedLine, budget: ReadBudget): WorkLine {
  const oldest = waiting.at(-1) ?? newest;
  const alertStates = statesOf(db, waiting, budget);
  return {
    lineHash: line.lineHash,
    rank: line.rank,
    rung: line.rung,
    attempts: line.attempts,
    interruptions: line.interruptions,
    isPossibleRepeat: line.isPossibleRepeat === 1,
    withoutMentions: line.withoutMentions === 1,
    isReplay: waiting.some((row) => row.isReplay === 1),
    entries: pickEntries(waiting, newest, alertStates, budget).map((row) => toEntry(db, row)),
    deliveryCount: waiting.length,
    oldestReceivedAt: oldest.receivedAt,
    oldestSeq: oldest.seq,
    newestSeq: newest.seq,
    alertStates,
  };
}

/** The newest, and each older one that is the last to have changed some alert, while the budget lasts. */
function pickEntries(
  waiting: readonly WaitingRow[],
  newest: WaitingRow,
  alertStates: readonly AlertState[],
  budget: ReadBudget,
): readonly WaitingRow[] {
  const changed = new Set(alertStates.map((state) => state.changedSeq));
  const picked = [newest];
  for (const row of waiting.slice(1)) {
    if (!changed.has(row.seq) || row.bodyBytes > budget.leftBytes) continue;
    budget.leftBytes -= row.bodyBytes;
    picked.push(row);
  }
  return picked;
}

function statesOf(
  db: Connection,
  waiting: readonly WaitingRow[],
  { statesByScope }: ReadBudget,
): readonly AlertState[] {
  const scopes = [...new Set(waiting.map((row) => row.scopeHash))];
  const lists = scopes.map((scope) => {
    const states = statesByScope.get(scope) ?? db.all<AlertState>(SCOPE_STATES_SQL, scope);
    statesByScope.set(scope, states);
    return states;
  });
  // the usual single list stays the same object for all lines of a scope, so it crosses the thread once
  return lists.length === 1 ? (lists[0] ?? []) : lists.flat();
}

function toEntry(db: Connection, row: WaitingRow): WorkEntry {
  return {
    deliveryId: row.deliveryId,
    notificationId: row.notificationId,
    seq: row.seq,
    source: row.source,
    receivedAt: row.receivedAt,
    format: row.format,
    isTest: row.isTest === 1,
    pathChannel: row.pathChannel,
    body: readBody(db, row.seq),
    selection: parseSelection(row.selection),
    mentionAll: row.mentionAll === 1,
  };
}

/** Reads a stored selection: this module's own JSON of `readonly number[]`. */
export function parseSelection(text: string | null): readonly number[] | null {
  return text === null ? null : (JSON.parse(text) as readonly number[]);
}
