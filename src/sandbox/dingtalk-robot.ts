import { createHmac } from 'node:crypto';
import { dingtalkShapeProblem } from './dingtalk-shape.ts';
import { asObject, type Incoming, parseJson, type RobotRules, type Ruling, textsUnder } from './exchange.ts';
import { RateCounter } from './rate.ts';

/** https://open.dingtalk.com/document/development/custom-robots-send-group-messages */
const RATE = { perSecond: undefined, perMinute: 20, muteMs: 10 * 60_000 };
const MAX_BYTES = 20_000;
const HOUR_MS = 3_600_000;
const MAX_MENTIONS = 50;

const TEXT_KEYS = new Set(['content', 'title', 'text', 'singleTitle']);

export interface LookAlike {
  receive(request: Incoming): Ruling;
}

/** A robot in a group of DingTalk: everything is answered with HTTP 200 and a code. */
export function dingtalkRobot(rules: RobotRules): LookAlike {
  const rate = new RateCounter(RATE);
  return {
    receive: (request) => {
      const refused = requestProblem(request) ?? rateProblem(request, rate);
      if (refused !== undefined) return ruling(...refused);
      const message = asObject(parseJson(request.body));
      if (message === undefined) return ruling(40035, '缺少参数 json');
      const problem =
        securityProblem(request, message, rules) ?? sizeProblem(request) ?? dingtalkShapeProblem(message);
      return problem === undefined ? ruling(0, 'ok', mentionsOf(message)) : ruling(...problem);
    },
  };
}

/** The answer of a host that knows no robot by this token. */
export function unknownDingtalkRobot(): Ruling {
  return ruling(300005, 'token is not exist');
}

type Problem = readonly [code: number, text: string];

function requestProblem(request: Incoming): Problem | undefined {
  if (request.method !== 'POST') return [43002, '需要POST请求'];
  return /application\/json/iu.test(request.headers['content-type'] ?? '')
    ? undefined
    : [43004, '无效的HTTP HEADER Content-Type'];
}

function rateProblem(request: Incoming, rate: RateCounter): Problem | undefined {
  return rate.take(request.at) ? undefined : [130101, 'send too fast, exceed 20 times per minute'];
}

function sizeProblem(request: Incoming): Problem | undefined {
  return request.body.length > MAX_BYTES ? [460101, 'message too long, exceed 20000 bytes'] : undefined;
}

function securityProblem(request: Incoming, message: unknown, rules: RobotRules): Problem | undefined {
  const secret = rules.secret ?? '';
  if (secret !== '') {
    const timestamp = request.url.searchParams.get('timestamp') ?? '';
    const hmac = createHmac('sha256', secret).update(`${timestamp}\n${secret}`);
    if (request.url.searchParams.get('sign') !== hmac.digest('base64'))
      return [
        310000,
        described('机器人发送签名不匹配', '请确认签名和生成签名的时间戳(timestamp)必须都放在调用的网址中'),
      ];
    if (Math.abs(Number(timestamp) - request.at) > HOUR_MS)
      return [310000, described('机器人发送签名过期', '签名生成时间和发送时间请保持在一小时以内')];
  }
  const keyword = rules.keyword ?? '';
  const texts = textsUnder(message, TEXT_KEYS);
  return keyword === '' || texts.some((text) => text.includes(keyword))
    ? undefined
    : [310000, described('关键词不匹配', '请联系群管理员查看此机器人的关键词')];
}

function described(description: string, solution: string): string {
  return `description:${description};solution:${solution};`;
}

/** Only text and markdown messages mention, and only who stands in `at` and, with an `@`, in the text. */
function mentionsOf(message: Readonly<Record<string, unknown>>): readonly string[] {
  if (message.msgtype !== 'text' && message.msgtype !== 'markdown') return [];
  const at = asObject(message.at) ?? {};
  const text = textsUnder(message, new Set(['content', 'text'])).join('\n');
  const named = [at.atMobiles, at.atUserIds].flatMap((ids) => (Array.isArray(ids) ? ids.map(String) : []));
  const marked = named.slice(0, MAX_MENTIONS).filter((id) => text.includes(`@${id}`));
  return at.isAtAll === true ? ['all', ...marked] : marked;
}

function ruling(errcode: number, errmsg: string, mentions: readonly string[] = []): Ruling {
  return { json: { errcode, errmsg }, code: errcode, mentions };
}
