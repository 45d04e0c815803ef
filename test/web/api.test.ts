import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { makeId } from '../../src/domain/ids.ts';
import type { PreviewInput } from '../../src/domain/preview.ts';
import type { DeliveryRow, NotificationDetail } from '../../src/domain/store.ts';
import type { AttemptRecord } from '../../src/domain/work.ts';
import type { WebDeps } from '../../src/web/ports.ts';
import { AUTH, fakeDeps, report, startWeb } from './support.ts';

const AT = Date.UTC(2026, 2, 2, 8, 20, 30);
const ISO = '2026-03-02T08:20:30.000Z';

let app: FastifyInstance | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function call(
  deps: WebDeps,
  method: 'GET' | 'POST',
  url: string,
  payload?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  app = await startWeb(deps);
  const response = await app.inject({
    method,
    url,
    headers: AUTH,
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, body: response.json() };
}

const delivery: DeliveryRow = {
  id: makeId('dlv'),
  notificationId: makeId('ntf'),
  channel: 'ops',
  state: 'delivered',
  reason: null,
  attempts: 2,
  createdAt: AT,
  endedAt: AT,
  foldedInto: null,
};

const attempt: AttemptRecord = {
  id: makeId('att'),
  channel: 'ops',
  robotKey: 'robot-a',
  startedAt: AT,
  durationMs: 12,
  rung: 'card',
  outcome: 'throttled',
  reason: 'rate_limited',
  httpStatus: 200,
  providerCode: '130101',
  providerText: 'send too fast',
};

const attemptJson = {
  id: attempt.id,
  channel: 'ops',
  robot: 'robot-a',
  started_at: ISO,
  duration_ms: 12,
  rung: 'card',
  outcome: 'throttled',
  reason: 'rate_limited',
  http_status: 200,
  provider_code: '130101',
  provider_text: 'send too fast',
};

const deliveryJson = {
  id: delivery.id,
  notification_id: delivery.notificationId,
  channel: 'ops',
  state: 'delivered',
  reason: null,
  attempts: 2,
  created_at: ISO,
  ended_at: ISO,
  folded_into: null,
};

const notification: NotificationDetail = {
  id: delivery.notificationId,
  source: 'grafana',
  org: '1',
  receiver: 'ops',
  groupKey: '{}',
  receivedAt: AT,
  format: 'grafana',
  status: 'firing',
  isTest: false,
  duplicates: 1,
  bodyBytes: 512,
  timeline: [
    { at: AT, kind: 'received' },
    { at: AT, kind: 'committed' },
    { at: AT, kind: 'planned', channel: 'ops', deliveryId: delivery.id },
    { at: AT, kind: 'attempt', deliveryId: delivery.id, attempt },
    { at: AT, kind: 'ended', deliveryId: delivery.id, state: 'delivered', reason: null },
  ],
  deliveries: [delivery],
};

const notificationJson = {
  id: notification.id,
  source: 'grafana',
  org: '1',
  receiver: 'ops',
  group_key: '{}',
  received_at: ISO,
  format: 'grafana',
  status: 'firing',
  is_test: false,
  duplicates: 1,
};

describe('the history', () => {
  it('pages through notifications', async () => {
    const { deps, calls } = fakeDeps();
    deps.store.notifications = async (query) => {
      calls.notificationQueries.push(query);
      return { items: [notification], next: 'n2' };
    };

    const { status, body } = await call(deps, 'GET', '/api/notifications?limit=1&cursor=n1&source=grafana');

    expect(status).toBe(200);
    expect(body).toEqual({ items: [notificationJson], next: 'n2' });
    expect(calls.notificationQueries).toEqual([{ limit: 1, cursor: 'n1', source: 'grafana' }]);
  });

  it('tells the whole timeline of one notification', async () => {
    const { deps } = fakeDeps();
    deps.store.notification = async () => notification;

    const { body } = await call(deps, 'GET', `/api/notifications/${notification.id}`);

    expect(body).toEqual({
      ...notificationJson,
      body_bytes: 512,
      timeline: [
        { at: ISO, kind: 'received' },
        { at: ISO, kind: 'committed' },
        { at: ISO, kind: 'planned', channel: 'ops', delivery_id: delivery.id },
        { at: ISO, kind: 'attempt', delivery_id: delivery.id, attempt: attemptJson },
        { at: ISO, kind: 'ended', delivery_id: delivery.id, state: 'delivered', reason: null },
      ],
      deliveries: [deliveryJson],
    });
  });

  it('filters deliveries by state and channel, fifty at a time', async () => {
    const { deps, calls } = fakeDeps();

    const { body } = await call(deps, 'GET', '/api/deliveries?state=dead&channel=ops');

    expect(body).toEqual({ items: [], next: null });
    expect(calls.deliveryQueries).toEqual([{ limit: 50, state: 'dead', channel: 'ops' }]);
  });

  it('shows one delivery with its attempts', async () => {
    const { deps } = fakeDeps();
    deps.store.delivery = async () => ({ ...delivery, attemptRecords: [attempt] });

    const { body } = await call(deps, 'GET', `/api/deliveries/${delivery.id}`);

    expect(body).toEqual({ ...deliveryJson, attempt_records: [attemptJson] });
  });

  it.each([
    ['/api/notifications?limit=0', 'limit'],
    ['/api/notifications?limit=201', 'limit'],
    ['/api/notifications?limit=many', 'limit'],
    ['/api/notifications?chanel=ops', 'chanel'],
    ['/api/deliveries?state=failed', 'state'],
  ])('refuses %s and names what is wrong', async (url, word) => {
    const { deps } = fakeDeps();

    const { status, body } = await call(deps, 'GET', url);

    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'bad_request', detail: expect.stringContaining(word) });
  });

  it.each(['/api/notifications/ntf_1', '/api/deliveries/dlv_1'])('knows nothing of %s', async (url) => {
    const { deps } = fakeDeps();

    const { status, body } = await call(deps, 'GET', url);

    expect(status).toBe(404);
    expect(body.code).toBe('not_found');
  });
});

describe('replay and discard', () => {
  it.each(['replay', 'discard'] as const)('%s acts on the store and wakes the lane', async (kind) => {
    const { deps, calls } = fakeDeps();

    const { status, body } = await call(deps, 'POST', `/api/deliveries/dlv_1/${kind}`);

    expect(status).toBe(200);
    expect(body).toEqual({ channel: 'ops' });
    expect(calls.actions).toEqual([{ kind, deliveryId: 'dlv_1' }]);
    expect(calls.woken).toEqual(['ops']);
  });

  it.each(['replay', 'discard'])('%s answers 409 when the state does not fit', async (kind) => {
    const { deps } = fakeDeps();
    deps.store.act = async () => ({ kind: 'wrong_state', state: 'delivered' });

    const { status, body } = await call(deps, 'POST', `/api/deliveries/dlv_1/${kind}`);

    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'wrong_state',
      detail: `Cannot ${kind} a delivery that is delivered.`,
    });
  });

  it.each([
    '/api/deliveries/dlv_1/replay',
    '/api/deliveries/dlv_1/discard',
    '/api/channels/ops/resume',
    '/api/channels/ops/test',
    '/api/reload',
  ])('%s takes an empty body that is called JSON as none', async (url) => {
    app = await startWeb(fakeDeps().deps);

    const { statusCode } = await app.inject({
      method: 'POST',
      url,
      headers: { ...AUTH, 'content-type': 'application/json' },
      payload: '',
    });

    expect(statusCode).toBe(200);
  });

  it('an empty body is not taken for JSON where one has to be sent', async () => {
    app = await startWeb(fakeDeps().deps);

    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/channels/ops/pause',
      headers: { ...AUTH, 'content-type': 'application/json' },
      payload: '',
    });

    expect(statusCode).toBe(400);
  });

  it('replay answers 404 for an unknown id', async () => {
    const { deps } = fakeDeps();
    deps.store.act = async () => ({ kind: 'not_found' });

    const { status, body } = await call(deps, 'POST', '/api/deliveries/dlv_1/replay');

    expect(status).toBe(404);
    expect(body.code).toBe('not_found');
  });
});

describe('channels', () => {
  it('are listed with their robots, pauses and last attempt', async () => {
    const paused = report({
      state: 'broken',
      brokenReason: 'ip_denied',
      pausedUntil: AT,
      oldestDueMs: 90_000,
      robots: [{ key: 'robot-a', pausedUntil: AT, reason: 'ip_denied' }],
      lastAttempt: { at: AT, outcome: 'misconfigured', reason: 'ip_denied' },
      lastDeliveredAt: AT,
      fallback: 'ops-feishu',
    });
    const { deps } = fakeDeps({
      engine: { states: () => [paused], wake: () => undefined, resume: () => undefined },
    });

    const { body } = await call(deps, 'GET', '/api/channels');

    expect(body).toEqual({
      items: [
        {
          name: 'ops',
          provider: 'dingtalk',
          state: 'broken',
          reason: 'ip_denied',
          waiting: 0,
          oldest_due_seconds: 90,
          paused_until: ISO,
          robots: [{ key: 'robot-a', paused_until: ISO, reason: 'ip_denied' }],
          last_attempt: { at: ISO, outcome: 'misconfigured', reason: 'ip_denied' },
          last_delivered_at: ISO,
          fallback: 'ops-feishu',
        },
      ],
      next: null,
    });
  });

  it.each([
    ['30s', 30_000],
    ['30m', 1_800_000],
    ['24h', 86_400_000],
  ])('pause for %s', async (text, forMs) => {
    const { deps, calls } = fakeDeps();

    const { status } = await call(deps, 'POST', '/api/channels/ops/pause', { for: text });

    expect(status).toBe(200);
    expect(calls.actions).toEqual([{ kind: 'pause', channel: 'ops', forMs }]);
  });

  it.each([
    ['no body', undefined],
    ['an empty one', {}],
    ['more than a day', { for: '25h' }],
    ['days', { for: '1d' }],
    ['no time at all', { for: '0m' }],
    ['a time without a unit', { for: '30' }],
    ['a negative time', { for: '-5m' }],
    ['words', { for: 'a while' }],
    ['a number', { for: 30 }],
    ['an unknown key', { for: '30m', why: 'noise' }],
  ])('are not paused for %s', async (_name, payload) => {
    const { deps, calls } = fakeDeps();

    const { status, body } = await call(deps, 'POST', '/api/channels/ops/pause', payload);

    expect(status).toBe(400);
    expect(body.code).toBe('bad_request');
    expect(body.detail).toContain('give a time of at most 24 h, such as 30m or 2h');
    expect(calls.actions).toEqual([]);
  });

  it('resume in the store and in the lane', async () => {
    const { deps, calls } = fakeDeps();

    const { status } = await call(deps, 'POST', '/api/channels/ops/resume');

    expect(status).toBe(200);
    expect(calls.actions).toEqual([{ kind: 'resume', channel: 'ops' }]);
    expect(calls.resumed).toEqual(['ops']);
  });

  it.each(['test', 'pause', 'resume'])('%s of an unknown one names those there are', async (action) => {
    const { deps, calls } = fakeDeps();

    const { status, body } = await call(deps, 'POST', `/api/channels/opps/${action}`, {
      ...(action === 'pause' ? { for: '5m' } : {}),
    });

    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'unknown_channel',
      detail: 'No channel has this name; there is ops.',
    });
    expect(calls.actions).toEqual([]);
  });

  it('test answers what the robot said', async () => {
    const payloads: (string | undefined)[] = [];
    const { deps } = fakeDeps();
    const { testChannel } = deps;
    const recording: WebDeps = {
      ...deps,
      testChannel: (channel, payload) => {
        payloads.push(payload);
        return testChannel(channel, payload);
      },
    };

    const { status, body } = await call(recording, 'POST', '/api/channels/ops/test', { payload: '{"a":1}' });

    expect(status).toBe(200);
    expect(body).toMatchObject({ channel: 'ops', outcome: 'delivered', reason: 'ok', provider_code: '0' });
    expect(payloads).toEqual(['{"a":1}']);
  });

  it.each([
    ['misconfigured', 'The test card of ops was not delivered: misconfigured, ip_denied. Add our address.'],
    [undefined, 'The test card of ops was not delivered: still waiting. Add our address.'],
  ] as const)('test answers 502 when the outcome is %s', async (outcome, detail) => {
    const { deps } = fakeDeps({
      testChannel: async () => ({
        notificationId: notification.id,
        outcome,
        reason: 'ip_denied',
        providerCode: '310000',
        providerText: 'ip not in whitelist',
        advice: 'Add our address.',
      }),
    });

    const { status, body } = await call(deps, 'POST', '/api/channels/ops/test');

    expect(status).toBe(502);
    expect(body).toMatchObject({
      code: 'test_not_delivered',
      detail,
      outcome: outcome ?? null,
      provider_code: '310000',
      provider_text: 'ip not in whitelist',
      notification_id: notification.id,
    });
  });
});

describe('preview and reload', () => {
  it('preview answers the exact messages', async () => {
    const { deps } = fakeDeps({
      preview: async ({ provider }) => [
        {
          provider: provider ?? 'feishu',
          rung: 'card',
          message: { msgtype: 'actionCard' },
          bytes: 20,
          shown: 1,
          omitted: 0,
          warnings: [],
        },
      ],
    });

    const { status, body } = await call(deps, 'POST', '/api/preview', {
      template: 'default',
      provider: 'dingtalk',
      payload: '{}',
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      items: [
        {
          provider: 'dingtalk',
          rung: 'card',
          message: { msgtype: 'actionCard' },
          bytes: 20,
          shown: 1,
          omitted: 0,
          warnings: [],
        },
      ],
    });
  });

  it('preview takes the body of an accepted notification, as what it was accepted', async () => {
    const inputs: PreviewInput[] = [];
    const { deps } = fakeDeps({
      preview: async (input) => {
        inputs.push(input);
        return [];
      },
    });
    const kept = { body: Buffer.from('{"a":1}'), format: 'legacy', source: 'old' } as const;
    deps.store.body = async (id) => (id === 'ntf_1' ? kept : undefined);

    const found = await call(deps, 'POST', '/api/preview', { template: 'x', notification_id: 'ntf_1' });
    const pruned = await call(deps, 'POST', '/api/preview', { template: 'x', notification_id: 'ntf_2' });

    expect([found.status, pruned.status]).toEqual([200, 404]);
    expect(pruned.body).toMatchObject({ code: 'not_found' });
    expect(inputs).toEqual([
      {
        template: 'x',
        provider: undefined,
        payload: '{"a":1}',
        stored: { source: 'old', format: 'legacy' },
      },
    ]);
  });

  it.each([
    [{ payload: '{}' }, /template: /],
    [{ template: 'x' }, /give either payload or notification_id/],
    [{ template: 'x', payload: '{}', notification_id: 'ntf_1' }, /give either payload or notification_id/],
  ])('preview asks for a template, and for a payload or a notification: %j', async (given, detail) => {
    const { deps } = fakeDeps();

    const { status, body } = await call(deps, 'POST', '/api/preview', given);

    expect(status).toBe(400);
    expect(body.detail).toMatch(detail);
  });

  it('reload answers the warnings of the new configuration', async () => {
    const { deps } = fakeDeps({ reload: async () => ({ ok: true, warnings: ['ops has no fallback'] }) });

    const { status, body } = await call(deps, 'POST', '/api/reload');

    expect(status).toBe(200);
    expect(body).toEqual({ warnings: ['ops has no fallback'] });
  });

  it('reload reports every problem of a bad configuration', async () => {
    const problems = ['alertcard.yaml:3 channels.ops: no robots', 'alertcard.yaml:9 routes: no channels'];
    const { deps } = fakeDeps({ reload: async () => ({ ok: false, problems }) });

    const { status, body } = await call(deps, 'POST', '/api/reload');

    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'bad_request', problems });
  });
});
