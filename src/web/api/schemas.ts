import { z } from 'zod';
import { CHANNEL_REPORT_STATES } from '../../domain/channel-report.ts';
import { FORMATS } from '../../domain/notification.ts';
import { OUTCOMES, REASONS } from '../../domain/outcome.ts';
import { PROVIDER_NAMES } from '../../domain/settings.ts';
import { DELIVERY_STATES } from '../../domain/work.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 200;

const instant = z.iso.datetime();
const count = z.int().nonnegative();
const reason = z.enum(REASONS).nullable();
const status = z.enum(['firing', 'resolved']);

const page = {
  limit: z.coerce.number().int().min(1).max(MAX_LIMIT).default(DEFAULT_LIMIT),
  cursor: z.string().min(1).optional().describe('`next` of the page before'),
};

export const NotificationsQuery = z.strictObject({ ...page, source: z.string().min(1).optional() });
export const DeliveriesQuery = z.strictObject({
  ...page,
  state: z.enum(DELIVERY_STATES).optional(),
  channel: z.string().min(1).optional(),
});
export const IdParams = z.object({ id: z.string().min(1) });
export const NameParams = z.object({ name: z.string().min(1) });

export const Attempt = z.object({
  id: z.string(),
  channel: z.string(),
  robot: z.string().describe("a hash of the robot's URL"),
  started_at: instant,
  duration_ms: z.number().nullable(),
  rung: z.string().nullable(),
  outcome: z.enum(OUTCOMES).nullable().describe('null while the attempt is open'),
  reason,
  http_status: z.int().nullable(),
  provider_code: z.string().nullable(),
  provider_text: z.string().nullable(),
});

export const Delivery = z.object({
  id: z.string(),
  notification_id: z.string(),
  channel: z.string(),
  state: z.enum(DELIVERY_STATES),
  reason,
  attempts: count,
  created_at: instant,
  ended_at: instant.nullable(),
  folded_into: z.string().nullable(),
});
export const DeliveryDetail = Delivery.extend({ attempt_records: z.array(Attempt) });

export const Notification = z.object({
  id: z.string(),
  source: z.string(),
  org: z.string(),
  receiver: z.string(),
  group_key: z.string(),
  received_at: instant,
  format: z.enum(FORMATS),
  status,
  is_test: z.boolean(),
  duplicates: count,
});

export const TimelineItem = z.discriminatedUnion('kind', [
  z.object({ at: instant, kind: z.enum(['received', 'committed']) }),
  z.object({ at: instant, kind: z.literal('planned'), channel: z.string(), delivery_id: z.string() }),
  z.object({ at: instant, kind: z.literal('attempt'), delivery_id: z.string(), attempt: Attempt }),
  z.object({
    at: instant,
    kind: z.literal('ended'),
    delivery_id: z.string(),
    state: z.enum(DELIVERY_STATES),
    reason,
  }),
]);

export const NotificationDetail = Notification.extend({
  body_bytes: count.nullable().describe('null once the body is pruned'),
  timeline: z.array(TimelineItem),
  deliveries: z.array(Delivery),
});

const next = z.string().nullable().describe('opaque; null at the end');
export const NotificationPage = z.object({ items: z.array(Notification), next });
export const DeliveryPage = z.object({ items: z.array(Delivery), next });

export const Channel = z.object({
  name: z.string(),
  provider: z.enum(PROVIDER_NAMES),
  state: z.enum(CHANNEL_REPORT_STATES),
  reason: z.string().nullable().describe('why it is broken'),
  waiting: count,
  oldest_due_seconds: z.number().nullable(),
  paused_until: instant.nullable().describe("end of a person's pause"),
  robots: z.array(z.object({ key: z.string(), paused_until: instant.nullable(), reason })),
  last_attempt: z.object({ at: instant, outcome: z.enum(OUTCOMES).nullable(), reason }).nullable(),
  last_delivered_at: instant.nullable(),
  fallback: z.string().nullable(),
});
export const ChannelPage = z.object({ items: z.array(Channel), next });
