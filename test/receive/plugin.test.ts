import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { AlertcardError } from '../../src/domain/errors.ts';
import { Secret } from '../../src/domain/secret.ts';
import { runs } from '../support/budget.ts';
import { signedHeaders } from '../support/sign.ts';
import {
  type Hook,
  type HookOptions,
  makeGate,
  makeSource,
  NOW_SECONDS,
  SECRET,
  startHook,
} from './harness.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');
const FIRING = readFileSync(join(FIXTURES, 'v13-firing-single.json'));
const RESOLVED = readFileSync(join(FIXTURES, 'v13-resolved-single.json'));
const bodies = readdirSync(FIXTURES).filter((file) => file !== 'README.md');

const open: Hook[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((hook) => hook.close()));
});

async function start(options?: HookOptions): Promise<Hook> {
  const hook = await startHook(options);
  open.push(hook);
  return hook;
}

/** A request as text, its body following. */
function head(method: string, path: string, headers: readonly string[]): string {
  return `${[`${method} ${path} HTTP/1.1`, 'Host: h', ...headers].join('\r\n')}\r\n\r\n`;
}

function signatureLines(body: string | Uint8Array): string[] {
  return Object.entries(signedHeaders(SECRET, body, { timestampSeconds: NOW_SECONDS })).map(
    ([name, value]) => `${name}: ${value}`,
  );
}

describe('a signed notification', () => {
  it.each(bodies)('%s is kept with exactly the bytes that were sent', async (file) => {
    const hook = await start();
    const body = readFileSync(join(FIXTURES, file));

    const answer = await hook.post(body, { headers: { Prefer: 'wait=0' } });

    expect([202, 502]).toContain(answer.status);
    expect(answer.json.id).toBe(hook.store.kept[0]?.entry.id);
    expect(body.equals(hook.store.kept[0]?.entry.body ?? Buffer.alloc(0))).toBe(true);
  });

  it('is answered with its id and where its story is told', async () => {
    const hook = await start();

    const answer = await hook.post(FIRING);

    const id = hook.store.kept[0]?.entry.id;
    expect(answer.status).toBe(202);
    expect(answer.json).toEqual({ id, status: 'accepted', status_url: `/api/notifications/${id}` });
    expect(id).toMatch(/^ntf_[0-9a-z]{26}$/);
    expect(hook.events).toMatchObject([
      {
        kind: 'accepted',
        source: 'grafana',
        channels: ['ops', 'dev'],
        format: 'grafana',
        alerts: 1,
        bytes: FIRING.length,
      },
    ]);
  });

  it('may come with PUT, in chunks, and with any or no Content-Type', async () => {
    const hook = await start({ sources: [makeSource({ dedupWindowMs: 0 })] });
    const body = (index: number) => `{"n":${index}}`;
    const chunked = (text: string) =>
      `3\r\n${text.slice(0, 3)}\r\n${(text.length - 3).toString(16)}\r\n${text.slice(3)}\r\n0\r\n\r\n`;
    const withType = (lines: string[], type: string[]) => [
      ...lines.filter((line) => !line.startsWith('Content-Type')),
      ...type,
    ];

    const answers = [
      await hook.raw(
        [head('PUT', '/hooks/grafana', [...signatureLines(body(1)), 'Content-Length: 7']), body(1)],
        '}',
      ),
      await hook.raw(
        [
          head('POST', '/hooks/grafana', [...signatureLines(body(2)), 'Transfer-Encoding: chunked']),
          chunked(body(2)),
        ],
        '}',
      ),
      await hook.raw(
        [
          head('POST', '/hooks/grafana', withType([...signatureLines(body(3)), 'Content-Length: 7'], [])),
          body(3),
        ],
        '}',
      ),
      await hook.raw(
        [
          head(
            'POST',
            '/hooks/grafana',
            withType([...signatureLines(body(4)), 'Content-Length: 7'], ['Content-Type: ;;//']),
          ),
          body(4),
        ],
        '}',
      ),
    ];

    expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['202', '202', '202', '202']);
    expect(hook.store.kept.map(({ entry }) => Buffer.from(entry.body).toString())).toEqual(
      [1, 2, 3, 4].map(body),
    );
  });

  it('is kept although its sender hangs up before the answer', async () => {
    const hook = await start();
    const stored = makeGate();
    const arrived = makeGate();
    hook.store.before = () => {
      arrived.open();
      return stored.passed;
    };
    const socket = connect(hook.port, '127.0.0.1');
    socket.write(
      head('POST', '/hooks/grafana', [...signatureLines(FIRING), `Content-Length: ${FIRING.length}`]),
    );
    socket.write(FIRING);
    await arrived.passed;

    socket.destroy();
    stored.open();

    await expect.poll(() => hook.store.kept.length).toBe(1);
    await expect.poll(() => hook.events.map(({ kind }) => kind)).toEqual(['accepted']);
  });

  it('that came before is a duplicate and names the first one', async () => {
    const hook = await start();
    const first = await hook.post(readFileSync(join(FIXTURES, 'v13-ha-duplicate-replica-a.json')));

    const second = await hook.post(readFileSync(join(FIXTURES, 'v13-ha-duplicate-replica-b.json')));

    expect(second.status).toBe(200);
    expect(second.json).toEqual({ id: first.json.id, status: 'duplicate' });
    expect(hook.events.map(({ kind }) => kind)).toEqual(['accepted', 'duplicate']);
  });

  it('that is replayed to the byte is a duplicate, also where nothing is deduplicated', async () => {
    const hook = await start({ sources: [makeSource({ dedupWindowMs: 0 })] });
    const first = await hook.post(FIRING);

    const replayed = await hook.post(FIRING);
    hook.clock.advance(1000);
    const repeated = await hook.post(FIRING);

    expect([first.status, replayed.status, repeated.status]).toEqual([202, 200, 202]);
  });

  it('that resolves what fired is no duplicate', async () => {
    const hook = await start();
    await hook.post(FIRING);

    const answer = await hook.post(RESOLVED);

    expect(answer.status).toBe(202);
  });
});

describe('a channel in the path', () => {
  it('is the only one planned for, and stands in the entry', async () => {
    const hook = await start();

    const answer = await hook.post(FIRING, { path: '/hooks/grafana/dev' });

    expect(answer.status).toBe(202);
    expect(hook.store.kept[0]?.deliveries.map(({ channel }) => channel)).toEqual(['dev']);
    expect(hook.store.kept[0]?.entry.pathChannel).toBe('dev');
  });

  it('is decoded once', async () => {
    const hook = await start();
    const encoded = encodeURIComponent('值班/一组');

    const once = await hook.post(FIRING, { path: `/hooks/grafana/${encoded}` });
    const twice = await hook.post(FIRING, { path: `/hooks/grafana/${encodeURIComponent(encoded)}` });

    expect([once.status, twice.status]).toEqual([202, 404]);
    expect(hook.store.kept[0]?.entry.pathChannel).toBe('值班/一组');
  });

  it('that is empty leaves the choice to the routes', async () => {
    const hook = await start();

    const answer = await hook.post(FIRING, { path: '/hooks/grafana/' });

    expect(answer.status).toBe(202);
    expect(hook.store.kept[0]?.entry.pathChannel).toBe('');
  });

  it('that nobody knows is refused with the known ones, but only to those who may know', async () => {
    const hook = await start();

    const known = await hook.post(FIRING, { path: '/hooks/grafana/opps' });
    const stranger = await hook.request('/hooks/grafana/opps', { method: 'POST', body: '{}' });

    expect(known.status).toBe(404);
    expect(known.json).toMatchObject({ code: 'unknown_channel', status: 404 });
    expect(known.json.detail).toContain('ops, dev');
    expect(stranger.json.code).toBe('signature_missing');
    expect(hook.store.kept).toEqual([]);
  });

  it('that the source may not reach is as unknown as any', async () => {
    const hook = await start({ sources: [makeSource({ allowChannels: ['dev'] })] });

    const answer = await hook.post(FIRING, { path: '/hooks/grafana/ops' });

    expect(answer.json.code).toBe('unknown_channel');
    expect(answer.json.detail).not.toContain('ops');
  });

  it('that was taken out of the configuration goes to the default channels of the source', async () => {
    const hook = await start({ sources: [makeSource({ channels: ['dev'], allowChannels: ['ops'] })] });
    hook.store.onceKnown.add('old');

    const answer = await hook.post(FIRING, { path: '/hooks/grafana/old' });

    expect(answer.status).toBe(202);
    expect(hook.store.kept[0]?.deliveries.map(({ channel }) => channel)).toEqual(['dev']);
    expect(hook.store.kept[0]?.entry.pathChannel).toBe('old');
  });
});

describe('a refusal', () => {
  it('is a problem document with a stable code', async () => {
    const hook = await start();

    const answer = await hook.request('/hooks/grafana', { method: 'POST', body: FIRING });

    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.json).toMatchObject({
      type: 'urn:alertcard:problem:signature_missing',
      title: expect.any(String),
      status: 401,
      code: 'signature_missing',
      detail: expect.stringContaining('X-Grafana-Alerting-Signature'),
    });
    expect(hook.events).toEqual([
      { kind: 'refused', source: 'grafana', code: 'signature_missing', status: 401 },
    ]);
  });

  it('comes before the body where the headers are enough', async () => {
    const hook = await start({
      sources: [
        makeSource(),
        makeSource({ name: 'b', auth: { kind: 'bearer', secrets: [new Secret('t')] } }),
      ],
    });
    const announced = ['Content-Length: 1000'];
    const badTime = ['X-Grafana-Alerting-Timestamp: 5', `X-Grafana-Alerting-Signature: ${'a'.repeat(64)}`];
    const table: [string, string[], string][] = [
      ['/hooks/nobody', [], 'unknown_source'],
      ['/hooks/grafana', ['Content-Encoding: gzip', ...signatureLines('')], 'content_encoding_unsupported'],
      ['/hooks/grafana', [], 'signature_missing'],
      ['/hooks/grafana', ['X-Grafana-Alerting-Signature: abc'], 'signature_mismatch'],
      [
        '/hooks/grafana',
        ['X-Grafana-Alerting-Signature: a', 'X-Grafana-Alerting-Signature: b'],
        'signature_repeated',
      ],
      ['/hooks/grafana', badTime, 'timestamp_out_of_window'],
      ['/hooks/grafana', badTime.slice(1), 'timestamp_missing'],
      ['/hooks/b', ['Authorization: Bearer x'], 'credentials_wrong'],
      ['/hooks/b', ['Authorization: Bearer t', 'Authorization: Bearer t'], 'credentials_wrong'],
    ];

    const codes: string[] = [];
    for (const [path, lines] of table) {
      // Of the announced body not a byte is sent.
      const answer = await hook.raw([head('POST', path, [...lines, ...announced])], '"}');
      codes.push(/"code":"(\w+)"/.exec(answer)?.[1] ?? answer);
    }

    expect(codes).toEqual(table.map(([, , code]) => code));
    expect(hook.events.map((event) => ('source' in event ? event.source : ''))).not.toContain('nobody');
  });

  it('of a wrong signature tells nothing about the right one', async () => {
    const hook = await start();
    const refusal = async (headers: Record<string, string>) => (await hook.post(FIRING, { headers })).json;

    const wrong = await refusal({ 'X-Grafana-Alerting-Signature': 'a'.repeat(64) });
    const malformed = await refusal({ 'X-Grafana-Alerting-Signature': 'oops' });

    expect(wrong).toMatchObject({ code: 'signature_mismatch', status: 401 });
    expect(malformed).toEqual(wrong);
    expect(hook.store.kept).toEqual([]);
  });

  it('of an empty body comes after the check of who sent it', async () => {
    const hook = await start();

    const signed = await hook.post('');
    const unsigned = await hook.request('/hooks/grafana', { method: 'POST' });

    expect([signed.status, signed.json.code]).toEqual([400, 'empty_body']);
    expect(unsigned.json.code).toBe('signature_missing');
  });

  it.each(['GET', 'DELETE', 'PATCH', 'OPTIONS'])('of %s says what is allowed', async (method) => {
    const hook = await start();

    const answers = [
      await hook.request('/hooks/grafana', { method }),
      await hook.request('/hooks/grafana/ops', { method }),
    ];

    expect(answers.map(({ status, json, headers }) => [status, json.code, headers.get('allow')])).toEqual([
      [405, 'method_not_allowed', 'POST, PUT'],
      [405, 'method_not_allowed', 'POST, PUT'],
    ]);
  });

  it('of HEAD has no body', async () => {
    const hook = await start();

    const answer = await hook.request('/hooks/grafana', { method: 'HEAD' });

    expect([answer.status, answer.text]).toEqual([405, '']);
  });

  it.each([
    ['store_unavailable', 503],
    ['overloaded', 503],
    ['store_outcome_unknown', 500],
  ] as const)('of the store, %s, is handed on', async (code, status) => {
    const hook = await start();
    hook.store.before = () => Promise.reject(new AlertcardError(code, 'The disk is full: free some space.'));

    const answer = await hook.post(FIRING);

    expect([answer.status, answer.json.code, answer.json.detail]).toEqual([
      status,
      code,
      'The disk is full: free some space.',
    ]);
    expect(answer.headers.get('retry-after')).toBe(status === 503 ? '5' : null);
    expect(hook.events).toEqual([{ kind: 'refused', source: 'grafana', code, status }]);
  });

  it('after a failure of the store that nobody foresaw says that nobody knows, and nothing of its text', async () => {
    const hook = await start();
    hook.store.before = () => Promise.reject(new TypeError('secret detail'));

    const answer = await hook.post(FIRING);

    expect([answer.status, answer.json.code]).toEqual([500, 'store_outcome_unknown']);
    expect(answer.text).not.toContain('secret detail');
  });

  it('after a look-up that failed says that nothing was kept', async () => {
    const hook = await start();
    hook.store.knowsChannel = () => Promise.reject(new TypeError('secret detail'));

    const answer = await hook.post(FIRING, { path: '/hooks/grafana/old' });

    expect([answer.status, answer.json.code]).toEqual([503, 'store_unavailable']);
    expect(answer.text).not.toContain('secret detail');
    expect(hook.store.kept).toEqual([]);
  });

  it('after an exception nobody foresaw has it logged, and says nothing of its text', async () => {
    const failure = new TypeError('secret detail');
    const emit = (): never => {
      throw failure;
    };
    const hook = await start({ deps: { emit } });

    const answer = await hook.request('/hooks/nobody', { method: 'POST', body: FIRING });

    expect([answer.status, answer.json.code]).toEqual([500, 'internal_error']);
    expect(answer.text).not.toContain('secret detail');
    expect(hook.hookFailures).toEqual([failure]);
  });

  it('leaves the connection usable for the next request', async () => {
    const hook = await start();
    const unsigned = head('POST', '/hooks/grafana', [`Content-Length: ${FIRING.length}`]);
    const signed = head('POST', '/hooks/grafana', [
      ...signatureLines(FIRING),
      `Content-Length: ${FIRING.length}`,
    ]);

    const answers = await hook.raw([unsigned, FIRING, signed, FIRING], 'status_url');

    expect(answers).toContain('signature_missing');
    expect(answers).toContain('HTTP/1.1 202');
  });
});

describe('a planner that fails', () => {
  it('has the notification delivered as text to the default channels of the source', async () => {
    const failure = new Error('planner broke');
    const hook = await start({
      deps: {
        plan: () => {
          throw failure;
        },
      },
    });

    const answer = await hook.post(FIRING);

    const [kept] = hook.store.kept;
    expect(answer.status).toBe(202);
    expect(kept?.entry).toMatchObject({ format: 'unreadable', groupKey: `unreadable:${kept?.entry.id}` });
    expect(kept?.deliveries).toMatchObject([
      { channel: 'ops', lineHash: kept?.entry.groupHash, selection: null, isFiring: true },
    ]);
    expect(kept?.alerts).toEqual([]);
    expect(hook.planFailures).toEqual([failure]);
  });
});

describe('any request', () => {
  it('is answered with 2xx only when signed right, and never with 5xx', async () => {
    const hook = await start({ sources: [makeSource({ dedupWindowMs: 0 })] });
    const headerText = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        fc.boolean(),
        headerText,
        headerText,
        async (body, isSigned, signature, contentType) => {
          const headers = isSigned
            ? { 'Content-Type': contentType }
            : { 'Content-Type': contentType, 'X-Grafana-Alerting-Signature': signature };

          const answer = await hook.post(body, { headers });

          expect(answer.status < 300).toBe(isSigned);
          expect(answer.status).toBeLessThan(500);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  it('is refused once a bit of its body or signature is flipped', async () => {
    const hook = await start();
    const right = createHmac('sha256', SECRET).update(`${NOW_SECONDS}:`).update(FIRING).digest('hex');
    await fc.assert(
      fc.asyncProperty(fc.nat(FIRING.length - 1), fc.nat(7), fc.nat(63), async (at, bit, digit) => {
        const body = Buffer.from(FIRING);
        body.writeUInt8(body.readUInt8(at) ^ (1 << bit), at);
        const other = right[digit] === '0' ? '1' : '0';
        const signature = `${right.slice(0, digit)}${other}${right.slice(digit + 1)}`;

        const answers = [
          await hook.post(body, { headers: { 'X-Grafana-Alerting-Signature': right } }),
          await hook.post(FIRING, { headers: { 'X-Grafana-Alerting-Signature': signature } }),
        ];

        expect(answers.map(({ json }) => json.code)).toEqual(['signature_mismatch', 'signature_mismatch']);
      }),
      { numRuns: runs(40) },
    );
    expect(hook.store.kept).toEqual([]);
  });
});
