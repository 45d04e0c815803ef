import { cutToBytes } from './text.ts';

/** Enough to understand a refusal; more is a page nobody reads. */
const MAX_TEXT_BYTES = 2_048;
const REDACTED = '[redacted]';

/** Where a robot's answer may repeat what the request carried. */
const SECRET_PLACES: readonly RegExp[] = [
  /((?:access_token|token|session|sign|secret)["']?\s*[=:]\s*["']?)[^\s&"',;}<]+/giu,
  /(\bhook\/)[^\s/?"'<&]+/giu,
  /(\bfrom ip[:=]?\s*)[\da-f.:]+/giu,
];

/** A robot's words without what could be a secret, on at most 2 KiB. */
export function scrub(text: string): string {
  let clean = text;
  for (const place of SECRET_PLACES) clean = clean.replace(place, `$1${REDACTED}`);
  return cutToBytes(clean, MAX_TEXT_BYTES);
}

/** Takes known secrets out wherever and in whichever encoding they stand. */
export function scrubKnown(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets.filter((known) => known !== '')) {
    clean = clean.replaceAll(secret, REDACTED).replaceAll(encodeURIComponent(secret), REDACTED);
  }
  return clean;
}
