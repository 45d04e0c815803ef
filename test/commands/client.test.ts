import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serverUrl } from '../../src/commands/api-client.ts';
import { makeId } from '../../src/domain/ids.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { DeliveryRow } from '../../src/domain/store.ts';
import type { WebDeps } from '../../src/web/ports.ts';
import { type Calls, fakeDeps, report, startWeb, TOKEN } from '../web/support.ts';
import { type Ran, type RunOptions, run, settingsWith } from './support.ts';

const AT = Date.UTC(2026, 2, 2, 8, 20, 30);

const dead: DeliveryRow = {
  id: 'dlv_1',
  notificationId: 'ntf_1',
  channel: 'ops',
  state: 'dead',
  reason: 'expired',
  attempts: 7,
  createdAt: AT,
  endedAt: AT,
  foldedInto: null,
};

let app: FastifyInstance;
let url: string;
let deps: WebDeps;
let calls: Calls;

beforeEach(async () => {
  const fake = fakeDeps();
  calls = fake.calls;
  const live: WebDeps = {
    ...fake.deps,
    engine: { ...fake.deps.engine, states: () => deps.engine.states() },
    preview: (input) => deps.preview(input),
    testChannel: (channel, payload) => deps.testChannel(channel, payload),
    reload: () => deps.reload(),
  };
  deps = fake.deps;
  app = await startWeb(live);
  url = await app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  await app.close();
});

async function client(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  return run([...args, '--server', url, '--token', TOKEN], options);
}

describe('preview of a notification', () => {
  const asked = ['preview', '--template', 'default', '--notification', 'ntf_1'];
  const item = {
    provider: 'feishu',
    rung: 'card2',
    message: { msg_type: 'interactive' },
    bytes: 30,
    shown: 1,
    omitted: 0,
    warnings: [],
  } as const;

  it('prints what the server makes of what it keeps', async () => {
    deps.store.body = async () => ({ body: Buffer.from('{}'), format: 'grafana', source: 'grafana' });
    deps = { ...deps, preview: async () => [item] };

    const { code, stdout, stderr } = await client([...asked, '--provider', 'feishu']);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(item.message);
    expect(stderr).toBe('feishu card2: 30 bytes, 1 alerts\n');
  });

  it('says that a notification is unknown', async () => {
    const { code, stderr } = await client(asked);

    expect(code).toBe(1);
    expect(stderr).toContain('No body is kept under this id');
  });

  it('takes no payload beside it', async () => {
    const { code, stderr } = await client([...asked, '--payload', 'body.json']);

    expect(code).toBe(2);
    expect(stderr).toContain('--payload and --notification exclude each other');
  });
});

describe('deliveries', () => {
  it('lists as a table and says how to go on', async () => {
    deps.store.deliveries = async (query) => {
      calls.deliveryQueries.push(query);
      return { items: [dead], next: 'c2' };
    };

    const { code, stdout } = await client([
      'deliveries',
      'list',
      '--state',
      'dead',
      '--channel',
      'ops',
      '--limit',
      '1',
      '--cursor',
      'c1',
    ]);

    expect(code).toBe(0);
    expect(stdout).toBe(
      `DELIVERY  CHANNEL  STATE  REASON   ATTEMPTS  CREATED                   NOTIFICATION
dlv_1     ops      dead   expired  7         2026-03-02T08:20:30.000Z  ntf_1
There is more: --cursor c2
`,
    );
    expect(calls.deliveryQueries).toEqual([{ limit: 1, cursor: 'c1', state: 'dead', channel: 'ops' }]);
  });

  it('lists for programs as the API answers', async () => {
    deps.store.deliveries = async () => ({ items: [dead], next: null });

    const { stdout } = await client(['deliveries', 'list', '--json']);

    expect(JSON.parse(stdout)).toMatchObject({ items: [{ id: 'dlv_1', folded_into: null }], next: null });
  });

  it('says so when there are none', async () => {
    expect(await client(['deliveries', 'list'])).toMatchObject({ code: 0, stdout: 'No deliveries.\n' });
  });

  it('does not say that there are none while there is more to look at', async () => {
    deps.store.deliveries = async () => ({ items: [], next: 'abc' });

    const { stdout } = await client(['deliveries', 'list', '--state', 'scheduled']);

    expect(stdout).toBe('None among the newest. There is more: --cursor abc\n');
  });

  it('shows one with its attempts', async () => {
    deps.store.delivery = async () => ({
      ...dead,
      attemptRecords: [
        {
          id: makeId('att'),
          channel: 'ops',
          robotKey: 'a',
          startedAt: AT,
          durationMs: 31,
          rung: 'card',
          outcome: 'misconfigured',
          reason: 'ip_denied',
          httpStatus: 200,
          providerCode: '310000',
          providerText: 'ip not in whitelist',
        },
      ],
    });

    const { stdout } = await client(['deliveries', 'show', 'dlv_1']);

    expect(stdout).toBe(`Delivery:     dlv_1
Notification: ntf_1
Channel:      ops
State:        dead (expired)
Created:      2026-03-02T08:20:30.000Z
Ended:        2026-03-02T08:20:30.000Z
Folded into:  -

ATTEMPT  STARTED                   MS  RUNG  OUTCOME        REASON     HTTP  PROVIDER
1        2026-03-02T08:20:30.000Z  31  card  misconfigured  ip_denied  200   310000 ip not in whitelist
`);
  });

  it.each([
    ['replay', 'is due again'],
    ['discard', 'is discarded'],
  ])('%s goes on past an id that fails', async (action, words) => {
    deps.store.act = async (request) => {
      calls.actions.push(request);
      return 'deliveryId' in request && request.deliveryId === 'dlv_2'
        ? { kind: 'wrong_state', state: 'delivered' }
        : { kind: 'done', channel: 'ops' };
    };

    const { code, stdout, stderr } = await client(['deliveries', action, 'dlv_1', 'dlv_2', 'dlv_3']);

    expect(code).toBe(1);
    expect(stdout).toBe(`dlv_1 ${words} (ops)\ndlv_3 ${words} (ops)\n`);
    expect(stderr).toBe(`dlv_2: Cannot ${action} a delivery that is delivered.\n`);
    expect(calls.actions).toHaveLength(3);
  });

  it('replay tells programs what was done', async () => {
    const { stdout } = await client(['deliveries', 'replay', 'dlv_1', '--json']);

    expect(JSON.parse(stdout)).toEqual({ items: [{ id: 'dlv_1', channel: 'ops' }] });
  });
});

describe('channels', () => {
  it('lists the state of each', async () => {
    const broken = report({
      state: 'broken',
      brokenReason: 'ip_denied',
      waiting: 3,
      oldestDueMs: 61_400,
      fallback: 'dev',
    });
    deps = { ...deps, engine: { ...deps.engine, states: () => [broken] } };

    const { stdout } = await client(['channels', 'list']);

    expect(stdout).toBe(`CHANNEL  PROVIDER  STATE   REASON     WAITING  OLDEST  PAUSED UNTIL  FALLBACK
ops      dingtalk  broken  ip_denied  3        61s     -             dev
`);
  });

  it('pauses and resumes', async () => {
    const paused = await client(['channels', 'pause', 'ops', '--for', '30m']);
    const resumed = await client(['channels', 'resume', 'ops']);

    expect(paused).toEqual({ code: 0, stdout: 'ops is paused for 30m\n', stderr: '' });
    expect(resumed).toEqual({ code: 0, stdout: 'ops is resumed\n', stderr: '' });
    expect(calls.actions).toEqual([
      { kind: 'pause', channel: 'ops', forMs: 1_800_000 },
      { kind: 'resume', channel: 'ops' },
    ]);
  });

  it('names those there are when it does not know one', async () => {
    const { code, stderr } = await client(['channels', 'resume', 'a/b']);

    expect(code).toBe(1);
    expect(stderr).toBe('alertcard channels: No channel has this name; there is ops.\n');
  });

  it('tests one, with the words of the robot when it refuses', async () => {
    const good = await client(['channels', 'test', 'ops']);
    deps = {
      ...deps,
      testChannel: async () => ({
        notificationId: 'ntf_1',
        outcome: 'misconfigured',
        reason: 'keyword_missing',
        providerCode: '310000',
        providerText: 'keywords not in content',
        advice: 'Set channels.ops.keyword.',
      }),
    };
    const bad = await client(['channels', 'test', 'ops']);

    expect(good.code).toBe(0);
    expect(good.stdout).toMatch(/^ops: delivered \(ntf_/);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toBe(
      'alertcard channels: The test card of ops was not delivered: misconfigured, keyword_missing. Set channels.ops.keyword.\n',
    );
  });
});

describe('send-test', () => {
  it('sends the given payload', async () => {
    const sent: [string, string | undefined][] = [];
    const { testChannel } = deps;
    deps = {
      ...deps,
      testChannel: (name, payload) => {
        sent.push([name, payload]);
        return testChannel(name, payload);
      },
    };

    const { code } = await client(['send-test', '--channel', 'ops', '--payload', 'body.json'], {
      files: { 'body.json': '{"status":"firing"}' },
    });

    expect(code).toBe(0);
    expect(sent).toEqual([['ops', '{"status":"firing"}']]);
  });
});

describe('reload', () => {
  it('prints the warnings of the new configuration', async () => {
    deps = { ...deps, reload: async () => ({ ok: true, warnings: ['ops has no fallback'] }) };

    const ran = await client(['reload']);

    expect(ran).toEqual({
      code: 0,
      stdout: 'The configuration was read anew.\n',
      stderr: 'warning: ops has no fallback\n',
    });
  });

  it('prints every problem of a bad one', async () => {
    deps = {
      ...deps,
      reload: async () => ({ ok: false, problems: ['line 3: no robots', 'line 9: no channels'] }),
    };

    const { code, stderr } = await client(['reload']);

    expect(code).toBe(1);
    expect(stderr).toMatch(/\n {2}line 3: no robots\n {2}line 9: no channels\n$/);
  });
});

describe('the way to the server', () => {
  const at = (port: number, token?: string) =>
    settingsWith({
      server: {
        ...settingsWith().server,
        host: '0.0.0.0',
        port,
        adminToken: token === undefined ? undefined : new Secret(token),
      },
    });

  it('is found in the configuration, the token in the data folder', async () => {
    const { code } = await run(['channels', 'list'], {
      settings: at(Number(new URL(url).port)),
      files: { '/var/lib/alertcard/admin-token': `${TOKEN}\n` },
    });

    expect(code).toBe(0);
  });

  it('takes the configured token before the file', async () => {
    const { code } = await run(['channels', 'list'], { settings: at(Number(new URL(url).port), TOKEN) });

    expect(code).toBe(0);
  });

  it('says what to do without a token', async () => {
    const { code, stderr } = await run(['channels', 'list'], { settings: at(1) });

    expect(code).toBe(1);
    expect(stderr).toContain('no admin token in /var/lib/alertcard/admin-token: start the server once');
  });

  it('says what to do with a wrong token, without printing it', async () => {
    const { code, stderr } = await run(['channels', 'list', '--server', url, '--token', 'wr0ng']);

    expect(code).toBe(1);
    expect(stderr).toContain('Send Authorization: Bearer with server.admin_token');
    expect(stderr).not.toContain('wr0ng');
  });

  it('says what to do when no server answers', async () => {
    await app.close();

    const { code, stderr } = await client(['channels', 'list']);

    expect(code).toBe(1);
    expect(stderr).toBe(
      `alertcard channels: No server answers at ${url}: start one with alertcard serve, or set --server.\n`,
    );
  });

  it('is not taken in by another server', async () => {
    const { code, stderr } = await client(['channels', 'list'], {
      http: async () => ({ status: 200, body: '<html>' }),
    });

    expect(code).toBe(1);
    expect(stderr).toContain("(HTTP 200) is not Alertcard's: check --server");
  });

  it.each([
    ['0.0.0.0', 'http://127.0.0.1:9095'],
    ['::', 'http://[::1]:9095'],
    ['::1', 'http://[::1]:9095'],
    ['', 'http://127.0.0.1:9095'],
    ['10.1.2.3', 'http://10.1.2.3:9095'],
  ])('leads from a listener on %j to %s', (host, expected) => {
    expect(serverUrl({ host, port: 9095 })).toBe(expected);
  });
});
