import { cutOffAttempt, type OpenAttempt } from './attempts.ts';
import type { Turn } from './intents.ts';

/** Longer than any backoff (30 min with its jitter): a due time beyond it comes from a clock set back since. */
const MAX_BACKOFF_MS = 40 * 60_000;

const OPEN_ATTEMPTS_SQL =
  'SELECT seq, channel FROM attempts INDEXED BY attempts_open WHERE outcome IS NULL ORDER BY channel';
export const EXPIRED_ATTEMPTS_SQL = `
  SELECT seq, channel FROM attempts INDEXED BY attempts_open WHERE outcome IS NULL AND expires_at <= ?`;
const CHANNELS_SQL = 'SELECT channel FROM channel_state';
export const CLAMP_DUE_SQL = `
  UPDATE lines INDEXED BY lines_timed SET due_at = ?2
  WHERE channel = ?1 AND due_at IS NOT NULL AND attempt_seq IS NULL AND due_at > ?2`;
const CLAMP_PAUSES_SQL = `
  UPDATE channel_state SET paused_until = ?1 + paused_for_ms WHERE paused_until > ?1 + paused_for_ms`;
const CLAMP_ROBOT_PAUSES_SQL = `
  UPDATE robot_pauses SET paused_until = ?1 + paused_for_ms WHERE paused_until > ?1 + paused_for_ms`;

/** Puts right at start what an earlier process left open, and waits that a clock change made endless. */
export function recover(turn: Turn): void {
  for (const attempt of turn.db.all<OpenAttempt>(OPEN_ATTEMPTS_SQL))
    cutOffAttempt(turn, attempt, 'interrupted');
  for (const { channel } of turn.db.all<{ channel: string }>(CHANNELS_SQL))
    turn.db.run(CLAMP_DUE_SQL, channel, turn.now + MAX_BACKOFF_MS);
  turn.db.run(CLAMP_PAUSES_SQL, turn.now);
  turn.db.run(CLAMP_ROBOT_PAUSES_SQL, turn.now);
}

/** Ends attempts whose lease ran out while this process lives. */
export function reap(turn: Turn): { readonly reaped: number } {
  const expired = turn.db.all<OpenAttempt>(EXPIRED_ATTEMPTS_SQL, turn.now);
  for (const attempt of expired) cutOffAttempt(turn, attempt, 'lease_expired');
  return { reaped: expired.length };
}
