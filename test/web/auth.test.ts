import type { FastifyInstance } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import { AUTH, fakeDeps, startWeb, TOKEN } from './support.ts';

let app: FastifyInstance | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe('the admin token', () => {
  it.each([
    ['no header', undefined],
    ['another token', 'Bearer wrong'],
    ['a longer token', `Bearer ${TOKEN}x`],
    ['a prefix of the token', `Bearer ${TOKEN.slice(0, -1)}`],
    ['another scheme', `Basic ${TOKEN}`],
    ['the bare token', TOKEN],
    ['an empty token', 'Bearer '],
  ])('refuses %s, from loopback too', async (_name, authorization) => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject({
      url: '/api/channels',
      remoteAddress: '127.0.0.1',
      headers: authorization === undefined ? {} : { authorization },
    });

    expect(response.statusCode).toBe(401);
    expect(response.headers['www-authenticate']).toBe('Bearer realm="alertcard"');
    expect(response.json().code).toBe('admin_token_wrong');
    expect(response.body).not.toContain(TOKEN);
  });

  it('lets the right token pass, whatever the case of the scheme', async () => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject({
      url: '/api/channels',
      headers: { authorization: `bearer ${TOKEN}` },
    });

    expect(response.statusCode).toBe(200);
  });

  it('is refused while it is empty on our side', async () => {
    app = await startWeb(fakeDeps({ adminToken: () => new Secret('') }).deps);

    const response = await app.inject({ url: '/api/channels', headers: { authorization: 'Bearer  ' } });

    expect(response.statusCode).toBe(401);
  });

  it('may change while the server runs', async () => {
    let token = new Secret(TOKEN);
    app = await startWeb(fakeDeps({ adminToken: () => token }).deps);
    token = new Secret('another');

    const response = await app.inject({ url: '/api/channels', headers: AUTH });

    expect(response.statusCode).toBe(401);
  });

  it('is asked for before a body is read', async () => {
    app = await startWeb(fakeDeps().deps);

    const response = await app.inject({
      method: 'POST',
      url: '/api/preview',
      payload: '{ not JSON',
      headers: { 'content-type': 'application/json' },
    });

    expect(response.statusCode).toBe(401);
  });
});
