import { createHmac } from 'node:crypto';

/**
 * The `sign` of one instant, base64 and not yet URL-encoded: HMAC-SHA256 with the secret as key.
 * https://open.dingtalk.com/document/dingstart/customize-robot-security-settings
 */
export function signatureOf(secret: string, timestampMs: number): string {
  return createHmac('sha256', secret).update(`${timestampMs}\n${secret}`).digest('base64');
}

/** The robot's URL with timestamp and signature added, encoded once; the rest of the query stays. */
export function signedUrl(robotUrl: string, secret: string, timestampMs: number): string {
  const url = new URL(robotUrl);
  url.searchParams.set('timestamp', String(timestampMs));
  url.searchParams.set('sign', signatureOf(secret, timestampMs));
  return url.href;
}
