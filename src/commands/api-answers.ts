import { z } from 'zod';
import { PROVIDER_NAMES } from '../domain/settings.ts';

/** What the commands read of the API's answers; the rest passes through to `--json`. */

const Attempt = z.looseObject({
  started_at: z.string(),
  duration_ms: z.number().nullable(),
  rung: z.string().nullable(),
  outcome: z.string().nullable(),
  reason: z.string().nullable(),
  http_status: z.number().nullable(),
  provider_code: z.string().nullable(),
  provider_text: z.string().nullable(),
});

const Delivery = z.looseObject({
  id: z.string(),
  notification_id: z.string(),
  channel: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  attempts: z.number(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  folded_into: z.string().nullable(),
});

export const DeliveryPage = z.looseObject({ items: z.array(Delivery), next: z.string().nullable() });
export const DeliveryDetail = Delivery.extend({ attempt_records: z.array(Attempt) });

export const ChannelPage = z.looseObject({
  items: z.array(
    z.looseObject({
      name: z.string(),
      provider: z.string(),
      state: z.string(),
      reason: z.string().nullable(),
      waiting: z.number(),
      oldest_due_seconds: z.number().nullable(),
      paused_until: z.string().nullable(),
      fallback: z.string().nullable(),
    }),
  ),
});

export const Done = z.looseObject({ channel: z.string() });
export const TestAnswer = z.looseObject({
  channel: z.string(),
  outcome: z.string(),
  notification_id: z.string(),
});
export const ReloadAnswer = z.looseObject({ warnings: z.array(z.string()) });
export const PreviewAnswer = z.object({
  items: z.array(
    z.object({
      provider: z.enum(PROVIDER_NAMES),
      rung: z.enum(['card', 'card2', 'card1', 'markdown', 'text', 'bare']),
      message: z.record(z.string(), z.unknown()),
      bytes: z.number(),
      shown: z.number(),
      omitted: z.number(),
      warnings: z.array(z.string()),
    }),
  ),
});
