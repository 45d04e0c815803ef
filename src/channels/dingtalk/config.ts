import type { Pacing, Rung } from '../../domain/settings.ts';
import { type RobotUrlRules, robotUrlSchema } from '../robot-url.ts';
import { MESSAGES_PER_MINUTE } from './limits.ts';

const FORMS = ['card', 'markdown', 'text'] as const satisfies readonly Rung[];
const PACING: Pacing = { perSecond: undefined, perMinute: MESSAGES_PER_MINUTE };

const RULES: RobotUrlRules = {
  hosts: ['oapi.dingtalk.com'],
  others: { 'open.feishu.cn': 'feishu', 'open.larksuite.com': 'feishu' },
  problem: (url) => {
    if (url.pathname === '/robot/sendBySession')
      return 'a session address expires: use the webhook address of a custom robot, with /robot/send';
    if (url.pathname !== '/robot/send') return 'the path must be /robot/send';
    const token = url.searchParams.get('access_token') ?? '';
    return token === '' ? 'access_token is missing: copy the whole webhook address' : undefined;
  },
};

/** What a channel's configuration may say when its provider is DingTalk. */
export const dingtalkChannel = {
  forms: FORMS,
  defaultForm: 'card' as const,
  defaultPacing: PACING,
  robotUrl: robotUrlSchema(RULES),
  /** A phone number as DingTalk wants it: digits, or `+<country>-<number>` from abroad. */
  isMobile: (text: string): boolean => /^(?:\+\d{1,4}-)?\d{4,15}$/u.test(text),
  /** An administrator may choose ids, e-mail addresses among them. */
  isUserId: (text: string): boolean => /^[\w.$:@-]{1,64}$/u.test(text),
};
