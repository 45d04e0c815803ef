import type { Reason } from '../domain/outcome.ts';
import type { ChannelState, RobotPause, WaitingFiring } from '../domain/store.ts';
import type { AttemptRecord } from '../domain/work.ts';
import { ATTEMPT_COLUMNS } from './attempts.ts';
import { readBodyLater } from './bodies.ts';
import type { Connection } from './connection.ts';
import { NEXT_TIMED_SQL } from './lines.ts';
import { MAX_READ_BYTES, parseSelection } from './work.ts';

/** Lines are counted up to here: further on the exact number tells nobody anything. */
const COUNT_LIMIT = 100_000;

interface ChannelRow {
  readonly waiting: number;
  readonly pausedUntil: number | null;
  readonly brokenRank: number | null;
  readonly brokenReason: string | null;
  readonly deathsUntold: number;
  readonly oldestDeathAt: number | null;
  readonly lastDeliveredAt: number | null;
  readonly lastAttemptSeq: number | null;
}

type WaitingRow = Omit<WaitingFiring['worst'][number], 'body' | 'selection'> & {
  readonly seq: number;
  readonly bodyBytes: number;
  readonly selection: string | null;
};

const CHANNEL_SQL = `
  SELECT waiting, paused_until AS pausedUntil, broken_rank AS brokenRank, broken_reason AS brokenReason,
    deaths_untold AS deathsUntold, oldest_death_at AS oldestDeathAt, last_delivered_at AS lastDeliveredAt,
    last_attempt_seq AS lastAttemptSeq
  FROM channel_state WHERE channel = ?`;
const ATTEMPT_SQL = `SELECT ${ATTEMPT_COLUMNS} FROM attempts AS a WHERE a.seq = ?`;
export const WORST_RANK_SQL =
  'SELECT rank FROM lines INDEXED BY lines_ranked WHERE channel = ? AND is_firing = 1 ORDER BY rank LIMIT 1';
export const OLDEST_FIRING_SQL = `
  SELECT budget_from AS at FROM deliveries INDEXED BY deliveries_budget
  WHERE channel = ? AND is_firing = 1 AND ended_at IS NULL ORDER BY budget_from LIMIT 1`;
export const OLDEST_DUE_OF_NEXT_RANK_SQL = `
  SELECT rank, since_seq AS sinceSeq, line_hash AS lineHash FROM lines INDEXED BY lines_due
  WHERE channel = ? AND due_at IS NULL AND rank > ? ORDER BY rank, since_seq LIMIT 1`;
const BUDGET_FROM_SQL = `
  SELECT budget_from AS at FROM deliveries INDEXED BY deliveries_undelivered
  WHERE channel = ? AND line_hash = ? AND inbox_seq = ? AND ended_at IS NULL`;
export const WAITING_FIRING_SQL = `
  SELECT l.rank, i.seq, i.id AS notificationId, i.format, i.source, i.path_channel AS pathChannel,
    i.received_at AS receivedAt, i.body_bytes AS bodyBytes, d.selection
  FROM lines AS l INDEXED BY lines_ranked
    CROSS JOIN deliveries AS d ON d.seq = (
      SELECT seq FROM deliveries INDEXED BY deliveries_undelivered
      WHERE channel = l.channel AND line_hash = l.line_hash AND ended_at IS NULL AND is_firing = 1
      ORDER BY inbox_seq DESC LIMIT 1)
    CROSS JOIN inbox AS i ON i.seq = d.inbox_seq
  WHERE l.channel = ? AND l.is_firing = 1 ORDER BY l.rank, l.since_seq LIMIT ?`;
const COUNT_FIRING_SQL = `
  SELECT count(*) AS count FROM (
    SELECT 1 FROM lines INDEXED BY lines_ranked WHERE channel = ? AND is_firing = 1 LIMIT ?)`;
export const RECENT_ATTEMPTS_SQL = `
  SELECT started_at AS at FROM attempts INDEXED BY attempts_robot
  WHERE robot = ? AND started_at > ? AND started_at <= ? ORDER BY started_at`;
const ROBOT_PAUSES_SQL = `
  SELECT robot AS robotKey, paused_until AS pausedUntil, reason FROM robot_pauses WHERE paused_until > ?`;
const WITH_LINES_SQL = 'SELECT channel FROM channel_state WHERE waiting > 0 ORDER BY channel';
const IS_KNOWN_SQL = 'SELECT 1 AS yes FROM channel_state WHERE channel = ? AND is_known = 1';

const UNUSED_CHANNEL: ChannelRow = {
  waiting: 0,
  pausedUntil: null,
  brokenRank: null,
  brokenReason: null,
  deathsUntold: 0,
  oldestDeathAt: null,
  lastDeliveredAt: null,
  lastAttemptSeq: null,
};

/** What a lane and the health page ask about a channel: a handful of searches, whatever waits. */
export function channelState(db: Connection, channel: string, now: number): ChannelState {
  const row = db.get<ChannelRow>(CHANNEL_SQL, channel) ?? UNUSED_CHANNEL;
  return {
    channel,
    waiting: row.waiting,
    oldestDueMs: since(oldestDueAt(db, channel, now), now),
    oldestFiringMs: since(db.get<{ at: number }>(OLDEST_FIRING_SQL, channel)?.at, now),
    worstRank: db.get<{ rank: number }>(WORST_RANK_SQL, channel)?.rank,
    pausedForMs: row.pausedUntil !== null && row.pausedUntil > now ? row.pausedUntil - now : undefined,
    broken:
      row.brokenRank === null ? undefined : { worstRank: row.brokenRank, reason: row.brokenReason ?? '' },
    deathsUntold: row.deathsUntold,
    oldestDeathMs: since(row.oldestDeathAt ?? undefined, now),
    lastDeliveredAt: row.lastDeliveredAt ?? undefined,
    lastAttempt:
      row.lastAttemptSeq === null ? undefined : db.get<AttemptRecord>(ATTEMPT_SQL, row.lastAttemptSeq),
  };
}

/** Ranks are few, so the oldest of each is looked up rather than all due lines. */
function oldestDueAt(db: Connection, channel: string, now: number): number | undefined {
  const oldest: { sinceSeq: number; lineHash: string }[] = [];
  let rank = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const line = db.get<{ rank: number; sinceSeq: number; lineHash: string }>(
      OLDEST_DUE_OF_NEXT_RANK_SQL,
      channel,
      rank,
    );
    if (line === undefined) break;
    oldest.push(line);
    rank = line.rank;
  }
  const timed = db.get<{ dueAt: number; sinceSeq: number; lineHash: string }>(NEXT_TIMED_SQL, channel);
  if (timed !== undefined && timed.dueAt <= now) oldest.push(timed);
  const starts = oldest.map(
    ({ sinceSeq, lineHash }) =>
      db.get<{ at: number }>(BUDGET_FROM_SQL, channel, lineHash, sinceSeq)?.at ?? now,
  );
  return starts.length === 0 ? undefined : Math.min(...starts);
}

function since(at: number | undefined, now: number): number | undefined {
  return at === undefined ? undefined : Math.max(0, now - at);
}

export function nextDueInMs(db: Connection, channel: string, now: number): number | undefined {
  if (db.get(OLDEST_DUE_OF_NEXT_RANK_SQL, channel, Number.MIN_SAFE_INTEGER) !== undefined) return 0;
  const timed = db.get<{ dueAt: number }>(NEXT_TIMED_SQL, channel);
  return timed === undefined ? undefined : Math.max(0, timed.dueAt - now);
}

export async function waitingFiring(db: Connection, channel: string, limit: number): Promise<WaitingFiring> {
  const lines = db.get<{ count: number }>(COUNT_FIRING_SQL, channel, COUNT_LIMIT)?.count ?? 0;
  const rows = db.all<WaitingRow>(WAITING_FIRING_SQL, channel, limit);
  const worst: WaitingFiring['worst'][number][] = [];
  let leftBytes = MAX_READ_BYTES;
  for (const { seq, bodyBytes, selection, ...row } of rows) {
    if (worst.length > 0 && bodyBytes > leftBytes) break;
    leftBytes -= bodyBytes;
    worst.push({ ...row, selection: parseSelection(selection), body: await readBodyLater(db, seq) });
  }
  return { lines, worst };
}

export function recentAttempts(
  db: Connection,
  robotKey: string,
  withinMs: number,
  now: number,
): readonly number[] {
  return db.all<{ at: number }>(RECENT_ATTEMPTS_SQL, robotKey, now - withinMs, now).map(({ at }) => at);
}

export function robotPauses(db: Connection, now: number): readonly RobotPause[] {
  return db
    .all<{ robotKey: string; pausedUntil: number; reason: Reason }>(ROBOT_PAUSES_SQL, now)
    .map(({ robotKey, pausedUntil, reason }) => ({ robotKey, forMs: pausedUntil - now, reason }));
}

export function channelsWithLines(db: Connection): readonly string[] {
  return db.all<{ channel: string }>(WITH_LINES_SQL).map(({ channel }) => channel);
}

export function knowsChannel(db: Connection, channel: string): boolean {
  return db.get(IS_KNOWN_SQL, channel) !== undefined;
}
