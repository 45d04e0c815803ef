import { createHmac } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import type { AppOptions } from '../../src/app/options.ts';
import { type App, buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/load.ts';
import type { Settings } from '../../src/domain/settings.ts';
import type { Store } from '../../src/domain/store.ts';
import type { SettleResult } from '../../src/domain/work.ts';
import { type Robots, startRobots } from '../../src/sandbox/robots.ts';
import { showReceived } from '../../src/sandbox/show.ts';
import { type HandClock, handClock } from './robots.ts';

export const HMAC_SECRET = 'service-test-hmac-secret';
export const ADMIN_TOKEN = 'service-test-admin-token';
/** When the tests' own clock starts. */
export const START = Date.UTC(2026, 2, 2, 8, 30);

/** What a test's configuration says, as YAML would. */
export type Tree = Record<string, unknown>;

export interface Answered {
  readonly status: number;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of many shapes and fail where one differs
  readonly json: any;
}

export interface PostOptions {
  readonly path?: string;
  readonly method?: 'POST' | 'PUT';
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
}

/** The whole program with look-alike robots, on a file of its own and a clock moved by hand. */
export interface Service {
  readonly app: App;
  readonly robots: Robots;
  readonly clock: HandClock;
  readonly folder: string;
  readonly logs: string[];
  /** Posts a notification as Grafana signs it. */
  post(body: string | Buffer, options?: PostOptions): Promise<Answered>;
  api(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answered>;
  get(path: string): Promise<Answered>;
  /** Titles and bodies of what stands in the room of a robot, oldest first. */
  shown(robot: string): { readonly title: string; readonly body: string; readonly all: string }[];
  /** Waits until nothing is being stored or sent. */
  idle(): Promise<void>;
  /** Moves the clock in steps, of a second if not said, letting all that falls due come to its end. */
  pass(ms: number, stepMs?: number): Promise<void>;
  /** Ends the program and starts it again on the same file, with another configuration if given. */
  restart(config?: Tree): Promise<void>;
  /** What a reload will read. */
  configure(config: Tree): void;
}

export interface ServiceOptions {
  /** Made when the robots have their addresses. */
  readonly config: (robots: Robots) => Tree;
  readonly app?: AppOptions;
}

/** Counts what is under way in a store: calls without an answer and attempts that are open. */
class Traffic {
  #calls = 0;
  #open = 0;

  get isIdle(): boolean {
    return this.#calls === 0 && this.#open === 0;
  }

  wrap(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name, target);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) => this.#track(String(name), member.apply(target, args));
      },
    });
  }

  async #track(name: string, answer: unknown): Promise<unknown> {
    this.#calls += 1;
    try {
      const value = await answer;
      if (name === 'claim' && value !== undefined) this.#open += 1;
      if (name === 'settle' && (value as SettleResult).next === undefined) this.#open -= 1;
      if (name === 'release') this.#open -= 1;
      return value;
    } finally {
      this.#calls -= 1;
    }
  }
}

/** Starts the program for one test; it ends with it. */
export async function startService({ config, app: options = {} }: ServiceOptions): Promise<Service> {
  const clock = handClock(START);
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'alertcard-service-'));
  const robots = await startRobots({ clock: { now: () => clock.now() } });
  const logs: string[] = [];
  let traffic = new Traffic();
  let tree = config(robots);
  let base = '';
  const settings = (): Settings => settingsOf(tree, folder);
  const build = async (): Promise<App> => {
    traffic = new Traffic();
    const built = await buildApp(settings(), {
      clock,
      random: () => 0.5,
      log: { write: (line) => logs.push(line) },
      loadAgain: async () => ({ settings: settings(), warnings: [] }),
      ...options,
      wrapStore: (store) => traffic.wrap(options.wrapStore?.(store) ?? store),
    });
    base = await built.listen();
    return built;
  };
  let app = await build();
  onTestFinished(async () => {
    await app.close();
    await robots.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const idle = async (): Promise<void> => {
    // Two looks in a row: what one answer sets off begins in the same turn of the event loop.
    for (let quiet = 0; quiet < 3; quiet = traffic.isIdle ? quiet + 1 : 0)
      await new Promise((resolve) => setImmediate(resolve));
  };
  const send = async (
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: string | Buffer,
  ): Promise<Answered> => {
    const answer = await request(`${base}${path}`, {
      method,
      // A connection kept open would keep a server that drains from ending: its time-out is on our clock.
      headers: { ...headers, connection: 'close' },
      body: body ?? null,
    });
    const text = await answer.body.text();
    const isJson = text.startsWith('{');
    return { status: answer.statusCode, text, json: isJson ? JSON.parse(text) : undefined };
  };
  return {
    get app() {
      return app;
    },
    robots,
    clock,
    folder,
    logs,
    post: (body, { path = '/hooks/grafana', method = 'POST', headers = {}, secret = HMAC_SECRET } = {}) =>
      send(method, path, { ...sign(body, secret, clock.now()), ...headers }, body),
    api: (method, path, body) =>
      send(
        method,
        path,
        {
          authorization: `Bearer ${ADMIN_TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body === undefined ? undefined : JSON.stringify(body),
      ),
    get: (path) => send('GET', path, {}),
    shown: (robot) =>
      robots.received
        .filter((received) => received.robot === robot && received.isShown)
        .map((received) => ({ ...showReceived(received), all: JSON.stringify(received.json) })),
    idle,
    pass: async (ms, stepMs = 1_000) => {
      await idle();
      for (let left = ms; left > 0; left -= stepMs) {
        clock.advance(Math.min(left, stepMs));
        await idle();
      }
    },
    restart: async (changed) => {
      if (changed !== undefined) tree = changed;
      await app.close();
      app = await build();
    },
    configure: (changed) => {
      tree = changed;
    },
  };
}

/** Settings as the program reads them from a file, robots on loopback allowed. */
function settingsOf(tree: Tree, folder: string): Settings {
  const yaml = stringify({
    server: { listen: '127.0.0.1:0', admin_token: ADMIN_TOKEN, drain_delay: '0' },
    store: { url: `sqlite:${folder}/alertcard.db` },
    defaults: { locale: 'en' },
    egress: { allow_private: true },
    sources: { grafana: { auth: { hmac: { secrets: [HMAC_SECRET] } }, channels: ['ops'] } },
    ...tree,
  });
  return loadConfig({
    path: '/alertcard.yaml',
    env: {},
    cwd: folder,
    files: { read: () => yaml, exists: () => true, isWorldReadable: () => false },
  }).settings;
}

/** One channel `ops` on DingTalk robot `ding`, with whatever else a test says of it. */
export function dingtalkOps(more: Tree = {}): (robots: Robots) => Tree {
  return (robots) => ({
    channels: { ops: { provider: 'dingtalk', robots: [{ url: robots.dingtalkUrl('ding') }], ...more } },
  });
}

/** One channel `ops` on Feishu bot `fei`. */
export function feishuOps(more: Tree = {}): (robots: Robots) => Tree {
  return (robots) => ({
    channels: { ops: { provider: 'feishu', robots: [{ url: robots.feishuUrl('fei') }], ...more } },
  });
}

function sign(body: string | Buffer, secret: string, at: number): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  return {
    'content-type': 'application/json',
    'x-grafana-alerting-timestamp': timestamp,
    'x-grafana-alerting-signature': createHmac('sha256', secret)
      .update(`${timestamp}:`)
      .update(body)
      .digest('hex'),
  };
}

export interface AlertSpec {
  readonly name: string;
  readonly status?: 'firing' | 'resolved';
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A notification of one group as Grafana 13 sends it. */
export function notification(
  alerts: readonly AlertSpec[],
  { group = 'g', receiver = 'team', at = START }: { group?: string; receiver?: string; at?: number } = {},
): string {
  const isFiring = alerts.some(({ status = 'firing' }) => status === 'firing');
  return JSON.stringify({
    receiver,
    status: isFiring ? 'firing' : 'resolved',
    alerts: alerts.map(({ name, status = 'firing', labels = {}, annotations = {} }) => ({
      status,
      labels: { alertname: name, severity: 'warning', ...labels },
      annotations: { summary: `summary of ${name}`, ...annotations },
      startsAt: new Date(START - 60_000).toISOString(),
      endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : new Date(at).toISOString(),
      generatorURL: '',
      fingerprint: createHmac('sha256', 'f').update(name).digest('hex').slice(0, 16),
      values: { B: 1 },
    })),
    groupLabels: { group },
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'https://grafana.example.com/',
    version: '1',
    groupKey: `{}:{group="${group}"}`,
    truncatedAlerts: 0,
    orgId: 1,
    title: `${alerts[0]?.name ?? ''}`,
    state: isFiring ? 'alerting' : 'ok',
    message: '',
  });
}
