import { z } from 'zod';
import { PROVIDER_NAMES } from '../domain/settings.ts';
import { count, duration, flag, locale, name, secretText, timezone } from './values.ts';

const Robot = z.strictObject({
  url: z
    .string()
    .min(1, 'must not be empty')
    .describe(
      'The URL the chat shows when the robot is added. A credential: take it from the environment or a file.',
    ),
  secret: secretText
    .optional()
    .describe('The signing secret, when the robot asks for a signature. Left out: requests are not signed.'),
});

const Mention = z.strictObject({
  all: flag.prefault(false).describe('Mention everyone in the chat.'),
  on: z
    .array(z.enum(['firing', 'reminder', 'resolved']))
    .prefault(['firing'])
    .describe('When to mention: `firing` (an alert newly fires), `reminder` (nothing changed), `resolved`.'),
});

const PacingLimits = z.strictObject({
  per_second: count(0)
    .optional()
    .describe('Requests to one robot in a second; 0 for no limit. Default: 4 for feishu, none for dingtalk.'),
  per_minute: count(0)
    .optional()
    .describe(
      'Requests to one robot in a minute; 0 turns pacing off. Default: 18 for dingtalk, 90 for feishu.',
    ),
});

export const Channel = z.strictObject({
  provider: z.enum(PROVIDER_NAMES).describe('The chat platform.'),
  robots: z
    .array(Robot)
    .min(1, 'needs at least one robot')
    .describe('Custom robots of the same chat; several share the load.'),
  keyword: z
    .string()
    .prefault('')
    .describe('The word the robot demands in every message; it is put in where it is missing.'),
  form: z
    .enum(['card', 'markdown', 'card2', 'card1', 'text'])
    .optional()
    .describe(
      'First form tried. dingtalk: `card` (default), `markdown`, `text`; feishu: `card2` (default), `card1`, `text`.',
    ),
  template: name.prefault('default').describe('Template of the cards, one of your own or a built-in one.'),
  locale: locale.optional().describe('Language of the cards. Default: `defaults.locale`.'),
  timezone: timezone.optional().describe('Zone of the times shown. Default: `defaults.timezone`.'),
  send_resolved: flag.prefault(true).describe('Tell of alerts that are over.'),
  group: z
    .enum(['together', 'each'])
    .prefault('together')
    .describe(
      '`together`: one card for a group; `each`: one for every alert, at most 20, the rest together.',
    ),
  mention: Mention.prefault({}).describe('Whom to mention beside the people of `mentions`, and when.'),
  fallback: name
    .optional()
    .describe(
      'Channel that gets the waiting firing alerts when this one is broken. Left out: nobody hears of it.',
    ),
  broken_after: duration({ least: '10s' })
    .prefault('2m')
    .describe('How long a firing alert may wait, beyond pacing, before the channel counts as broken.'),
  late_after: duration().prefault('5m').describe('A card sent later than this says so, and why.'),
  give_up_after: duration({ least: '1m' })
    .prefault('24h')
    .describe(
      'A delivery older than this is given up, unless it is the newest of its group and still fires.',
    ),
  pacing: PacingLimits.prefault({}).describe("Our own rate per robot, below the vendor's."),
  digest: z
    .strictObject({
      above: count(1)
        .prefault(6)
        .describe('When more groups than this wait, the less severe ones share a digest card.'),
    })
    .prefault({})
    .describe('How a storm is told.'),
});
