import type { Meaning } from '../http-verdict.ts';
import { MUTE_MS } from './limits.ts';

type Body = Readonly<Record<string, unknown>>;

/** The vendor asks for one second on its QPS codes, ms. */
const QPS_WAIT_MS = 1_000;

const SYSTEM_BUSY: Meaning = { outcome: 'unavailable', reason: 'system_busy' };
const BAD_REQUEST: Meaning = { outcome: 'misconfigured', reason: 'bad_request' };
const BAD_MESSAGE: Meaning = { outcome: 'rejected', reason: 'bad_message' };
const TOO_LONG: Meaning = { outcome: 'rejected', reason: 'too_long' };
const UNSAFE: Meaning = { outcome: 'rejected', reason: 'unsafe_content' };
const UNKNOWN_TOKEN: Meaning = { outcome: 'misconfigured', reason: 'unknown_token' };
const DISABLED: Meaning = { outcome: 'misconfigured', reason: 'robot_disabled' };
const MUTED: Meaning = { outcome: 'throttled', reason: 'rate_limited', waitMs: MUTE_MS };
const TOO_MANY_QUERIES: Meaning = { outcome: 'throttled', reason: 'rate_limited', waitMs: QPS_WAIT_MS };
const QUOTA: Meaning = { outcome: 'throttled', reason: 'quota_exhausted' };

/** Codes that mean one thing. */
const CODES: ReadonlyMap<number, Meaning> = new Map([
  [-1, SYSTEM_BUSY],
  [15, SYSTEM_BUSY],
  [500100, SYSTEM_BUSY],
  [22, BAD_REQUEST],
  [404, BAD_REQUEST],
  [43002, BAD_REQUEST],
  [43004, BAD_REQUEST],
  [90002, TOO_MANY_QUERIES],
  [90018, TOO_MANY_QUERIES],
  [90020, QUOTA],
  [90030, QUOTA],
  [101002, TOO_LONG],
  [460101, TOO_LONG],
  [130101, MUTED],
  [410100, MUTED],
  [450101, MUTED],
  [300005, UNKNOWN_TOKEN],
  [400101, UNKNOWN_TOKEN],
  [400013, DISABLED],
  [400102, DISABLED],
  [400106, DISABLED],
  [400105, BAD_MESSAGE],
  [400402, BAD_MESSAGE],
  [400403, BAD_MESSAGE],
  [430101, UNSAFE],
  [430102, UNSAFE],
  [430103, UNSAFE],
  [430104, UNSAFE],
]);

/** Codes that mean several things, told apart by the robot's words. */
const BY_TEXT: ReadonlyMap<number, (text: string, body: Body) => Meaning> = new Map([
  [88, authentication],
  [40035, (text: string) => (/access_token/iu.test(text) ? UNKNOWN_TOKEN : BAD_MESSAGE)],
  [300001, (text: string) => (/msgtype/iu.test(text) ? BAD_MESSAGE : UNKNOWN_TOKEN)],
  [310000, securityCheck],
]);

/** What a code other than 0 means; undefined when nobody has documented or seen it. */
export function meaningOfCode(code: number, text: string, body: Body): Meaning | undefined {
  return BY_TEXT.get(code)?.(text, body) ?? CODES.get(code);
}

/** 88 wraps the answer of the authentication service; without a code of that, the service timed out. */
function authentication(text: string, body: Body): Meaning {
  const subCode = String(body.sub_code ?? '');
  return subCode !== '' || /sub_?code=\d|access_token/iu.test(text) ? UNKNOWN_TOKEN : SYSTEM_BUSY;
}

const DESCRIPTION = /(?:description|错误描述)\s*[:：]\s*([\s\S]*?)\s*(?:[;；]|solution|解决方案|$)/iu;

/**
 * 310000 stands for four failed checks, in three wordings. The description goes before the solution:
 * the solution of a wrong signature speaks of the timestamp.
 */
function securityCheck(text: string): Meaning {
  const described = DESCRIPTION.exec(text)?.[1] ?? '';
  const words = described === '' ? text : described;
  if (/keyword|关键词/iu.test(words)) return { outcome: 'misconfigured', reason: 'keyword_missing' };
  if (/whitelist|白名单/iu.test(words)) return { outcome: 'misconfigured', reason: 'ip_denied' };
  if (/timestamp|签名过期|时间戳/iu.test(words)) return { outcome: 'misconfigured', reason: 'bad_timestamp' };
  if (/sign|签名/iu.test(words)) return { outcome: 'misconfigured', reason: 'bad_signature' };
  return BAD_REQUEST;
}
