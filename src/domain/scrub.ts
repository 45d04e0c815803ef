const REDACTED = '[redacted]';

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
  [/(\/hook\/)[^\s"'`/?#&<>\\,;)\]}]+/gi, `$1${REDACTED}`],
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
