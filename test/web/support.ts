import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { ChannelReport } from '../../src/domain/channel-report.ts';
import { makeId } from '../../src/domain/ids.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { DeliveryQuery, NotificationQuery, StoreAction } from '../../src/domain/store.ts';
import { apiPlugin } from '../../src/web/api/plugin.ts';
import { healthPlugin } from '../../src/web/health.ts';
import type { WebDeps } from '../../src/web/ports.ts';
import { createServer, type ServerOptions } from '../../src/web/server.ts';

export const TOKEN = 'admin-token-for-tests';
export const AUTH = { authorization: `Bearer ${TOKEN}` };

/** What the fake dependencies were asked for. */
export interface Calls {
  readonly actions: StoreAction[];
  readonly notificationQueries: NotificationQuery[];
  readonly deliveryQueries: DeliveryQuery[];
  readonly woken: string[];
  readonly resumed: string[];
}

export function report(changes: Partial<ChannelReport> = {}): ChannelReport {
  return {
    name: 'ops',
    provider: 'dingtalk',
    state: 'ok',
    waiting: 0,
    oldestDueMs: undefined,
    brokenReason: undefined,
    pausedUntil: undefined,
    robots: [{ key: 'robot-a', pausedUntil: undefined, reason: undefined }],
    lastAttempt: undefined,
    lastDeliveredAt: undefined,
    fallback: undefined,
    ...changes,
  };
}

export function fakeDeps(changes: Partial<WebDeps> = {}): { deps: WebDeps; calls: Calls } {
  const calls: Calls = {
    actions: [],
    notificationQueries: [],
    deliveryQueries: [],
    woken: [],
    resumed: [],
  };
  const deps: WebDeps = {
    store: fakeStore(calls),
    engine: {
      states: () => [report()],
      wake: (channel) => void calls.woken.push(channel),
      resume: (channel) => void calls.resumed.push(channel),
    },
    adminToken: () => new Secret(TOKEN),
    version: '1.2.3',
    readiness: () => ({ isReady: true }),
    scrape: async () => '# metrics\n',
    scrapeContentType: 'text/plain; version=0.0.4; charset=utf-8',
    preview: async () => [],
    testChannel: async () => ({
      notificationId: makeId('ntf'),
      outcome: 'delivered',
      reason: 'ok',
      providerCode: '0',
      providerText: 'ok',
      advice: '',
    }),
    reload: async () => ({ ok: true, warnings: [] }),
    ...changes,
  };
  return { deps, calls };
}

function fakeStore(calls: Calls): WebDeps['store'] {
  return {
    notifications: async (query) => {
      calls.notificationQueries.push(query);
      return { items: [], next: null };
    },
    notification: async () => undefined,
    body: async () => undefined,
    deliveries: async (query) => {
      calls.deliveryQueries.push(query);
      return { items: [], next: null };
    },
    delivery: async () => undefined,
    act: async (action) => {
      calls.actions.push(action);
      return { kind: 'done', channel: 'ops' };
    },
    ping: async () => undefined,
  };
}

export async function startWeb(
  deps: WebDeps,
  options: Partial<ServerOptions> = {},
  more: readonly FastifyPluginAsync[] = [],
): Promise<FastifyInstance> {
  return createServer({
    bodyLimitBytes: 1024 * 1024,
    plugins: [healthPlugin(deps), apiPlugin(deps), ...more],
    ...options,
  });
}
