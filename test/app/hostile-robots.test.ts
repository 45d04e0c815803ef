import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { Agent, Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AppOptions } from '../../src/app/options.ts';
import { settingsLoader } from '../../src/app/settings-loader.ts';
import { type App, buildApp } from '../../src/app.ts';
import { guardedConnector } from '../../src/channels/connector.ts';
import type { Robots } from '../../src/sandbox/robots.ts';
import type { Scripted } from '../../src/sandbox/script.ts';
import { notificationBody } from '../support/program.ts';
import { useRobots } from '../support/robots.ts';
import { signedHeaders } from '../support/sign.ts';

const SECRET = 'hostile-robots-secret';
const MIB = 1_048_576;
const robots = useRobots();

interface Hostile {
  readonly what: string;
  readonly script: Scripted;
  readonly outcome: string;
  readonly reason: string;
}

const HOSTILE: readonly Hostile[] = [
  { what: 'resets the connection', script: { kind: 'reset' }, outcome: 'unconfirmed', reason: 'reset' },
  { what: 'answers with nothing', script: page(''), outcome: 'unconfirmed', reason: 'unreadable_answer' },
  {
    what: 'answers with a page',
    script: page('<html>ok</html>'),
    outcome: 'unconfirmed',
    reason: 'unreadable_answer',
  },
  {
    what: 'answers without end',
    script: page('x'.repeat(32 * MIB)),
    outcome: 'unconfirmed',
    reason: 'unreadable_answer',
  },
  {
    what: 'answers compressed though nobody asked for it',
    script: {
      kind: 'answer',
      headers: { 'content-encoding': 'gzip' },
      body: gzipSync(`{"errcode":0,"pad":"${'0'.repeat(32 * MIB)}"}`),
    },
    outcome: 'unconfirmed',
    reason: 'unreadable_answer',
  },
  {
    what: 'is cut off within its success',
    script: { kind: 'cut_off', body: '{"errcode":0}', missingBytes: 10 },
    outcome: 'unconfirmed',
    reason: 'unreadable_answer',
  },
  {
    what: 'redirects to the address of cloud metadata',
    script: { kind: 'redirect', to: 'http://169.254.169.254/latest/', status: 307 },
    outcome: 'misconfigured',
    reason: 'redirect',
  },
  {
    what: 'refuses its token with HTTP 200',
    script: page('{"errcode":300005,"errmsg":"token is not exist"}'),
    outcome: 'misconfigured',
    reason: 'unknown_token',
  },
];

describe('a robot of the whole program', () => {
  it.each(HOSTILE)('that $what has delivered nothing, and is tried again', async (hostile) => {
    const stage = await startStage(['ops']);
    stage.robots.script('dingtalk', 'ops', hostile.script);

    const id = await stage.post('Hostile');
    await until(() => attemptsOf(stage.path).length >= 1 && attemptsOf(stage.path)[0]?.outcome !== null);
    const [first] = attemptsOf(stage.path);
    const afterFirst = statesOf(stage.path);
    await stage.app.engine.resume('ops');
    await until(() => statesOf(stage.path)[0] === 'delivered');

    expect(first).toEqual({ channel: 'ops', outcome: hostile.outcome, reason: hostile.reason });
    expect(afterFirst).toEqual(['scheduled']);
    expect(statesOf(stage.path)).toEqual(['delivered']);
    expect(await stage.app.store.notification(id)).toBeDefined();
    await stage.expectSound();
  });

  it('that drips or never answers delays no other channel', async () => {
    const stage = await startStage(['dripping', 'silent', 'well']);
    stage.robots.script('dingtalk', 'dripping', { kind: 'drip', everyMs: 20 });
    stage.robots.script('dingtalk', 'silent', { kind: 'hang' });

    await stage.post('First', 'dripping');
    await stage.post('First', 'silent');
    await until(() => stage.robots.received.length === 2);
    for (let count = 0; count < 5; count += 1) await stage.post(`Other${count}`, 'well');
    await until(() => stage.robots.received.length === 7);
    await until(() => attemptsOf(stage.path).filter(({ outcome }) => outcome === 'delivered').length === 5);

    const open = attemptsOf(stage.path).filter(({ outcome }) => outcome === null);
    expect(open.map(({ channel }) => channel).toSorted()).toEqual(['dripping', 'silent']);
    const well = attemptsOf(stage.path).filter(({ channel }) => channel === 'well');
    expect(well.map(({ outcome }) => outcome)).toEqual(Array(5).fill('delivered'));
  });
});

describe('the name of a robot', () => {
  it('that turns from a good address to that of cloud metadata is not dialled again', async () => {
    const answers = ['127.0.0.1', '169.254.169.254'];
    const asked: string[] = [];
    const stage = await startStage(['ops'], {
      host: 'robot.example',
      dispatcherFactory: (egress) =>
        new FreshAgent(() => {
          const connect = guardedConnector(egress, 3_000, (name, _options, callback) => {
            asked.push(name);
            callback(null, [{ address: answers.shift() ?? '169.254.169.254', family: 4 }]);
          });
          return new Agent({ connect });
        }),
    });

    await stage.post('Before');
    await until(() => attemptsOf(stage.path)[0]?.outcome === 'delivered');
    await stage.post('After');
    await until(() => (attemptsOf(stage.path)[1]?.outcome ?? null) !== null);

    expect(asked.length).toBeGreaterThan(1);
    expect(attemptsOf(stage.path)[1]).toEqual({
      channel: 'ops',
      outcome: 'misconfigured',
      reason: 'egress_denied',
    });
    expect(stage.robots.received).toHaveLength(1);
    await stage.expectSound();
  });
});

/** An agent for every request: no connection is kept, so every attempt resolves the name anew. */
class FreshAgent extends Dispatcher {
  readonly #make: () => Agent;
  readonly #made: Agent[] = [];

  constructor(make: () => Agent) {
    super();
    this.#make = make;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const agent = this.#make();
    this.#made.push(agent);
    return agent.dispatch(options, handler);
  }

  override async destroy(): Promise<void> {
    await Promise.all(this.#made.map((agent) => agent.destroy()));
  }
}

interface Stage {
  readonly app: App;
  readonly robots: Robots;
  readonly path: string;
  /** Returns the id of the notification, which was accepted. */
  post(name: string, channel?: string): Promise<string>;
  /** Closes the program and looks at what it left. */
  expectSound(): Promise<void>;
}

interface StageOptions extends AppOptions {
  /** Host in the robots' URLs. Default: where they really are. */
  readonly host?: string;
}

/** The whole program on a file of its own, with a DingTalk robot for each channel. */
async function startStage(channels: readonly string[], options: StageOptions = {}): Promise<Stage> {
  const { host, ...appOptions } = options;
  const folder = mkdtempSync(join(tmpdir(), 'alertcard-hostile-'));
  const path = join(folder, 'alertcard.db');
  const sandbox = await robots();
  const urls = channels.map((name): [string, string] => {
    const url = sandbox.dingtalkUrl(name);
    return [name, host === undefined ? url : url.replace('127.0.0.1', host)];
  });
  const log: string[] = [];
  const allowed = [...(host === undefined ? [] : [host, `${host}:${sandbox.port}`])];
  const { settings } = await settingsLoader(
    {},
    folder,
  )({
    file: writeYaml(folder, new Map(urls), allowed),
    purpose: 'serve',
  });
  const app = await buildApp(settings, { ...appOptions, log: { write: (line) => log.push(line) } });
  onTestFinished(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const url = await app.listen();
  return {
    app,
    robots: sandbox,
    path,
    post: async (name, channel = channels[0] ?? '') => {
      const payload = notificationBody(name);
      const timestampSeconds = Math.floor(Date.now() / 1000);
      const answer = await fetch(`${url}/hooks/grafana/${channel}`, {
        method: 'POST',
        headers: signedHeaders(SECRET, payload, { timestampSeconds }),
        body: payload,
      });
      expect(answer.status).toBe(202);
      const { id } = (await answer.json()) as { id: string };
      return id;
    },
    expectSound: async () => {
      await app.close();
      const integrity = read(path, (db) => db.pragma('integrity_check', { simple: true }));
      expect(integrity).toBe('ok');
      expect(log.join('')).not.toContain(SECRET);
      expect(log.join('')).not.toContain('access_token=ops');
    },
  };
}

function writeYaml(folder: string, urls: ReadonlyMap<string, string>, allowHosts: readonly string[]): string {
  const file = join(folder, 'alertcard.yaml');
  const channels = [...urls].map(
    ([name, url]) =>
      `  ${name}: { provider: dingtalk, robots: [{ url: "${url}" }], pacing: { per_minute: 100000 } }`,
  );
  writeFileSync(
    file,
    `server: { listen: "127.0.0.1:0", admin_token: hostile-robots-admin, drain_delay: 0 }
store: { url: "sqlite:${folder}/alertcard.db" }
egress: { allow_private: true, allow_hosts: ${JSON.stringify(allowHosts)} }
sources: { grafana: { auth: { hmac: { secrets: [${SECRET}] } }, channels: [${[...urls.keys()].join(', ')}] } }
channels:
${channels.join('\n')}
`,
  );
  return file;
}

function page(body: string): Scripted {
  return { kind: 'answer', body };
}

interface AttemptRow {
  readonly channel: string;
  readonly outcome: string | null;
  readonly reason: string | null;
}

function attemptsOf(path: string): readonly AttemptRow[] {
  const sql = 'SELECT channel, outcome, reason FROM attempts ORDER BY seq';
  return read(path, (db) => db.prepare<[], AttemptRow>(sql).all());
}

function statesOf(path: string): readonly string[] {
  const sql = 'SELECT state FROM deliveries ORDER BY seq';
  return read(path, (db) => db.prepare<[], { state: string }>(sql).all()).map(({ state }) => state);
}

function read<T>(path: string, query: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(path, { readonly: true });
  try {
    return query(db);
  } finally {
    db.close();
  }
}

/** Waits for what happens elsewhere in this process; the time-out of the test ends it. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((passed) => setTimeout(passed, 10));
}
