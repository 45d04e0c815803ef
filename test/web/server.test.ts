import { once } from 'node:events';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { AlertcardError } from '../../src/domain/errors.ts';
import { createServer } from '../../src/web/server.ts';
import { fakeDeps, startWeb } from './support.ts';

let app: FastifyInstance | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

async function serverThatThrows(error: unknown, logged: object[] = []): Promise<FastifyInstance> {
  app = await createServer({
    bodyLimitBytes: 100,
    log: { error: (fields) => void logged.push(fields) },
    plugins: [
      async (scope) => {
        scope.get('/throws', async () => {
          throw error;
        });
        scope.post('/echo', async (request) => request.body);
      },
    ],
  });
  return app;
}

/** Sends raw text and reads until the server closes. */
async function converse(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString();
  });
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

function portOf(server: FastifyInstance): number {
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}

describe('the server', () => {
  it('answers an unknown path with a problem', async () => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject('/nowhere?secret=x');

    expect(response.statusCode).toBe(404);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.json()).toEqual({
      type: 'urn:alertcard:problem:not_found',
      title: 'not found',
      status: 404,
      code: 'not_found',
      detail: 'There is nothing at this path.',
    });
  });

  it.each([
    ['DELETE', '/healthz', 'HEAD, GET'],
    ['GET', '/api/channels/ops/pause', 'POST'],
    ['PUT', '/api/deliveries/dlv_1', 'HEAD, GET'],
  ] as const)('refuses %s %s and names the methods it takes', async (method, url, allow) => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject({ method, url });

    expect(response.statusCode).toBe(405);
    expect(response.json().code).toBe('method_not_allowed');
    expect(new Set(String(response.headers.allow).split(', '))).toEqual(new Set(allow.split(', ')));
  });

  it('answers HEAD where it answers GET', async () => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject({ method: 'HEAD', url: '/healthz' });

    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
  });

  it('answers an error with its code and our words', async () => {
    const server = await serverThatThrows(new AlertcardError('overloaded', 'Try again in a moment.'));

    const response = await server.inject('/throws');

    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({ code: 'overloaded', detail: 'Try again in a moment.' });
  });

  it.each([
    ['an unforeseen error', new Error('robot?access_token=canary')],
    ['a thrown string', 'canary'],
    ['a code that has no status', new AlertcardError('config_invalid', 'canary')],
  ])('keeps the words of %s for the log', async (_name, error) => {
    const logged: object[] = [];
    const server = await serverThatThrows(error, logged);

    const response = await server.inject('/throws');

    expect(response.statusCode).toBe(500);
    expect(response.json().code).toBe('internal_error');
    expect(response.body).not.toContain('canary');
    expect(logged).toEqual([{ err: error, method: 'GET', route: '/throws' }]);
  });

  it.each([
    ['text that is not JSON', '{', 'application/json', 400, 'bad_request'],
    ['a body past the limit', `"${'x'.repeat(200)}"`, 'application/json', 413, 'body_too_large'],
    ['another content type', 'a: 1', 'application/yaml', 400, 'bad_request'],
  ])('refuses %s', async (_name, payload, type, status, code) => {
    const server = await serverThatThrows(undefined);

    const response = await server.inject({
      method: 'POST',
      url: '/echo',
      payload,
      headers: { 'content-type': type },
    });

    expect(response.json().code).toBe(code);
    expect(response.statusCode).toBe(status);
  });

  it('refuses a URL that cannot be decoded', async () => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject('/api/%zz');

    expect(response.statusCode).toBe(400);
    expect(response.json().code).toBe('bad_request');
  });

  it('closes a request that drips in with 408', async () => {
    app = await startWeb(fakeDeps().deps, {
      timeouts: { requestMs: 120, headersMs: 60, checkingIntervalMs: 20 },
    });
    await app.listen({ host: '127.0.0.1', port: 0 });

    const answer = await converse(portOf(app), 'POST /api/reload HTTP/1.1\r\nHost: a\r\nContent-Le');

    expect(answer).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(answer).toContain('"code":"request_too_slow"');
  });

  it('answers 400 to what is not HTTP', async () => {
    app = await startWeb(fakeDeps().deps);
    await app.listen({ host: '127.0.0.1', port: 0 });

    const answer = await converse(portOf(app), '\x16\x03\x01 hello\r\n\r\n');

    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  });

  it('waits for requests no longer than its limits say', async () => {
    app = await startWeb(fakeDeps().deps);

    const { requestTimeout, headersTimeout, keepAliveTimeout, maxConnections } = app.server;

    expect({ requestTimeout, headersTimeout, keepAliveTimeout, maxConnections }).toEqual({
      requestTimeout: 10_000,
      headersTimeout: 5_000,
      keepAliveTimeout: 75_000,
      maxConnections: 4_096,
    });
  });
});
