/** Starts the other processes of a bench script: the load generator, and Alertcard itself. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Runs the load generator to its end; throws when any answer was not a 2xx. */
export async function load(plan) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'load.mjs'), JSON.stringify(plan)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const result = JSON.parse(await textOf(child));
  const refused = Object.keys(result.statuses).filter((status) => !status.startsWith('2'));
  if (refused.length > 0) throw new Error(`answers other than 2xx: ${JSON.stringify(result.statuses)}`);
  return result;
}

/**
 * Starts a script of this folder that prints a line of JSON when it is ready, and another when its input ends.
 * @returns {Promise<{ ready: any, stop(): Promise<any>, pid: number }>}
 */
export async function companion(script, plan, environment = {}) {
  const child = spawn(
    process.execPath,
    ['--expose-gc', join(import.meta.dirname, script), JSON.stringify(plan)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    },
  );
  const lines = linesOf(child);
  const ready = JSON.parse(await lines.next());
  return {
    ready,
    pid: child.pid,
    async stop() {
      child.stdin.end();
      const last = await lines.next();
      await (child.exitCode === null ? once(child, 'exit') : undefined);
      return JSON.parse(last);
    },
  };
}

const ARRIVAL_LIMIT_MS = 300_000;

/** Waits until the robots on `port` have had `count` messages; resolves to how many came by then, and when the last did, epoch ms. */
export async function untilAllArrived(port, count) {
  for (const endsAt = performance.now() + ARRIVAL_LIMIT_MS; performance.now() < endsAt; await sleep(50)) {
    const { posts, lastAt } = await (await fetch(`http://127.0.0.1:${port}/stats`)).json();
    if (posts >= count) return { posts, lastAt };
  }
  throw new Error(`the robots did not get ${count} messages in ${ARRIVAL_LIMIT_MS} ms`);
}

async function textOf(child) {
  const chunks = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  if (child.exitCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error('the load generator failed');
  return Buffer.concat(chunks).toString('utf8');
}

function linesOf(child) {
  const waiting = [];
  const arrived = [];
  let rest = '';
  let hasEnded = false;
  child.stdout.on('data', (chunk) => {
    rest += chunk;
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines) (waiting.shift()?.resolve ?? ((text) => arrived.push(text)))(line);
  });
  child.on('exit', (code) => {
    hasEnded = true;
    for (const { reject } of waiting.splice(0)) reject(new Error(`the process ended with code ${code}`));
  });
  return {
    next() {
      if (arrived.length > 0) return Promise.resolve(arrived.shift());
      if (hasEnded) return Promise.reject(new Error('the process has ended'));
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
    },
  };
}
