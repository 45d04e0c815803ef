import { cutToBytes } from './truncate.ts';

const REDACTED = '[redacted]';
/** Enough of a robot's words to understand a refusal; more is a page nobody reads. */
const MAX_ANSWER_BYTES = 2_048;

/** Names whose values are credentials, in query strings and in JSON. */
const NAMES =
  'access_token|admin_token|api_?key|authorization|password|passwd|secret|sign|signature|token|key';

/**
 * Every pattern stops before a quote, a backslash and white space, so that a scrubbed line of JSON is
 * still JSON. Robot URLs carry their token in the query (DingTalk) or as the last part of the path (Feishu).
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`(?:\\b|(?<=%[0-9a-f]{2}))(${NAMES})(=|%3D)[^\\s"'\`&<>\\\\,;)\\]}]+`, 'gi'),
    `$1$2${REDACTED}`,
  ],
  [/\b(access_token|session|sign|secret|token)(\s*:\s*)[^\s"'`&<>\\,;)\]}[{]+/gi, `$1$2${REDACTED}`],
  [/(\bhook\/)[^\s"'`/?#&<>\\,;)\]}]+/gi, `$1${REDACTED}`],
  [/\b(Bearer\s+)[^\s"'`\\,;<>]+/gi, `$1${REDACTED}`],
  [/\b(Basic\s+)[A-Za-z0-9+/_-]{6,}={0,2}/gi, `$1${REDACTED}`],
  [/(:\/\/)[^\s/@"'`\\]{1,512}@/g, `$1${REDACTED}@`],
  [new RegExp(`("(?:${NAMES})"\\s*:\\s*")(?:\\\\.|[^"\\\\])+`, 'gi'), `$1${REDACTED}`],
  [new RegExp(`(\\\\"(?:${NAMES})\\\\"\\s*:\\s*\\\\")[^"\\\\]+`, 'gi'), `$1${REDACTED}`],
];

/**
 * Takes what looks like a credential out of a text: robot tokens in URLs, signatures, authorization
 * headers, passwords in URLs. The last line of defence for texts others wrote (error messages, stacks).
 */
export function scrub(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}

/** In a robot's words, which need not stay JSON: a name in or before quotes, and the address a robot saw. */
const ANSWER_PATTERNS: readonly RegExp[] = [
  /((?:access_token|token|session|sign|secret)["']?\s*[=:]\s*["'])[^\s&"',;}<]+/gi,
  /(\bfrom ip[:=]?\s*)[\da-f.:]+/gi,
];

/** A robot's words without what could be a secret, on at most 2 KiB. */
export function scrubAnswer(text: string): string {
  let clean = text;
  for (const pattern of ANSWER_PATTERNS) clean = clean.replace(pattern, `$1${REDACTED}`);
  return cutToBytes(scrub(clean), MAX_ANSWER_BYTES).text;
}

/** Takes known secrets out wherever and in whichever encoding they stand. */
export function scrubKnown(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets.filter((known) => known !== '')) {
    clean = clean.replaceAll(secret, REDACTED).replaceAll(encodeURIComponent(secret), REDACTED);
  }
  return clean;
}
