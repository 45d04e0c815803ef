import type { Accepted, AlertSighting, Entry, PlannedDelivery } from '../domain/accepted.ts';
import { dedupKey, groupHash, replayKey, scopeHash } from '../domain/dedup.ts';
import type { NotificationId } from '../domain/ids.ts';
import type { Notification } from '../domain/notification.ts';
import type { SourceSettings } from '../domain/settings.ts';

/** Beyond twice the tolerance a replay is refused by its timestamp; this much more covers a clock that is set back. */
const REPLAY_MARGIN_MS = 300_000;

export interface Arrival {
  readonly id: NotificationId;
  readonly notification: Notification;
  readonly source: SourceSettings;
  /** Channel named in the path; '' when routes decide. */
  readonly pathChannel: string;
  /** What is stored: the bytes as signed, or our own JSON in their place. */
  readonly body: Uint8Array;
  /** SHA-256 of the bytes as sent, hex. */
  readonly bodyHash: string;
  /** The signed timestamp; undefined when the source sends none. */
  readonly timestamp: string | undefined;
  /** Epoch ms, wall clock. */
  readonly receivedAt: number;
}

/** Joins what was parsed and what was planned into the one value the store takes. */
export function buildAccepted(arrival: Arrival, deliveries: readonly PlannedDelivery[]): Accepted {
  return { entry: buildEntry(arrival), deliveries, alerts: sightings(arrival.notification) };
}

function buildEntry(arrival: Arrival): Entry {
  const { notification, source, pathChannel } = arrival;
  const group = groupHash(source.name, notification.org, notification.receiver, notification.groupKey);
  const isDeduplicated = !notification.isTest && source.dedupWindowMs > 0;
  return {
    id: arrival.id,
    source: source.name,
    org: notification.org,
    receiver: notification.receiver,
    groupKey: notification.groupKey,
    groupHash: group,
    pathChannel,
    scopeHash: scopeHash(scopedGroup(notification, group), pathChannel),
    receivedAt: arrival.receivedAt,
    format: notification.format,
    status: notification.status,
    isTest: notification.isTest,
    isSnapshot: notification.truncatedAlerts === 0,
    dedup: isDeduplicated
      ? { key: dedupKey(notification, pathChannel, arrival.bodyHash), windowMs: source.dedupWindowMs }
      : undefined,
    replay: replayOf(arrival),
    body: arrival.body,
  };
}

/**
 * Each body that cannot be read is a group of its own, and would be the latest of it for ever: such
 * bodies share one scope a source, so that a copy is a duplicate only while nothing else came between.
 */
function scopedGroup({ source, org, receiver, alerts }: Notification, group: string): string {
  return alerts.length === 0 ? groupHash(source, org, receiver, '') : group;
}

function replayOf(arrival: Arrival): Entry['replay'] {
  const { source, pathChannel, timestamp, bodyHash } = arrival;
  if (timestamp === undefined || source.auth.kind !== 'hmac') return undefined;
  return {
    key: replayKey(source.name, pathChannel, timestamp, bodyHash),
    keepMs: 2 * source.auth.toleranceMs + REPLAY_MARGIN_MS,
  };
}

/** One sighting an alert: where a body repeats one, firing counts, since only hiding it would be dangerous. */
function sightings(notification: Notification): readonly AlertSighting[] {
  const byFingerprint = new Map<string, AlertSighting>();
  for (const { fingerprint, status, startsAt, endsAt } of notification.alerts) {
    if (byFingerprint.get(fingerprint)?.status === 'firing') continue;
    byFingerprint.set(fingerprint, {
      fingerprint,
      status,
      startsAt: startsAt ?? null,
      endsAt: endsAt ?? null,
    });
  }
  return [...byFingerprint.values()];
}
