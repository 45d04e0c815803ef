/** Starts the real program, `dist/cli.js serve`, on a configuration of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'yaml';
import { HMAC_SECRET } from './lib.mjs';

const CLI = join(import.meta.dirname, '../dist/cli.js');
const ADMIN_TOKEN = 'bench-admin-token';
const START_LIMIT_MS = 30_000;

/** Names of `count` channels. */
export function channelNames(count) {
  return Array.from({ length: count }, (_, index) => `channel-${index}`);
}

/** Writes a configuration: `channels` rooms with a robot each on `robotsPort`, pacing off, no digests. */
export function writeConfiguration(folder, { port, robotsPort, channels, provider = 'dingtalk' }) {
  const file = join(folder, 'alertcard.yaml');
  const rooms = channelNames(channels).map((name, index) => [name, channelOf(provider, robotsPort, index)]);
  const configuration = {
    server: { listen: `127.0.0.1:${port}`, admin_token: ADMIN_TOKEN },
    store: { url: `sqlite:${join(folder, 'alertcard.db')}`, retention: { max_size: '20GiB' } },
    egress: { allow_hosts: ['127.0.0.1'], allow_private: true },
    sources: {
      grafana: {
        auth: { hmac: { secrets: [HMAC_SECRET] } },
        // Every request is a notification of its own: what is measured must not be the answer to duplicates.
        dedup_window: '0s',
        channels: ['channel-0'],
      },
    },
    channels: Object.fromEntries(rooms),
  };
  writeFileSync(file, stringify(configuration));
  return file;
}

const ROBOT_PATHS = {
  dingtalk: (index) => `/robot/send?access_token=bench${index}`,
  feishu: (index) => `/open-apis/bot/v2/hook/bench${index}`,
};

function channelOf(provider, robotsPort, index) {
  return {
    provider,
    robots: [{ url: `http://127.0.0.1:${robotsPort}${ROBOT_PATHS[provider](index)}`, secret: 'SECbench' }],
    broken_after: '24h',
    late_after: '24h',
    pacing: { per_minute: 0 },
    digest: { above: 1_000_000 },
  };
}

/**
 * Starts the program and waits until it answers /readyz.
 * `startMs` is the time from spawn to that answer; `stop` sends SIGTERM and returns the loop delay of the whole run.
 */
export async function startProgram(folder, { robotsPort, channels, environment = {} }) {
  const port = await freePort();
  const file = writeConfiguration(folder, { port, robotsPort, channels });
  const delayFile = join(folder, 'loop-delay.json');
  const errorFile = join(folder, 'stderr.log');
  const errors = openSync(errorFile, 'w');
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    ['--import', join(import.meta.dirname, 'loop-delay.mjs'), CLI, 'serve', '--config', file],
    {
      // Its warnings (no fallback, pacing off) are what this configuration wants.
      stdio: ['ignore', 'ignore', errors],
      env: { ...process.env, ...environment, LOOP_DELAY_FILE: delayFile },
    },
  );
  closeSync(errors);
  // A script that fails must not leave a server behind.
  const killChild = () => child.kill('SIGKILL');
  process.once('exit', killChild);
  const url = `http://127.0.0.1:${port}`;
  await becomesReady(url, child, errorFile);
  const startMs = performance.now() - startedAt;
  child.kill('SIGUSR2');
  return {
    url,
    startMs,
    hooks: channelNames(channels).map((name) => `${url}/hooks/grafana/${name}`),
    residentMb: () => residentMb(child.pid),
    processorMs: () => processorMs(child.pid),
    api: (method, path, body) => callApi(url, method, path, body),
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      process.off('exit', killChild);
      return JSON.parse(readFileSync(delayFile, 'utf8'));
    },
  };
}

async function becomesReady(url, child, errorFile) {
  const endsAt = performance.now() + START_LIMIT_MS;
  while (performance.now() < endsAt) {
    if (child.exitCode !== null)
      throw new Error(`the program ended with code ${child.exitCode}: ${readFileSync(errorFile, 'utf8')}`);
    const status = await fetch(`${url}/readyz`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(5);
  }
  child.kill('SIGKILL');
  throw new Error('the program was not ready in time');
}

async function callApi(url, method, path, body) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${ADMIN_TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok)
    throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

function residentMb(pid) {
  const kibibytes = /^VmRSS:\s+(?<kib>\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.groups
    ?.kib;
  return (Number(kibibytes) * 1024) / 1e6;
}

/** Processor time that all threads of a process have taken so far: what other programs do does not change it. */
export function processorMs(pid) {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  // utime and stime, in ticks of 10 ms (proc_pid_stat(5), fields 14 and 15; the first here is field 3).
  return (Number(afterName[11]) + Number(afterName[12])) * 10;
}

/** A port of this machine that nobody listens on. */
export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
