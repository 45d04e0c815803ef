import { createHmac } from 'node:crypto';

/**
 * Signs a body as Grafana does: lower-case hex HMAC-SHA256 over the raw bytes, or over
 * `<timestamp>:<raw bytes>` when a timestamp (Unix seconds as sent in its header) goes with it.
 */
export function grafanaSignature(secret: string, body: Uint8Array, timestamp?: string): string {
  const hmac = createHmac('sha256', secret);
  if (timestamp !== undefined) hmac.update(`${timestamp}:`);
  return hmac.update(body).digest('hex');
}
