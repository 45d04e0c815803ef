import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeDeps, report, startWeb } from './support.ts';

let app: FastifyInstance | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe('the health pages', () => {
  it('say alive while the writer answers', async () => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject('/healthz');

    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ok' });
  });

  it('say dead when the writer does not answer', async () => {
    const { deps } = fakeDeps();
    const store = { ...deps.store, ping: async () => Promise.reject(new Error('no answer')) };
    app = await startWeb({ ...deps, store });

    const response = await app.inject('/healthz');

    expect(response.statusCode).toBe(503);
    expect(response.json().code).toBe('store_unavailable');
  });

  it('stay ready with a broken channel and show it, without robots', async () => {
    const broken = report({ state: 'broken', brokenReason: 'ip_denied', waiting: 7, oldestDueMs: 1_500 });
    const { deps } = fakeDeps({
      engine: { states: async () => [broken], wake: () => undefined, resume: () => undefined },
    });
    app = await startWeb(deps);

    const response = await app.inject('/readyz');

    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({
      status: 'ready',
      channels: [
        {
          name: 'ops',
          provider: 'dingtalk',
          state: 'broken',
          reason: 'ip_denied',
          waiting: 7,
          oldest_due_seconds: 1.5,
        },
      ],
    });
  });

  it.each(['draining', 'store_not_writable'])('are not ready while %s', async (reason) => {
    const { deps } = fakeDeps({ readiness: () => ({ isReady: false, reason }) });
    app = await startWeb(deps);

    const response = await app.inject('/readyz');

    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ status: 'not_ready', reason, channels: [{ name: 'ops' }] });
  });

  it('stay ready when the state of the channels cannot be read', async () => {
    const states = async () => Promise.reject(new Error('database is locked'));
    const { deps } = fakeDeps({ engine: { states, wake: () => undefined, resume: () => undefined } });
    app = await startWeb(deps);

    const response = await app.inject('/readyz');

    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ready', channels: [] });
  });

  it('serve the metrics openly in the format of Prometheus', async () => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject('/metrics');

    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(response.body).toBe('# metrics\n');
  });
});
