import type { Reason, Verdict } from '../domain/outcome.ts';
import { scrubAnswer } from '../domain/scrub.ts';
import type { Answer } from './provider.ts';

type Answered = Extract<Answer, { kind: 'answered' }>;

/** What is shown of a page that no robot wrote. */
const MAX_PAGE_CHARS = 300;

/** The verdict when no answer came back over the wire. */
export function verdictOfTransport(answer: Exclude<Answer, Answered>): Verdict {
  const providerText = scrubAnswer(answer.text);
  if (answer.kind === 'no_answer') return { outcome: 'unconfirmed', reason: answer.cause, providerText };
  if (answer.cause === 'egress_denied')
    return { outcome: 'misconfigured', reason: 'egress_denied', providerText };
  return { outcome: 'unavailable', reason: answer.cause, providerText };
}

/** The verdict by HTTP status alone, for an answer that is not in the provider's own form. */
export function verdictOfStatus(answer: Answered, throttleMs: number | undefined): Verdict {
  const status = answer.httpStatus;
  const said = { httpStatus: status, providerText: pageText(answer.body) };
  if (status === 429) {
    const waitMs = retryAfterMs(answer.headers['retry-after']) ?? throttleMs;
    return {
      outcome: 'throttled',
      reason: 'rate_limited',
      ...said,
      ...(waitMs === undefined ? {} : { waitMs }),
    };
  }
  if (status === 502 || status === 504) return { outcome: 'unconfirmed', reason: 'gateway', ...said };
  if (status >= 500 || status === 408) return { outcome: 'unavailable', reason: 'server_error', ...said };
  if (status === 413) return { outcome: 'rejected', reason: 'too_long', ...said };
  if (status >= 400) return { outcome: 'misconfigured', reason: 'bad_request', ...said };
  if (status >= 300) return { outcome: 'misconfigured', reason: 'redirect', ...said };
  return { outcome: 'unconfirmed', reason: 'unreadable_answer', ...said };
}

/** Whole seconds of a header such as `Retry-After`, as ms; undefined for a date or nonsense. */
export function retryAfterMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/u.test(header.trim()) ? Number(header) * 1_000 : undefined;
}

/** The body as a JSON object; undefined for anything else and for an answer that was cut off. */
export function jsonObject(answer: Answered): Readonly<Record<string, unknown>> | undefined {
  if (answer.isCutOff) return undefined;
  try {
    const value: unknown = JSON.parse(answer.body);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined;
  } catch {
    return undefined;
  }
}

/** A field as text; '' when it is missing or no text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** A verdict in waiting: what a provider's table says of a code. */
export interface Meaning {
  readonly outcome: Verdict['outcome'];
  readonly reason: Reason;
  readonly waitMs?: number;
}

function pageText(body: string): string {
  const words = body
    .replace(/<[^>]*>/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return scrubAnswer(words === '' ? '(empty answer)' : words.slice(0, MAX_PAGE_CHARS));
}
