import type { AlertSighting } from '../domain/accepted.ts';
import type { AlertState } from '../domain/work.ts';
import type { Turn } from './intents.ts';

/** When and where a sighting was made. */
export interface Sighted {
  readonly seq: number;
  readonly receivedAt: number;
}

/**
 * The state after a sighting, or undefined when neither status nor episode changes.
 * Replicas of one Grafana report starts and ends that differ by an evaluation interval: a repeated status
 * is no change. Grafana may send a resolved alert with startsAt equal to endsAt, so such a start says nothing.
 */
export function nextAlertState(
  known: AlertState | undefined,
  sighting: AlertSighting,
  { seq, receivedAt }: Sighted,
): AlertState | undefined {
  const { fingerprint, status, startsAt } = sighting;
  if (status === 'firing') {
    if (known?.status === 'firing') return undefined;
    const lastEndedAt = known?.lastEndedAt ?? null;
    return { fingerprint, status, episodeStartedAt: startsAt, lastEndedAt, changedSeq: seq };
  }
  // a sender whose clock is ahead of ours starts alerts in our future
  const endedAt = sighting.endsAt ?? Math.max(receivedAt, startsAt ?? 0);
  const trustedStart = startsAt !== null && startsAt < endedAt ? startsAt : null;
  if (known?.status === 'resolved' && !isLaterEpisode(known, trustedStart)) return undefined;
  const episodeStartedAt =
    known?.status === 'firing' ? (known.episodeStartedAt ?? trustedStart) : trustedStart;
  return { fingerprint, status, episodeStartedAt, lastEndedAt: endedAt, changedSeq: seq };
}

/** An episode that began and ended unseen: it started after the end already known. */
function isLaterEpisode(known: AlertState, start: number | null): boolean {
  return start !== null && known.lastEndedAt !== null && start > known.lastEndedAt;
}

const STATE_SQL = `
  SELECT fingerprint, status, episode_started_at AS episodeStartedAt, last_ended_at AS lastEndedAt,
    changed_seq AS changedSeq
  FROM alerts WHERE scope_hash = ? AND fingerprint = ?`;
export const SCOPE_STATES_SQL = `
  SELECT fingerprint, status, episode_started_at AS episodeStartedAt, last_ended_at AS lastEndedAt,
    changed_seq AS changedSeq
  FROM alerts WHERE scope_hash = ?`;
const WRITE_STATE_SQL = `
  INSERT INTO alerts (scope_hash, fingerprint, status, episode_started_at, last_ended_at, changed_seq, changed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (scope_hash, fingerprint) DO UPDATE SET status = excluded.status,
    episode_started_at = excluded.episode_started_at, last_ended_at = excluded.last_ended_at,
    changed_seq = excluded.changed_seq, changed_at = excluded.changed_at`;

/** Brings the latest known states of a scope up to date with one notification. */
export function recordAlerts(
  turn: Turn,
  scopeHash: string,
  alerts: readonly AlertSighting[],
  sighted: Sighted,
): void {
  for (const sighting of alerts) {
    const known = turn.db.get<AlertState>(STATE_SQL, scopeHash, sighting.fingerprint);
    const next = nextAlertState(known, sighting, sighted);
    if (next === undefined) continue;
    turn.db.run(
      WRITE_STATE_SQL,
      scopeHash,
      next.fingerprint,
      next.status,
      next.episodeStartedAt,
      next.lastEndedAt,
      next.changedSeq,
      turn.now,
    );
  }
}
