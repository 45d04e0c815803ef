import type { Verdict } from '../../domain/outcome.ts';
import { scrubAnswer } from '../../domain/scrub.ts';
import {
  jsonObject,
  type Meaning,
  retryAfterMs,
  textOf,
  verdictOfStatus,
  verdictOfTransport,
} from '../http-verdict.ts';
import type { Answer } from '../provider.ts';
import { CARD_REFUSED, meaningOfCode, subCodeOf } from './codes.ts';

type Answered = Extract<Answer, { kind: 'answered' }>;

/** 9499 and others come with these words when they mean the rate; a refused card may quote them from its own text. */
const TOO_FAST = /frequency limit|too many request|rate limit/iu;

/** Wrong secret and wrong clock answer alike. */
const CLOCK_HINT = ' (the secret is wrong, or the clock of the host Alertcard runs on is an hour off)';

/**
 * Reads an answer. HTTP 200 says nothing here. `code` decides where it is present; `StatusCode` only
 * without it, because refusals have been seen with a `StatusCode` of 0.
 */
export function classify(answer: Answer): Verdict {
  if (answer.kind !== 'answered') return verdictOfTransport(answer);
  const waitMs = waitOf(answer);
  const body = jsonObject(answer);
  const code = body === undefined ? undefined : 'code' in body ? body.code : body.StatusCode;
  if (body === undefined || typeof code !== 'number') return verdictOfStatus(answer, waitMs);
  const text = 'code' in body ? textOf(body.msg) : textOf(body.StatusMessage);
  return verdictOfCode(code, text, answer.httpStatus, waitMs);
}

function verdictOfCode(code: number, text: string, httpStatus: number, waitMs: number | undefined): Verdict {
  const meaning = readCode(code, text);
  const subCode = subCodeOf(code, text);
  return {
    ...meaning,
    httpStatus,
    providerCode: subCode === undefined ? String(code) : `${code}.${subCode}`,
    providerText: scrubAnswer(text) + (meaning.reason === 'bad_signature' ? CLOCK_HINT : ''),
    ...(meaning.outcome === 'throttled' && waitMs !== undefined ? { waitMs } : {}),
  };
}

function readCode(code: number, text: string): Meaning {
  if (code !== 0 && code !== CARD_REFUSED && TOO_FAST.test(text))
    return { outcome: 'throttled', reason: 'rate_limited' };
  return meaningOfCode(code, text) ?? { outcome: 'rejected', reason: 'unknown_code' };
}

/** https://open.feishu.cn/document/server-docs/api-call-guide/frequency-control */
function waitOf(answer: Answered): number | undefined {
  return retryAfterMs(answer.headers['x-ogw-ratelimit-reset']) ?? retryAfterMs(answer.headers['retry-after']);
}
