/**
 * The load generator: a process of its own, plain `node:http` with keep-alive connections.
 * Reads one JSON object from the command line, prints one JSON object with what it saw.
 *
 *   { urls, connections, seconds?, requests?, ratePerSecond?, alerts?, firstIndex?, trace? }
 *
 * Requests take the urls in turn, each in an alert group of its own, numbered from `firstIndex`: no two bodies are
 * alike, so none is a duplicate. `trace` adds the instant each group was answered, in epoch ms, by its number.
 *
 * Without `ratePerSecond` every connection sends its next request when it has the last one's answer. With it,
 * requests start on a fixed schedule and latency counts from the scheduled instant, so that a stall is not hidden
 * by the requests that were never sent during it.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { bodyMaker, percentile, signedHeaders } from './lib.mjs';

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);
const plan = JSON.parse(process.argv[2] ?? '{}');
const urls = plan.urls.map((text) => new URL(text));
for (const { hostname } of urls)
  if (!LOOPBACK.has(hostname))
    throw new Error(`the load generator only talks to this machine, not to ${hostname}`);

const agent = new Agent({ keepAlive: true, maxSockets: plan.connections });
const bodyOf = bodyMaker(plan.alerts ?? 1);
const answeredAt = [];
const latencies = [];
const statuses = {};
let sent = 0;

const startedAt = performance.now();
const endsAt = plan.seconds === undefined ? Number.POSITIVE_INFINITY : startedAt + plan.seconds * 1000;
const limit = plan.requests ?? Number.POSITIVE_INFINITY;
if (!Number.isFinite(endsAt) && !Number.isFinite(limit)) throw new Error('give seconds or requests');

await (plan.ratePerSecond === undefined ? closedLoop() : openLoop(plan.ratePerSecond));
const seconds = (performance.now() - startedAt) / 1000;
agent.destroy();
process.stdout.write(
  `${JSON.stringify({
    requests: latencies.length,
    seconds,
    perSecond: latencies.length / seconds,
    statuses,
    p50Ms: percentile(latencies, 50),
    p99Ms: percentile(latencies, 99),
    maxMs: percentile(latencies, 100),
    ...(plan.trace ? { answeredAt } : {}),
  })}\n`,
);

async function closedLoop() {
  const connection = async () => {
    while (performance.now() < endsAt && sent < limit) await post(performance.now());
  };
  await Promise.all(Array.from({ length: plan.connections }, connection));
}

async function openLoop(ratePerSecond) {
  const open = new Set();
  for (let count = 0; ; count += 1) {
    const dueAt = startedAt + (count * 1000) / ratePerSecond;
    if (dueAt >= endsAt || sent >= limit) break;
    const waitMs = dueAt - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const answered = post(dueAt).finally(() => open.delete(answered));
    open.add(answered);
  }
  await Promise.all(open);
}

function post(fromMs) {
  const index = (plan.firstIndex ?? 0) + sent;
  const body = bodyOf(index);
  const url = urls[sent % urls.length];
  sent += 1;
  return new Promise((resolve) => {
    const done = (status) => {
      const now = performance.now();
      latencies.push(now - fromMs);
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (plan.trace) answeredAt[index] = performance.timeOrigin + now;
      resolve();
    };
    const headers = { ...signedHeaders(body), 'content-length': body.length };
    const call = request(url, { agent, method: 'POST', headers });
    call.on('error', () => done('error'));
    call.on('response', (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode));
    });
    call.end(body);
  });
}
