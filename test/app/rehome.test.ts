import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { type App, buildApp } from '../../src/app.ts';
import type { Settings } from '../../src/domain/settings.ts';
import { load, minimalWith } from '../config/support.ts';
import { tempFolder } from '../support/store.ts';

/** A robot that answers when it is told to, by the last part of its token. */
async function startRobot() {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith('slow')) held.push(response);
    else response.end('{"errcode":0,"errmsg":"ok"}');
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { held, url: (name: string) => `http://127.0.0.1:${port}/robot/send?access_token=${name}` };
}

async function startApp(before: Settings, after: Settings): Promise<{ app: App; url: string }> {
  const app = await buildApp(before, { loadAgain: async () => ({ settings: after, warnings: [] }) });
  onTestFinished(() => app.close());
  return { app, url: await app.listen() };
}

describe('a channel taken out by a reload', () => {
  it('hands on what was in flight when its attempt fails', async () => {
    const robot = await startRobot();
    const base = {
      'server.listen': '127.0.0.1:0',
      'store.url': `sqlite:${tempFolder()}/a.db`,
      'egress.allow_private': true,
    };
    const common = { ...base, 'sources.grafana.auth': 'none' };
    const ops = { 'channels.ops.robots': [{ url: robot.url('quick') }] };
    const slow = { provider: 'dingtalk', robots: [{ url: robot.url('slow') }] };
    const before = load({ yaml: minimalWith({ ...common, ...ops, 'channels.old': slow }) }).settings;
    const after = load({ yaml: minimalWith({ ...common, ...ops }) }).settings;
    const { app, url } = await startApp(before, after);
    const body = JSON.stringify({ alerts: [{ labels: { alertname: 'Down' } }] });
    const posted = await fetch(`${url}/hooks/grafana/old`, { method: 'POST', body });
    await vi.waitFor(() => expect(robot.held).toHaveLength(1), 5_000);

    const reloaded = await app.reload();
    robot.held[0]?.writeHead(503).end('busy');

    const { id } = z.object({ id: z.string() }).parse(await posted.json());
    expect(reloaded.ok).toBe(true);
    await vi.waitFor(async () => {
      const deliveries = (await app.store.notification(id))?.deliveries ?? [];
      expect(deliveries.map(({ channel, state }) => [channel, state])).toEqual([['ops', 'delivered']]);
    }, 8_000);
  });
});
