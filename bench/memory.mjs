/** Resident memory with nothing to do and with 1,000,000 deliveries waiting, and how long a start takes with them. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, median, plain, report, temporaryFolder } from './lib.mjs';
import { companion } from './processes.mjs';
import { channelNames, startProgram } from './program.mjs';
import { openBenchStore, seed } from './wiring.mjs';

const CHANNELS = 10;
const NOTIFICATIONS = 100_000;
const SETTLE_MS = 5_000;
const STARTS = 3;
const DAY_MS = 86_400_000;

const robots = await companion('robots.mjs', {});
const idle = await measure(0);
const full = await measure(NOTIFICATIONS);
await robots.stop();

report([
  atMost('idle', idle.residentMb, 'MB', 130),
  atMost('with 1,000,000 waiting deliveries', full.residentMb, 'MB', 200),
  plain('start of an empty store', idle.startMs, 'ms'),
  atMost('start with 1,000,000 waiting deliveries', full.startMs, 'ms', 1_000),
  plain('processor time of a start, empty store', idle.processorMs, 'ms'),
  plain('processor time of a start, 1,000,000 waiting', full.processorMs, 'ms'),
]);

async function measure(notifications) {
  const folder = temporaryFolder();
  if (notifications > 0) await fill(folder.path, notifications);
  const starts = [];
  for (let start = 0; start < STARTS; start += 1) starts.push(await startOnce(folder.path));
  folder.remove();
  return {
    residentMb: median(starts.map((start) => start.residentMb)),
    startMs: median(starts.map((start) => start.startMs)),
    processorMs: median(starts.map((start) => start.processorMs)),
  };
}

async function startOnce(folder) {
  const program = await startProgram(folder, { robotsPort: robots.ready.port, channels: CHANNELS });
  const processorMs = program.processorMs();
  await sleep(SETTLE_MS);
  const residentMb = program.residentMb();
  await program.stop();
  return { residentMb, startMs: program.startMs, processorMs };
}

async function fill(folder, notifications) {
  const path = join(folder, 'alertcard.db');
  seed(path, 0, notifications, channelNames(CHANNELS));
  const store = await openBenchStore(path);
  for (const channel of channelNames(CHANNELS)) await store.act({ kind: 'pause', channel, forMs: DAY_MS });
  await store.close();
}
