import { providerOf } from '../../src/channels/registry.ts';
import type { Message } from '../../src/domain/card.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ProviderName, RobotSettings } from '../../src/domain/settings.ts';
import { dingtalkRobot } from '../../src/sandbox/dingtalk-robot.ts';
import { feishuRobot } from '../../src/sandbox/feishu-robot.ts';
import { NOW } from './card-input.ts';

const SECRET = 'SEC-golden';

const URLS: Readonly<Record<ProviderName, string>> = {
  dingtalk: 'https://oapi.dingtalk.com/robot/send?access_token=golden',
  feishu: 'https://open.feishu.cn/open-apis/bot/v2/hook/golden',
};

/** What a fresh look-alike robot says to a message signed as it is for sending, and how large the body was. */
export function robotCode(
  provider: ProviderName,
  message: Message,
): { readonly code: number; readonly bytes: number } {
  const robot: RobotSettings = { url: new Secret(URLS[provider]), secret: new Secret(SECRET), key: 'golden' };
  const { url, body } = providerOf(provider).sign(message, robot, NOW);
  const rules = { secret: SECRET };
  const lookAlike = provider === 'dingtalk' ? dingtalkRobot(rules) : feishuRobot(rules);
  const { code } = lookAlike.receive({
    method: 'POST',
    url: new URL(url),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(body),
    at: NOW,
  });
  return { code, bytes: Buffer.byteLength(body) };
}
