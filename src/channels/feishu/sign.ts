import { createHmac } from 'node:crypto';

/**
 * The `sign` of one instant: HMAC-SHA256 of nothing, with timestamp and secret as the key (the other
 * way round from DingTalk, and in seconds).
 * https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */
export function signatureOf(secret: string, timestampSeconds: number): string {
  return createHmac('sha256', `${timestampSeconds}\n${secret}`).update('').digest('base64');
}

/** The fields that go into the body beside the message. */
export function signatureFields(
  secret: string,
  nowMs: number,
): { readonly timestamp: string; readonly sign: string } {
  const seconds = Math.floor(nowMs / 1_000);
  return { timestamp: String(seconds), sign: signatureOf(secret, seconds) };
}
