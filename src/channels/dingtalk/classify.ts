import type { Verdict } from '../../domain/outcome.ts';
import { scrubAnswer } from '../../domain/scrub.ts';
import { jsonObject, type Meaning, textOf, verdictOfStatus, verdictOfTransport } from '../http-verdict.ts';
import type { Answer } from '../provider.ts';
import { meaningOfCode } from './codes.ts';
import { FLOOD_GUARD_MS, MUTE_MS } from './limits.ts';

/** Rates only: the bare word "exceed" also stands in the size refusal. */
const TOO_FAST = /too fast|exceed 20 times|over limit|限流|太快|频率/iu;

const CLOCK_HINT = ' (check the clock of the host Alertcard runs on: one hour off is refused)';

/** Reads an answer. HTTP 200 says nothing here: only a numeric `errcode` is the robot's own word. */
export function classify(answer: Answer): Verdict {
  if (answer.kind !== 'answered') return verdictOfTransport(answer);
  const body = jsonObject(answer);
  const code = body?.errcode;
  if (body !== undefined && typeof code === 'number') return verdictOfCode(code, body, answer.httpStatus);
  if (isFloodGuard(answer)) {
    return {
      outcome: 'throttled',
      reason: 'flood_guard',
      httpStatus: answer.httpStatus,
      providerText: 'flood guard: too many calls from this address',
      waitMs: FLOOD_GUARD_MS,
    };
  }
  return verdictOfStatus(answer, MUTE_MS);
}

function verdictOfCode(code: number, body: Readonly<Record<string, unknown>>, httpStatus: number): Verdict {
  const text = textOf(body.errmsg);
  const meaning = readCode(code, text, body);
  const hint = meaning.reason === 'bad_timestamp' ? CLOCK_HINT : '';
  return { ...meaning, httpStatus, providerCode: String(code), providerText: scrubAnswer(text) + hint };
}

function readCode(code: number, text: string, body: Readonly<Record<string, unknown>>): Meaning {
  if (code === 0) return { outcome: 'delivered', reason: 'ok' };
  // The guard's page has been seen merged into an ordinary answer.
  if (typeof body.punish === 'string' || body.status === 1111)
    return { outcome: 'throttled', reason: 'flood_guard', waitMs: MUTE_MS };
  const known = meaningOfCode(code, text, body);
  if (known?.outcome !== 'throttled' && TOO_FAST.test(text))
    return { outcome: 'throttled', reason: 'rate_limited', waitMs: MUTE_MS };
  return known ?? { outcome: 'rejected', reason: 'unknown_code' };
}

/**
 * A page or an object of the gateway, in no documented form: the status 1111, or a `punish` key, value
 * or link. Seen with HTTP 200, and as a redirect while a robot is mute.
 */
function isFloodGuard(answer: Extract<Answer, { kind: 'answered' }>): boolean {
  return /punish|"status"\s*:\s*1111\b/iu.test(answer.body) || /punish/iu.test(answer.headers.location ?? '');
}
