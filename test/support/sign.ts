import { createHmac } from 'node:crypto';

export interface SignOptions {
  /** Unix seconds; without them the body alone is signed, as Grafana does when no timestamp header is set. */
  readonly timestampSeconds?: number | string;
  readonly header?: string;
  readonly timestampHeader?: string;
}

/** The headers Grafana sends with a webhook whose contact point has an HMAC secret. */
export function signedHeaders(
  secret: string,
  body: Uint8Array | string,
  options: SignOptions = {},
): Record<string, string> {
  const { timestampSeconds, header = 'X-Grafana-Alerting-Signature' } = options;
  const hmac = createHmac('sha256', secret);
  if (timestampSeconds !== undefined) hmac.update(`${timestampSeconds}:`);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'User-Agent': 'Grafana',
    [header]: hmac.update(body).digest('hex'),
  };
  if (timestampSeconds !== undefined)
    headers[options.timestampHeader ?? 'X-Grafana-Alerting-Timestamp'] = String(timestampSeconds);
  return headers;
}
