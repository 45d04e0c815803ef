import type { BrokenNote } from '../domain/store.ts';
import type { Turn } from './intents.ts';

const ADD_WAITING_SQL = `
  INSERT INTO channel_state (channel, is_known, waiting) VALUES (?1, 1, ?2)
  ON CONFLICT (channel) DO UPDATE SET is_known = 1, waiting = waiting + ?2`;
const ADD_DEATHS_SQL = `
  UPDATE channel_state SET deaths_untold = deaths_untold + ?, oldest_death_at = coalesce(oldest_death_at, ?)
  WHERE channel = ?`;
const TELL_DEATHS_SQL = `
  UPDATE channel_state SET deaths_untold = max(0, deaths_untold - ?1),
    oldest_death_at = CASE WHEN deaths_untold > ?1 THEN oldest_death_at END
  WHERE channel = ?2`;
const PAUSE_SQL = `
  INSERT INTO channel_state (channel, paused_until, paused_for_ms) VALUES (?1, ?2, ?3)
  ON CONFLICT (channel) DO UPDATE SET paused_until = ?2, paused_for_ms = ?3`;
const BROKEN_SQL = `
  INSERT INTO channel_state (channel, broken_rank, broken_reason) VALUES (?1, ?2, ?3)
  ON CONFLICT (channel) DO UPDATE SET broken_rank = ?2, broken_reason = ?3`;
const NOTE_ATTEMPT_SQL = 'UPDATE channel_state SET last_attempt_seq = ? WHERE channel = ?';
const NOTE_DELIVERED_SQL = 'UPDATE channel_state SET last_delivered_at = ? WHERE channel = ?';
const IS_PAUSED_SQL = 'SELECT 1 AS yes FROM channel_state WHERE channel = ? AND paused_until > ?';
const UNTOLD_SQL = 'SELECT deaths_untold AS count FROM channel_state WHERE channel = ?';
const PAUSE_ROBOT_SQL = `
  INSERT INTO robot_pauses (robot, paused_until, paused_for_ms, reason) VALUES (?1, ?2, ?3, ?4)
  ON CONFLICT (robot) DO UPDATE SET paused_until = ?2, paused_for_ms = ?3, reason = ?4`;
const FORGET_ROBOT_PAUSES_SQL = 'DELETE FROM robot_pauses WHERE paused_until <= ?';

/** Counts deliveries in (or, negative, out of) the channel's waiting ones. */
export function addWaiting(turn: Turn, channel: string, count: number): void {
  turn.db.run(ADD_WAITING_SQL, channel, count);
}

/** Counts deaths that the channel's next card has to tell of. */
export function addDeaths(turn: Turn, channel: string, count: number): void {
  turn.db.run(ADD_DEATHS_SQL, count, turn.now, channel);
}

export function tellDeaths(turn: Turn, channel: string, count: number): void {
  turn.db.run(TELL_DEATHS_SQL, count, channel);
}

export function deathsUntold(turn: Turn, channel: string): number {
  return turn.db.get<{ count: number }>(UNTOLD_SQL, channel)?.count ?? 0;
}

/** A person's pause; it ends by itself. */
export function pauseChannel(turn: Turn, channel: string, forMs: number): void {
  turn.db.run(PAUSE_SQL, channel, turn.now + forMs, forMs);
}

export function resumeChannel(turn: Turn, channel: string): void {
  turn.db.run(PAUSE_SQL, channel, null, null);
}

export function isPaused(turn: Turn, channel: string): boolean {
  return turn.db.get(IS_PAUSED_SQL, channel, turn.now) !== undefined;
}

export function noteBroken(turn: Turn, channel: string, broken: BrokenNote | null): void {
  turn.db.run(BROKEN_SQL, channel, broken?.worstRank ?? null, broken?.reason ?? null);
}

export function noteAttempt(turn: Turn, channel: string, attemptSeq: number): void {
  turn.db.run(NOTE_ATTEMPT_SQL, attemptSeq, channel);
}

export function noteDelivered(turn: Turn, channel: string): void {
  turn.db.run(NOTE_DELIVERED_SQL, turn.now, channel);
}

/** Keeps a robot's pause for the next start, and forgets those that are over. */
export function pauseRobot(
  turn: Turn,
  pause: { readonly robotKey: string; readonly forMs: number; readonly reason: string },
): void {
  turn.db.run(FORGET_ROBOT_PAUSES_SQL, turn.now);
  turn.db.run(PAUSE_ROBOT_SQL, pause.robotKey, turn.now + pause.forMs, pause.forMs, pause.reason);
}
