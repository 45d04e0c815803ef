import { z } from 'zod';
import { dingtalkChannel } from '../channels/dingtalk/config.ts';
import { feishuChannel } from '../channels/feishu/config.ts';
import { AlertcardError } from '../domain/errors.ts';
import { parseMatcher } from '../route/matcher.ts';
import { flag, name, word } from './values.ts';

const matcher = z.string().transform((text, context) => {
  try {
    return parseMatcher(text);
  } catch (error) {
    if (!(error instanceof AlertcardError)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});

export const Route = z.strictObject({
  match: z
    .array(matcher)
    .prefault([])
    .describe(
      'Label conditions as Alertmanager writes them, all of which must hold; also `__source__`, `__org__`, `__receiver__`. Empty: every alert.',
    ),
  channels: z.array(name).min(1, 'needs at least one channel').describe('Where matching alerts go.'),
  mention: z
    .strictObject({ all: flag.prefault(false).describe('Mention everyone in the chat.') })
    .prefault({})
    .describe('Added to what the channel mentions.'),
  continue: flag.prefault(false).describe('Let the routes below have their say too.'),
});

const mobile = word.refine(
  dingtalkChannel.isMobile,
  'must be a phone number; one from abroad is written +852-12345678',
);
const dingtalkUserId = word.refine(
  dingtalkChannel.isUserId,
  'must be a user id of the organisation, which has no spaces',
);
const openId = word.refine(
  feishuChannel.isOpenId,
  'must be an open_id (ou_…): a custom robot cannot mention by e-mail, phone or union_id',
);
const feishuUserId = word.superRefine((text, context) => {
  const message = feishuChannel.mentionProblem(text);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

export const Mention = z.strictObject({
  match: z
    .array(matcher)
    .min(1, 'needs a condition: to mention everyone, set mention.all of a channel')
    .describe('Label conditions, all of which must hold.'),
  dingtalk: z
    .strictObject({
      mobiles: z.array(mobile).prefault([]).describe('Phone numbers, those from abroad as `+852-12345678`.'),
      user_ids: z.array(dingtalkUserId).prefault([]).describe('User ids of the organisation.'),
    })
    .prefault({})
    .describe('The people on DingTalk; they must be in the chat.'),
  feishu: z
    .strictObject({
      open_ids: z.array(openId).prefault([]).describe('Open ids (`ou_…`).'),
      user_ids: z.array(feishuUserId).prefault([]).describe('User ids; not valid in chats with outsiders.'),
    })
    .prefault({})
    .describe('The people on Feishu; they must be in the chat.'),
});
