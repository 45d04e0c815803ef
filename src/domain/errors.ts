/**
 * Every refusal this program makes, by its stable code. Codes are contract: they stand in answers,
 * logs and docs, and a test holds the docs to this list.
 */
export const ERROR_CODES = {
  // answers of the HTTP interface (status)
  signature_missing: 401,
  signature_mismatch: 401,
  signature_repeated: 401,
  timestamp_missing: 401,
  timestamp_out_of_window: 401,
  credentials_wrong: 401,
  admin_token_wrong: 401,
  unknown_source: 404,
  unknown_channel: 404,
  not_found: 404,
  empty_body: 400,
  bad_request: 400,
  method_not_allowed: 405,
  request_too_slow: 408,
  wrong_state: 409,
  body_too_large: 413,
  content_encoding_unsupported: 415,
  test_not_delivered: 502,
  internal_error: 500,
  store_outcome_unknown: 500,
  store_unavailable: 503,
  overloaded: 503,
  // command line (exit code 1)
  server_unreachable: 0,
  // configuration and start (exit code 2)
  config_invalid: 0,
  template_invalid: 0,
  // the store cannot be trusted (exit code 3)
  store_corrupt: 0,
  store_foreign: 0,
  store_newer: 0,
  store_in_use: 0,
  store_not_durable: 0,
} as const;
export type ErrorCode = keyof typeof ERROR_CODES;

/** Base of every error thrown on purpose: a stable `code`, and a message that says what to do. */
export class AlertcardError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'AlertcardError';
    this.code = code;
  }

  /** HTTP status of the code; 0 for codes that never travel over HTTP. */
  get status(): number {
    return ERROR_CODES[this.code];
  }
}
