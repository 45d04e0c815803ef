import { once } from 'node:events';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createSender, type RequestSender, type SenderOptions } from '../../src/channels/send.ts';
import { Secret } from '../../src/domain/secret.ts';
import { handClock, LOOPBACK_EGRESS, useRobots } from '../support/robots.ts';

const robots = useRobots();
const opened: { close(): unknown }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((item) => item.close()));
});

function senderWith(changes: Partial<SenderOptions> = {}): RequestSender {
  const sender = createSender({ egress: LOOPBACK_EGRESS, clock: handClock(0), ...changes });
  opened.push(sender);
  return sender;
}

/** A server that speaks no HTTP of its own; `port` is where it listens. */
async function rawServer(onSocket: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer((socket) => {
    socket.on('error', () => undefined);
    onSocket(socket);
  });
  return listenOn(server);
}

async function listenOn(server: Server | HttpServer): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  opened.push({ close: () => void server.close() });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('an answer', () => {
  it('is handed over as it came', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');

    const answer = await senderWith().post({ url, body: '{"msgtype":"text","text":{"content":"告警"}}' });

    expect(answer).toMatchObject({
      kind: 'answered',
      httpStatus: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"errcode":0,"errmsg":"ok"}',
      isCutOff: false,
    });
    expect(sandbox.received[0]?.json).toEqual({ msgtype: 'text', text: { content: '告警' } });
  });

  it('is asked for uncompressed', async () => {
    const sandbox = await robots();

    await senderWith().post({ url: sandbox.dingtalkUrl('t'), body: '{}' });

    expect(sandbox.received[0]?.headers).toMatchObject({
      'accept-encoding': 'identity',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '2',
    });
  });

  it('is never unpacked', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');
    const bomb = gzipSync(Buffer.alloc(5_000_000, ' '));
    sandbox.script('dingtalk', 't', { kind: 'answer', headers: { 'content-encoding': 'gzip' }, body: bomb });

    const answer = await senderWith().post({ url, body: '{}' });

    expect(answer.kind === 'answered' && answer.body.length).toBeLessThanOrEqual(bomb.length);
  });

  it('is cut at 64 KiB and marked', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');
    sandbox.script('dingtalk', 't', { kind: 'answer', body: 'x'.repeat(1_000_000) });

    const answer = await senderWith().post({ url, body: '{}' });

    expect(answer).toMatchObject({ kind: 'answered', isCutOff: true });
    expect(answer.kind === 'answered' && answer.body.length).toBe(65_536);
  });

  it('that ends before its announced length is marked', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');
    sandbox.script('dingtalk', 't', { kind: 'cut_off', body: '{"errcode":0}', missingBytes: 5 });

    const answer = await senderWith().post({ url, body: '{}' });

    expect(answer).toMatchObject({ kind: 'answered', body: '{"errcode":0}', isCutOff: true });
  });

  it.each([302, 307])('that redirects with %i is not followed', async (status) => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');
    const elsewhere = sandbox.dingtalkUrl('other');
    sandbox.script('dingtalk', 't', { kind: 'redirect', to: elsewhere, status });

    const answer = await senderWith().post({ url, body: '{}' });

    expect(answer).toMatchObject({ kind: 'answered', httpStatus: status, headers: { location: elsewhere } });
    expect(sandbox.received.map(({ robot }) => robot)).toEqual(['t']);
  });
});

describe('no answer', () => {
  it.each([
    ['never comes', { kind: 'hang' }],
    ['drips', { kind: 'drip', everyMs: 10 }],
  ] as const)('within 15 s in all is a time-out when it %s', async (_, script) => {
    const clock = handClock(0);
    let heard = (): void => undefined;
    const isHeard = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const sandbox = await robots({ onReceived: () => heard() });
    const url = sandbox.dingtalkUrl('t');
    sandbox.script('dingtalk', 't', script);
    const answer = senderWith({ clock }).post({ url, body: '{}' });
    await isHeard;

    clock.advance(15_000);

    expect(await answer).toMatchObject({ kind: 'no_answer', cause: 'timeout' });
    expect(clock.waiting).toBe(0);
  });

  it('after a reset is unconfirmed, because the robot had the whole request', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');
    sandbox.script('dingtalk', 't', { kind: 'reset' });

    expect(await senderWith().post({ url, body: '{}' })).toMatchObject({ kind: 'no_answer', cause: 'reset' });
  });

  it('in HTTP is a reset', async () => {
    const port = await rawServer((socket) =>
      socket.once('data', () => socket.end('this is no HTTP\r\n\r\n')),
    );

    const answer = await senderWith().post({ url: `http://127.0.0.1:${port}/`, body: '{}' });

    expect(answer).toMatchObject({ kind: 'no_answer', cause: 'reset' });
  });
});

describe('a request that was not sent', () => {
  it('says so when the connection is reset before it was fully written', async () => {
    const port = await rawServer((socket) => {
      socket.once('data', () => {
        socket.pause();
        socket.resetAndDestroy();
      });
    });

    const answer = await senderWith().post({
      url: `http://127.0.0.1:${port}/`,
      body: 'x'.repeat(30_000_000),
    });

    expect(answer).toMatchObject({ kind: 'not_sent', cause: 'reset_before_sent' });
  });

  it('says so when nothing listens', async () => {
    const port = await rawServer(() => undefined);
    await Promise.all(opened.splice(0).map((item) => item.close()));

    const answer = await senderWith().post({ url: `http://127.0.0.1:${port}/`, body: '{}' });

    expect(answer).toMatchObject({ kind: 'not_sent', cause: 'connect' });
  });

  it('says so when the name is unknown', async () => {
    const error = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
    const sender = senderWith({ lookup: (_, __, callback) => callback(error, []) });

    const answer = await sender.post({ url: 'https://oapi.dingtalk.com/robot/send', body: '{}' });

    expect(answer).toMatchObject({ kind: 'not_sent', cause: 'dns', text: 'ENOTFOUND' });
  });

  it.each([
    ['talks no TLS', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\n\r\n')],
    ['hangs up', (socket: Socket) => void socket.destroy()],
  ])('says so when the other side %s', async (_, onSocket) => {
    const port = await rawServer(onSocket);

    const answer = await senderWith().post({ url: `https://127.0.0.1:${port}/`, body: '{}' });

    expect(answer).toMatchObject({ kind: 'not_sent', cause: 'tls' });
  });

  it('says so when the handshake does not end in time', async () => {
    const port = await rawServer(() => undefined);
    const sender = senderWith({ connectTimeoutMs: 30 });

    const answer = await sender.post({ url: `https://127.0.0.1:${port}/`, body: '{}' });

    expect(answer).toMatchObject({ kind: 'not_sent', cause: 'connect_timeout' });
  });
});

it('reuses connections that are still open', async () => {
  const ports: (number | undefined)[] = [];
  const server = createHttpServer((request, response) => {
    ports.push(request.socket.remotePort);
    response.end('{"errcode":0}');
  });
  const url = `http://127.0.0.1:${await listenOn(server)}/`;
  const sender = senderWith();

  for (let sent = 0; sent < 6; sent += 1) await sender.post({ url, body: '{}' });

  expect(ports).toHaveLength(6);
  expect(new Set(ports).size).toBeLessThan(6);
});

it('lets no hanging robot delay another on the same host', async () => {
  const sandbox = await robots();
  const sender = senderWith();
  const hanging = ['a', 'b', 'c', 'd'].map((token) => {
    const url = sandbox.dingtalkUrl(token);
    sandbox.script('dingtalk', token, { kind: 'hang' });
    return sender.post({ url, body: '{}' });
  });

  const answer = await sender.post({ url: sandbox.dingtalkUrl('e'), body: '{}' });

  expect(answer.kind).toBe('answered');
  await sender.close();
  expect(await Promise.all(hanging)).toHaveLength(4);
});

it('goes through an explicit proxy, whose own address is exempt from the guard', async () => {
  const sandbox = await robots();
  const tunnels: string[] = [];
  const proxy = createHttpServer();
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    const target = connect(sandbox.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    target.on('error', () => socket.destroy());
    socket.on('error', () => target.destroy());
  });
  const proxyUrl = new Secret(`http://user:canary@127.0.0.1:${await listenOn(proxy)}`);
  const url = sandbox.dingtalkUrl('t').replace('127.0.0.1', 'robots.internal');
  const egress = { ...LOOPBACK_EGRESS, allowHosts: ['robots.internal'], proxy: proxyUrl };

  const answer = await senderWith({ egress }).post({ url, body: '{}' });

  expect(answer).toMatchObject({ kind: 'answered', httpStatus: 200 });
  expect(tunnels).toEqual([`robots.internal:${sandbox.port}`]);
});

it('keeps the password of a proxy that cannot be reached out of the answer', async () => {
  const egress = { ...LOOPBACK_EGRESS, proxy: new Secret('http://user:canary@127.0.0.1:1') };

  const answer = await senderWith({ egress }).post({
    url: 'https://oapi.dingtalk.com/robot/send',
    body: '{}',
  });

  expect(answer).toMatchObject({ kind: 'not_sent', cause: 'connect' });
  expect(JSON.stringify(answer)).not.toContain('canary');
});
