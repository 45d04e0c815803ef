import ms from 'ms';
import { z } from 'zod';
import { OUTCOMES, REASONS } from '../../domain/outcome.ts';
import { PROVIDER_NAMES } from '../../domain/settings.ts';

const MAX_PAUSE_MS = ms('24h');
const PAUSE_ADVICE = 'give a time of at most 24 h, such as 30m or 2h';

/** `30m`, `2h`: at most 24 h, because a channel that stays silent for longer is a change of configuration. */
const duration = z
  .templateLiteral([z.number().positive(), z.enum(['s', 'm', 'h'])], PAUSE_ADVICE)
  .transform((text) => ms(text))
  .refine((durationMs) => durationMs > 0 && durationMs <= MAX_PAUSE_MS, PAUSE_ADVICE);

export const PauseBody = z.strictObject({ for: duration }, `${PAUSE_ADVICE}: {"for":"30m"}`);
export const TestBody = z
  .strictObject({ payload: z.string().min(1).optional().describe('a webhook body to send as the test') })
  .optional();
export const PreviewBody = z
  .strictObject({
    template: z.string().min(1),
    provider: z.enum(PROVIDER_NAMES).optional().describe('all that have the template when left out'),
    payload: z.string().min(1).optional().describe('a webhook body, as text'),
    notification_id: z.string().min(1).optional().describe('or a notification that was accepted: ntf_…'),
  })
  .refine(
    ({ payload, notification_id }) => (payload === undefined) !== (notification_id === undefined),
    'give either payload or notification_id',
  );

export const Done = z.object({ channel: z.string() });
export const TestAnswer = z.object({
  notification_id: z.string(),
  channel: z.string(),
  outcome: z.enum(OUTCOMES),
  reason: z.enum(REASONS).nullable(),
  provider_code: z.string().nullable(),
  provider_text: z.string().nullable(),
});
export const PreviewAnswer = z.object({
  items: z.array(
    z.object({
      provider: z.enum(PROVIDER_NAMES),
      rung: z.string(),
      message: z.record(z.string(), z.unknown()),
      bytes: z.int(),
      shown: z.int(),
      omitted: z.int(),
      warnings: z.array(z.string()),
    }),
  ),
});
export const ReloadAnswer = z.object({ warnings: z.array(z.string()) });
