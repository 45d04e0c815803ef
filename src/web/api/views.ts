import type { z } from 'zod';
import type { ChannelReport } from '../../domain/channel-report.ts';
import type { DeliveryRow, NotificationRow, TimelineItem } from '../../domain/store.ts';
import type { AttemptRecord } from '../../domain/work.ts';
import type * as schemas from './schemas.ts';

function toIso(at: number): string {
  return new Date(at).toISOString();
}

function toIsoOrNull(at: number | null | undefined): string | null {
  return at === null || at === undefined ? null : toIso(at);
}

export function attemptView(attempt: AttemptRecord): z.input<typeof schemas.Attempt> {
  return {
    id: attempt.id,
    channel: attempt.channel,
    robot: attempt.robotKey,
    started_at: toIso(attempt.startedAt),
    duration_ms: attempt.durationMs,
    rung: attempt.rung,
    outcome: attempt.outcome,
    reason: attempt.reason,
    http_status: attempt.httpStatus,
    provider_code: attempt.providerCode,
    provider_text: attempt.providerText,
  };
}

export function deliveryView(row: DeliveryRow): z.input<typeof schemas.Delivery> {
  return {
    id: row.id,
    notification_id: row.notificationId,
    channel: row.channel,
    state: row.state,
    reason: row.reason,
    attempts: row.attempts,
    created_at: toIso(row.createdAt),
    ended_at: toIsoOrNull(row.endedAt),
    folded_into: row.foldedInto,
  };
}

export function notificationView(row: NotificationRow): z.input<typeof schemas.Notification> {
  return {
    id: row.id,
    source: row.source,
    org: row.org,
    receiver: row.receiver,
    group_key: row.groupKey,
    received_at: toIso(row.receivedAt),
    format: row.format,
    status: row.status,
    is_test: row.isTest,
    duplicates: row.duplicates,
  };
}

export function timelineView(item: TimelineItem): z.input<typeof schemas.TimelineItem> {
  const at = toIso(item.at);
  switch (item.kind) {
    case 'received':
    case 'committed':
      return { at, kind: item.kind };
    case 'planned':
      return { at, kind: item.kind, channel: item.channel, delivery_id: item.deliveryId };
    case 'attempt':
      return { at, kind: item.kind, delivery_id: item.deliveryId, attempt: attemptView(item.attempt) };
    case 'ended':
      return { at, kind: item.kind, delivery_id: item.deliveryId, state: item.state, reason: item.reason };
  }
}

export function channelView(report: ChannelReport): z.input<typeof schemas.Channel> {
  const last = report.lastAttempt;
  return {
    name: report.name,
    provider: report.provider,
    state: report.state,
    reason: report.brokenReason ?? null,
    waiting: report.waiting,
    oldest_due_seconds: report.oldestDueMs === undefined ? null : report.oldestDueMs / 1000,
    paused_until: toIsoOrNull(report.pausedUntil),
    robots: report.robots.map((robot) => ({
      key: robot.key,
      paused_until: toIsoOrNull(robot.pausedUntil),
      reason: robot.reason ?? null,
    })),
    last_attempt:
      last === undefined ? null : { at: toIso(last.at), outcome: last.outcome, reason: last.reason },
    last_delivered_at: toIsoOrNull(report.lastDeliveredAt),
    fallback: report.fallback ?? null,
  };
}
