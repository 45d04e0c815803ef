/** What an attempt meant; `settle.ts` says what follows each. */
export const OUTCOMES = [
  'delivered',
  'throttled',
  'unavailable',
  'misconfigured',
  'rejected',
  'unconfirmed',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Why, for people and metrics: a closed list, every value documented in docs/reference/reasons. */
export const REASONS = [
  'ok',
  // throttled
  'rate_limited',
  'flood_guard',
  'quota_exhausted',
  // unavailable
  'dns',
  'connect',
  'tls',
  'connect_timeout',
  'reset_before_sent',
  'server_error',
  'system_busy',
  // misconfigured
  'bad_signature',
  'bad_timestamp',
  'unknown_token',
  'ip_denied',
  'robot_disabled',
  'keyword_missing',
  'redirect',
  'egress_denied',
  'bad_request',
  'bare_refused',
  // rejected
  'bad_message',
  'too_long',
  'unsafe_content',
  'bad_mention',
  'unknown_code',
  // unconfirmed
  'timeout',
  'reset',
  'unreadable_answer',
  'gateway',
  'interrupted',
  'lease_expired',
  // deaths
  'expired',
  'poison',
  'discarded',
  'replaced',
] as const;
export type Reason = (typeof REASONS)[number];

/** What a robot (or the way to it) said to one attempt. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly httpStatus?: number;
  /** The provider's own code, with its sub-code after a dot where there is one: `0`, `310000`, `11246.200621`. */
  readonly providerCode?: string;
  /** The provider's own words, scrubbed of secrets, at most 2 KiB. */
  readonly providerText?: string;
  /** How long the robot itself asked us to wait, ms (DingTalk's ten minutes, Feishu's header). */
  readonly waitMs?: number;
}
