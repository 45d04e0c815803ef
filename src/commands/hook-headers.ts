import { grafanaSignature } from '../domain/grafana-signature.ts';
import type { SourceAuth } from '../domain/settings.ts';

/** The headers with which a sender that knows the source's first secret would post these bytes now. */
export function hookHeaders(auth: SourceAuth, body: Uint8Array, nowMs: number): Record<string, string> {
  if (auth.kind === 'none') return {};
  const secret = auth.secrets[0]?.reveal() ?? '';
  if (auth.kind === 'bearer') return { authorization: `Bearer ${secret}` };
  if (auth.kind === 'basic') {
    return { authorization: `Basic ${Buffer.from(secret, 'utf8').toString('base64')}` };
  }
  const timestampHeader = auth.timestampHeaders[0];
  if (timestampHeader === undefined) return { [auth.header]: grafanaSignature(secret, body) };
  const timestamp = String(Math.floor(nowMs / 1000));
  return { [auth.header]: grafanaSignature(secret, body, timestamp), [timestampHeader]: timestamp };
}
