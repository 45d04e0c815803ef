import { createHmac } from 'node:crypto';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import { MAX_STREAMED_BYTES } from '../../src/receive/body.ts';
import { signedHeaders } from '../support/sign.ts';
import {
  HMAC,
  type Hook,
  type HookOptions,
  makeGate,
  makeSource,
  NOW_SECONDS,
  SECRET,
  startHook,
} from './harness.ts';

const MIB = 1_048_576;
const LIMIT = 64 * 1024;

const open: Hook[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((hook) => hook.close()));
});

async function start(options?: HookOptions): Promise<Hook> {
  const hook = await startHook(options);
  open.push(hook);
  return hook;
}

function textOf(hook: Hook, index = 0): string {
  return Buffer.from(hook.store.kept[index]?.entry.body ?? []).toString();
}

describe('a body beyond the limit', () => {
  it('is kept as a stub when its signature is right', async () => {
    const hook = await start({ bodyLimitBytes: LIMIT });

    const answer = await hook.post(Buffer.alloc(3 * MIB, 'x'));

    expect(answer.status).toBe(202);
    expect(textOf(hook)).toBe(`{"bytes":${3 * MIB}}`);
    expect(hook.store.kept[0]?.entry).toMatchObject({ format: 'stub', groupKey: `stub:${answer.json.id}` });
    expect(hook.events).toMatchObject([{ kind: 'accepted', format: 'stub', bytes: 3 * MIB }]);
  });

  it('is kept as a stub when it comes in chunks and nothing announced its length', async () => {
    const hook = await start({ bodyLimitBytes: LIMIT });
    const body = Buffer.alloc(LIMIT + 1, 'x');
    const headers = Object.entries(signedHeaders(SECRET, body, { timestampSeconds: NOW_SECONDS }));
    const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');

    const answer = await hook.raw(
      [
        `POST /hooks/grafana HTTP/1.1\r\nHost: h\r\n${lines}Transfer-Encoding: chunked\r\n\r\n`,
        `${body.length.toString(16)}\r\n`,
        body,
        '\r\n0\r\n\r\n',
      ],
      'status_url',
    );

    expect(answer).toContain('HTTP/1.1 202');
    expect(textOf(hook)).toBe(`{"bytes":${LIMIT + 1}}`);
  });

  it('is kept as a stub when a token in the headers said who sent it', async () => {
    const auth = { kind: 'bearer' as const, secrets: [new Secret('t0ken')] };
    const hook = await start({ bodyLimitBytes: LIMIT, sources: [makeSource({ auth })] });

    const answer = await hook.post(Buffer.alloc(LIMIT + 1), { headers: { Authorization: 'Bearer t0ken' } });

    expect(answer.status).toBe(202);
    expect(hook.store.kept[0]?.entry.format).toBe('stub');
  });

  it('is refused as too large when its signature is wrong', async () => {
    const hook = await start({ bodyLimitBytes: LIMIT });

    const answer = await hook.post(Buffer.alloc(LIMIT + 1), {
      headers: { 'X-Grafana-Alerting-Signature': 'a'.repeat(64) },
    });

    expect([answer.status, answer.json.code]).toEqual([413, 'body_too_large']);
    expect(hook.store.kept).toEqual([]);
  });

  it('of exactly the limit is kept whole', async () => {
    const hook = await start({ bodyLimitBytes: LIMIT });

    await hook.post(Buffer.alloc(LIMIT, 'x'));

    expect(hook.store.kept[0]?.entry.body.length).toBe(LIMIT);
  });

  it('is a duplicate of the same one, though nothing of it was kept', async () => {
    const hook = await start({ bodyLimitBytes: LIMIT });
    const first = await hook.post(Buffer.alloc(LIMIT + 1, 'x'));
    hook.clock.advance(1000);

    const answers = [
      await hook.post(Buffer.alloc(LIMIT + 1, 'x')),
      await hook.post(Buffer.alloc(LIMIT + 1, 'y')),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 202]);
    expect(answers[0]?.json.id).toBe(first.json.id);
  });
});

describe('a body past what is even hashed', () => {
  const headers = `X-Grafana-Alerting-Signature: ${'a'.repeat(64)}\r\nX-Grafana-Alerting-Timestamp: ${NOW_SECONDS}\r\n`;

  it('is refused by the length it announces, and the connection ends', async () => {
    const hook = await start();

    // Without a text to wait for, `raw` returns only when the server has ended the connection.
    const answer = await hook.raw([
      `POST /hooks/grafana HTTP/1.1\r\nHost: h\r\n${headers}Content-Length: ${MAX_STREAMED_BYTES + 1}\r\n\r\n`,
    ]);

    expect(answer).toContain('HTTP/1.1 413');
    expect(answer).toContain('body_too_large');
    expect(answer.split('\r\n\r\n')[0]?.toLowerCase()).toContain('connection: close');
  });

  it('is refused when it streams on, and the connection ends', async () => {
    const hook = await start({ bodyLimitBytes: LIMIT });
    const chunk = Buffer.alloc(MIB, 'x');
    const part = Buffer.concat([Buffer.from(`${MIB.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);

    const answer = await hook.raw([
      `POST /hooks/grafana HTTP/1.1\r\nHost: h\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`,
      ...Array.from({ length: 65 }, () => part),
    ]);

    expect(answer).toContain('HTTP/1.1 413');
    expect(answer.split('\r\n\r\n')[0]?.toLowerCase()).toContain('connection: close');
    expect(hook.events).toMatchObject([{ kind: 'refused', code: 'body_too_large', status: 413 }]);
  });
});

describe('large bodies', () => {
  const large = (letter: string) => Buffer.alloc(300 * 1024, letter);

  it('are kept one at a time', async () => {
    const hook = await start();
    const stored = makeGate();
    let inStore = 0;
    let mostInStore = 0;
    hook.store.before = async () => {
      mostInStore = Math.max(mostInStore, ++inStore);
      await stored.passed;
      inStore--;
    };

    const answers = ['a', 'b', 'c'].map((letter) => hook.post(large(letter)));
    await expect.poll(() => hook.clock.waiting).toBe(2);
    stored.open();

    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(mostInStore).toBe(1);
  });

  it('that wait too long are refused with the time to come back, and small ones pass them', async () => {
    const hook = await start();
    const stored = makeGate();
    hook.store.before = () => (hook.store.kept.length === 0 ? stored.passed : Promise.resolve());
    const first = hook.post(large('a'));
    const second = hook.post(large('b'));
    await expect.poll(() => hook.clock.waiting).toBe(1);

    hook.store.before = async () => {};
    const small = await hook.post('{"small":true}');
    hook.clock.advance(5_000);
    const refused = await second;
    stored.open();

    expect(small.status).toBe(202);
    expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'overloaded',
      '5',
    ]);
    expect((await first).status).toBe(202);
  });

  it('announced by those who then send nothing keep nobody waiting', async () => {
    const hook = await start();
    const sockets = Array.from({ length: 20 }, () => {
      const socket = connect(hook.port, '127.0.0.1');
      socket.write(
        `POST /hooks/grafana HTTP/1.1\r\nHost: h\r\nX-Grafana-Alerting-Signature: ${'a'.repeat(64)}\r\nX-Grafana-Alerting-Timestamp: ${NOW_SECONDS}\r\nContent-Length: ${9 * MIB}\r\n\r\nx`,
      );
      return socket;
    });

    const answer = await hook.post(large('a'));

    expect(answer.status).toBe(202);
    for (const socket of sockets) socket.destroy();
  });

  it.each([
    ['strangers', 'a'.repeat(64)],
    ['known senders', undefined],
  ])('of %s give their memory back', async (_who, signature) => {
    const auth = { ...HMAC, timestampHeaders: [] };
    const hook = await start({ sources: [makeSource({ dedupWindowMs: 0, auth })] });
    const body = Buffer.alloc(9 * MIB);
    const right = createHmac('sha256', SECRET).update(body).digest('hex');
    for (let round = 0; round < 8; round++)
      await hook.post(body, { headers: { 'X-Grafana-Alerting-Signature': signature ?? right } });

    const answer = await hook.post(body, { headers: { 'X-Grafana-Alerting-Signature': right } });

    expect(answer.status).toBe(202);
    expect(hook.clock.waiting).toBe(0);
  });
});

describe('bodies that fill the memory together', () => {
  it('make the next one wait, then be refused, and its connection still serves', async () => {
    const hook = await start();
    const stored = makeGate();
    hook.store.before = () => stored.passed;
    // One in the store, six waiting for their turn: 63 of 64 MiB.
    const held = Array.from({ length: 7 }, (_, index) => hook.post(Buffer.alloc(9 * MIB, `${index}`)));
    await expect.poll(() => hook.clock.waiting, { timeout: 5_000 }).toBe(6);
    const requests = [Buffer.alloc(9 * MIB, 'x'), Buffer.from('{"small":true}')].flatMap((body) => {
      const lines = Object.entries(signedHeaders(SECRET, body, { timestampSeconds: NOW_SECONDS + 5 }));
      const headers = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return [
        `POST /hooks/grafana HTTP/1.1\r\nHost: h\r\n${headers}Content-Length: ${body.length}\r\n\r\n`,
        body,
      ];
    });
    const answers = hook.raw(requests, 'status_url');
    await expect.poll(() => hook.clock.waiting, { timeout: 5_000 }).toBe(7);

    hook.clock.advance(5_000);
    await expect.poll(() => hook.events.length, { timeout: 5_000 }).toBe(7);
    stored.open();

    expect(await answers).toMatch(/^HTTP\/1\.1 503 .*"code":"overloaded".*HTTP\/1\.1 202 /s);
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([202, 503, 503, 503, 503, 503, 503]);
  });
});

describe('a slow or broken sender', () => {
  it('is answered 408 once its time is up', async () => {
    const hook = await start({ requestTimeout: 200 });

    const answer = await hook.raw([
      `POST /hooks/grafana HTTP/1.1\r\nHost: h\r\nX-Grafana-Alerting-Signature: ${'a'.repeat(64)}\r\nX-Grafana-Alerting-Timestamp: ${NOW_SECONDS}\r\nContent-Length: 100\r\n\r\nabc`,
    ]);

    expect(answer).toContain('HTTP/1.1 408');
    expect(answer).toContain('"code":"request_too_slow"');
    await expect
      .poll(() => hook.events)
      .toEqual([{ kind: 'refused', source: 'grafana', code: 'request_too_slow', status: 408 }]);
  });

  it('that hangs up within its body has nothing kept', async () => {
    const hook = await start();
    const socket = connect(hook.port, '127.0.0.1');
    socket.write(
      `POST /hooks/grafana HTTP/1.1\r\nHost: h\r\nX-Grafana-Alerting-Signature: ${createHmac('sha256', SECRET).update(`${NOW_SECONDS}:abc`).digest('hex')}\r\nX-Grafana-Alerting-Timestamp: ${NOW_SECONDS}\r\nContent-Length: 100\r\n\r\nabc`,
      () => setImmediate(() => socket.destroy()),
    );

    await expect.poll(() => hook.events).toMatchObject([{ kind: 'refused', code: 'bad_request' }]);

    expect(hook.store.kept).toEqual([]);
  });

  it('that speaks no HTTP is answered with a problem', async () => {
    const hook = await start();

    const answer = await hook.raw(['BLAH\r\n\r\n']);

    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('"code":"bad_request"');
  });
});
