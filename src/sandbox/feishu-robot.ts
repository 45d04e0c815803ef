import { createHmac } from 'node:crypto';
import type { LookAlike } from './dingtalk-robot.ts';
import { asObject, type Incoming, parseJson, type RobotRules, type Ruling, textsUnder } from './exchange.ts';
import { feishuShapeProblem } from './feishu-shape.ts';
import { RateCounter } from './rate.ts';

/** https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot */
const RATE = { perSecond: 5, perMinute: 100, muteMs: 0 };
const MAX_BYTES = 20 * 1024;
const HOUR_SECONDS = 3_600;

/** The bot looks for its keyword in texts and titles, not in addresses. */
const TEXT_KEYS = new Set(['text', 'title', 'content']);
const CARD_MENTION = /<at id=["']?([\w-]+)["']?\s*>\s*<\/at>/gu;
const TEXT_MENTION = /<at user_id="([\w-]+)">[^<]*<\/at>/gu;

type Message = Readonly<Record<string, unknown>>;
type Problem = readonly [code: number, text: string];

/** A custom bot in a group of Feishu: everything is answered with HTTP 200 and a code. */
export function feishuRobot(rules: RobotRules): LookAlike {
  const rate = new RateCounter(RATE);
  return {
    receive: (request) => {
      if (!rate.take(request.at))
        return ruling(11232, 'frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]');
      const message = asObject(parseJson(request.body));
      if (message === undefined || request.body.length > MAX_BYTES) return ruling(9499, 'Bad Request');
      const problem = securityProblem(request, message, rules) ?? feishuShapeProblem(message);
      return problem === undefined ? ruling(0, 'success', mentionsOf(message)) : ruling(...problem);
    },
  };
}

/** The answer of a host that knows no bot by this token. */
export function unknownFeishuRobot(): Ruling {
  return ruling(19001, 'param invalid: incoming webhook access token invalid');
}

function securityProblem(request: Incoming, message: Message, rules: RobotRules): Problem | undefined {
  const secret = rules.secret ?? '';
  if (secret !== '' && !isSigned(message, secret, request.at))
    return [19021, 'sign match fail or timestamp is not within one hour from current time'];
  const keyword = rules.keyword ?? '';
  const texts = textsUnder(message, TEXT_KEYS);
  return keyword === '' || texts.some((text) => text.includes(keyword))
    ? undefined
    : [19024, 'Key Words Not Found'];
}

function isSigned(message: Message, secret: string, at: number): boolean {
  const timestamp = String(message.timestamp ?? '');
  const hmac = createHmac('sha256', `${timestamp}\n${secret}`);
  const isFresh = Math.abs(Number(timestamp) - at / 1_000) <= HOUR_SECONDS;
  return isFresh && message.sign === hmac.digest('base64');
}

function mentionsOf(message: Message): readonly string[] {
  const texts = textsUnder(message, TEXT_KEYS).join('\n');
  const pattern = message.msg_type === 'interactive' ? CARD_MENTION : TEXT_MENTION;
  return [...texts.matchAll(pattern)].map((match) => match[1] ?? '');
}

function ruling(code: number, msg: string, mentions: readonly string[] = []): Ruling {
  const json =
    code === 0 ? { StatusCode: 0, StatusMessage: 'success', code, data: {}, msg } : { code, data: {}, msg };
  return { json, code, mentions };
}
