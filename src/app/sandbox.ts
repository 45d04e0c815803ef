import { randomBytes } from 'node:crypto';
import { join, parse, resolve } from 'node:path';
import type { Sandbox, SandboxCard, SandboxOptions } from '../commands/context.ts';
import { sandboxSettings } from '../config/sandbox-settings.ts';
import type { Received } from '../sandbox/exchange.ts';
import { startRobots } from '../sandbox/robots.ts';
import { showReceived } from '../sandbox/show.ts';

/** Starts look-alike robots on loopback and makes settings in which every channel leads to one. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const channelOf = new Map<string, string>();
  const robots = await startRobots({
    onReceived: (received) => {
      const card = cardOf(received, channelOf.get(received.robot) ?? received.robot);
      if (card !== undefined) options.onCard(card);
    },
  });
  const base = options.settings;
  const settings = sandboxSettings({
    base,
    robotFor: (channel, provider) => {
      const token = `sandbox-${randomBytes(8).toString('hex')}`;
      const secret = `SEC${randomBytes(16).toString('hex')}`;
      channelOf.set(token, channel);
      const url =
        provider === 'dingtalk' ? robots.dingtalkUrl(token, { secret }) : robots.feishuUrl(token, { secret });
      return { url, secret };
    },
    hmacSecret: randomBytes(24).toString('base64url'),
    listen: '127.0.0.1:0',
    storePath: sandboxStore(base?.store.path ?? join(resolve(options.dataDir), 'alertcard.db')),
    cwd: process.cwd(),
  });
  // Nobody balances load before a sandbox.
  const server = base === undefined ? { ...settings.server, drainDelayMs: 0 } : settings.server;
  return { settings: { ...settings, server }, close: () => robots.close() };
}

/**
 * A store beside the configured one: what waits in that has to reach people, and a look-alike would end it
 * as delivered.
 */
function sandboxStore(path: string): string {
  const { dir, name } = parse(path);
  return join(dir, `${name}.sandbox.db`);
}

/** undefined for what the robot refused: it stands in no chat. */
function cardOf(received: Received, channel: string): SandboxCard | undefined {
  if (!received.isShown) return undefined;
  return { provider: received.platform, channel, ...showReceived(received) };
}
