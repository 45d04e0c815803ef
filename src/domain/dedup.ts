import { createHash } from 'node:crypto';
import type { Notification } from './notification.ts';

/**
 * Hashes a list of texts so that no two different lists read alike: each text is preceded by its
 * length in bytes. Lower-case hex.
 */
export function hashParts(parts: Iterable<string>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}

/** Names a group: what Grafana put together, for one receiver of one organisation of one source. */
export function groupHash(source: string, org: string, receiver: string, groupKey: string): string {
  return hashParts(['group', source, org, receiver, groupKey]);
}

/** Names the scope in which "still the latest" is decided: a group by way of one path; '' when routes decide. */
export function scopeHash(group: string, pathChannel: string): string {
  return hashParts(['scope', group, pathChannel]);
}

/**
 * What makes a second arrival of the same notification recognisable. Copies from a pair of Grafanas
 * differ in values, links, texts and start times, so only identity, status and what was cut off count.
 * A notification without alerts is told by its body, and its group key, made for it alone, is left out.
 */
export function dedupKey(notification: Notification, pathChannel: string, bodyHash: string): string {
  const { source, org, receiver, groupKey, alerts, truncatedAlerts } = notification;
  if (alerts.length === 0) return hashParts(['dedup-body', source, org, receiver, pathChannel, bodyHash]);
  const statuses = alerts.map((alert) => `${alert.fingerprint}:${alert.status}`).sort();
  return hashParts([
    'dedup',
    source,
    org,
    receiver,
    groupKey,
    pathChannel,
    String(truncatedAlerts),
    ...statuses,
  ]);
}

/** What makes a replayed request recognisable. Over the content and not the signature, so that a change of secret re-admits nothing. */
export function replayKey(source: string, pathChannel: string, timestamp: string, bodyHash: string): string {
  return hashParts(['replay', source, pathChannel, timestamp, bodyHash]);
}
