import { type ChildProcess, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../..');
export const HMAC_SECRET = 'process-test-hmac-secret';
export const ADMIN_TOKEN = 'process-test-admin-token';

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createNetServer().listen(0, '127.0.0.1');
  await new Promise((listening) => probe.once('listening', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}

/** A robot on loopback that keeps every message it accepted: outlives the program it listens to. */
export interface Ear {
  readonly url: string;
  readonly heard: string[];
  /** ms before it answers. */
  delayMs: number;
  close(): Promise<void>;
}

export async function startEar(): Promise<Ear> {
  const heard: string[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      heard.push(Buffer.concat(chunks).toString('utf8'));
      setTimeout(() => {
        response.setHeader('content-type', 'application/json');
        response.end('{"errcode":0,"errmsg":"ok"}');
      }, ear.delayMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as AddressInfo;
  const ear: Ear = {
    url: `http://127.0.0.1:${port}/robot/send?access_token=process-test-robot-token`,
    heard,
    delayMs: 0,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
  return ear;
}

/** The configuration the process tests run with: one source, one DingTalk channel on loopback, no pacing to wait for. */
export function writeConfig(dir: string, port: number, robotUrl: string, extra = ''): string {
  const path = join(dir, 'alertcard.yaml');
  writeFileSync(
    path,
    `server: { listen: "127.0.0.1:${port}", admin_token: "${ADMIN_TOKEN}", drain_delay: 100ms }
store: { url: "sqlite:${join(dir, 'alertcard.db')}" }
egress: { allow_hosts: ["127.0.0.1"], allow_private: true }
sources:
  grafana:
    auth: { hmac: { secrets: ["${HMAC_SECRET}"] } }
    channels: [ops]
channels:
  ops:
    provider: dingtalk
    robots: [{ url: "${robotUrl}" }]
    pacing: { per_minute: 100000 }
${extra}`,
  );
  return path;
}

export interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
  /** Resolves with how it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export interface ProgramOptions {
  /** Lets a test start a changed build. */
  readonly cli?: string;
  /** Beside PATH. */
  readonly env?: Readonly<Record<string, string>>;
  /** Runs as this user: root may write where it must not. */
  readonly uid?: number;
}

/** Starts the built program and waits until it is ready. */
export async function startProgram(
  configPath: string,
  port: number,
  cli = join(ROOT, 'dist/cli.js'),
  options: ProgramOptions = {},
): Promise<Program> {
  const program = spawnProgram(configPath, { cli, ...options });
  await untilReady(program, port);
  return program;
}

/** Starts the built program, which may refuse to run. Without a path the environment is its configuration. */
export function spawnProgram(configPath: string, options: ProgramOptions = {}): Program {
  const { cli = join(ROOT, 'dist/cli.js'), env = {}, uid } = options;
  const named = configPath === '' ? [] : ['--config', configPath];
  const child = spawn(process.execPath, [cli, 'serve', ...named], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '', ...env },
    ...(uid === undefined ? {} : { uid }),
  });
  const parts: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => parts.push(chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => parts.push(chunk.toString('utf8')));
  // `close` and not `exit`: by then everything it printed has been read
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((done) =>
    child.once('close', (code, signal) => done({ code, signal })),
  );
  return { child, output: () => parts.join(''), ended };
}

export async function untilReady(program: Program, port: number): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    if (program.child.exitCode !== null) throw new Error(`the program ended at start:\n${program.output()}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.status === 200) return;
    await pause(25);
  }
  throw new Error(`the program did not become ready:\n${program.output()}`);
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

/** A firing notification of a group of its own. */
export function notificationBody(name: string): string {
  const labels = { alertname: name, severity: 'warning' };
  return JSON.stringify({
    receiver: 'ops',
    status: 'firing',
    alerts: [
      {
        status: 'firing',
        labels,
        annotations: { summary: `summary of ${name}` },
        startsAt: '2026-03-02T08:20:30Z',
        endsAt: '0001-01-01T00:00:00Z',
        generatorURL: '',
        fingerprint: createHmac('sha256', 'f').update(name).digest('hex').slice(0, 16),
        values: { B: 1 },
      },
    ],
    groupLabels: { alertname: name },
    commonLabels: labels,
    commonAnnotations: {},
    externalURL: 'https://grafana.example.com/',
    version: '1',
    groupKey: `{}:{alertname="${name}"}`,
    truncatedAlerts: 0,
    orgId: 1,
    title: `[FIRING:1] ${name}`,
    state: 'alerting',
    message: '',
  });
}

/** Posts a signed notification; undefined when the connection broke before an answer. */
export async function postSigned(
  port: number,
  body: string,
): Promise<{ status: number; id: string | undefined } | undefined> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', HMAC_SECRET).update(`${timestamp}:${body}`).digest('hex');
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/hooks/grafana`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-grafana-alerting-signature': signature,
        'x-grafana-alerting-timestamp': timestamp,
      },
    });
    const json = (await answer.json()) as { id?: string };
    return { status: answer.status, id: json.id };
  } catch {
    return undefined;
  }
}

/** What the API says of a notification's deliveries; undefined when it does not know the notification. */
export async function deliveryStates(port: number, id: string): Promise<string[] | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/notifications/${id}`, {
    headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
  });
  if (answer.status === 404) return undefined;
  const json = (await answer.json()) as { deliveries: { state: string }[] };
  return json.deliveries.map((delivery) => delivery.state);
}
