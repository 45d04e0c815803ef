import type { Pacing, Rung } from '../../domain/settings.ts';
import { type RobotUrlRules, robotUrlSchema } from '../robot-url.ts';
import { MESSAGES_PER_MINUTE, MESSAGES_PER_SECOND } from './limits.ts';

const FORMS = ['card2', 'card1', 'text'] as const satisfies readonly Rung[];
const PACING: Pacing = { perSecond: MESSAGES_PER_SECOND, perMinute: MESSAGES_PER_MINUTE };

const RULES: RobotUrlRules = {
  hosts: ['open.feishu.cn', 'open.larksuite.com', 'www.feishu.cn'],
  others: { 'oapi.dingtalk.com': 'dingtalk' },
  problem: (url) => {
    if (url.pathname.startsWith('/flow/'))
      return 'this starts a workflow and takes no cards: use the webhook address of a custom bot';
    if (url.pathname.startsWith('/open-apis/bot/hook/'))
      return 'this is the old kind of bot, text only: create a custom bot with /open-apis/bot/v2/hook/';
    return /^\/open-apis\/bot\/v2\/hook\/[^/]+$/u.test(url.pathname)
      ? undefined
      : 'the path must be /open-apis/bot/v2/hook/ and the token: copy the whole webhook address';
  },
};

/** What a channel's configuration may say when its provider is Feishu or Lark. */
export const feishuChannel = {
  forms: FORMS,
  defaultForm: 'card2' as const,
  defaultPacing: PACING,
  robotUrl: robotUrlSchema(RULES),
  isOpenId: (text: string): boolean => /^ou_[\w-]{1,64}$/u.test(text),
  isUserId: (text: string): boolean => mentionProblem(text) === undefined,
  mentionProblem,
};

/** What is wrong with an id to mention; undefined when nothing is. */
function mentionProblem(text: string): string | undefined {
  if (/^[^@\s]+@[^@\s]+\.[^@\s]+$/u.test(text))
    return 'a custom bot cannot mention by email: use the open_id (ou_…) or the user_id of the person';
  if (/^\+?\d[\d-]{6,}$/u.test(text))
    return 'a custom bot cannot mention by phone number: use the open_id (ou_…) or the user_id of the person';
  if (text.startsWith('on_'))
    return 'a custom bot cannot mention by union_id: use the open_id (ou_…) or the user_id';
  return /^[\w.$:-]{1,64}$/u.test(text) ? undefined : 'not an open_id (ou_…) or a user_id';
}
