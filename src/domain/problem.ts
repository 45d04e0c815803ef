import { ERROR_CODES, type ErrorCode } from './errors.ts';

export const PROBLEM_CONTENT_TYPE = 'application/problem+json';

/** A refusal as it travels over HTTP: RFC 9457 with our stable `code` beside the standard members. */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
}

/** Builds the answer for a code. `detail` says what to do and never holds a secret. */
export function problem(code: ErrorCode, detail: string): Problem {
  return {
    type: `urn:alertcard:problem:${code}`,
    title: code.replaceAll('_', ' '),
    // Codes of configuration and start have no status of their own: over HTTP they are our own failure.
    status: ERROR_CODES[code] === 0 ? 500 : ERROR_CODES[code],
    code,
    detail,
  };
}
