import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApp } from '../../src/app.ts';
import { HMAC_SECRET, type RobotExample, settingsWith } from './settings.ts';

export interface RunningApp {
  /** Posts a signed notification to one channel and waits for what the robot says. */
  notify(channel: string, body: Buffer): Promise<{ readonly status: number; readonly answer: unknown }>;
  close(): Promise<void>;
}

/** The whole application on a store file of its own, nothing in it replaced. */
export async function startApp(robots: Readonly<Record<string, RobotExample>>): Promise<RunningApp> {
  const folder = mkdtempSync(join(tmpdir(), 'alertcard-nock-'));
  const app = await buildApp(settingsWith(robots, folder));
  const address = await app.listen();
  return {
    async notify(channel, body) {
      const response = await fetch(`${address}/hooks/grafana/${channel}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'wait=5', ...signatureOf(body) },
        body,
      });
      return { status: response.status, answer: await response.json() };
    },
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function signatureOf(body: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', HMAC_SECRET).update(`${timestamp}:`).update(body).digest('hex');
  return { 'x-grafana-alerting-timestamp': timestamp, 'x-grafana-alerting-signature': signature };
}
