/**
 * The claim at 1,000,000 waiting lines against the claim at 1,000: half of the lines wait in another, paused channel,
 * and the worst rank of this one is in backoff. In memory-backed files where there are any, so that the disk, which
 * both have to wait for alike, does not hide the difference.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { atMost, median, plain, report, temporaryFolder } from './lib.mjs';
import { openBenchStore, seed } from './wiring.mjs';

const CLAIMS = 500;
const BACKED_OFF = 100;
const HOUR_MS = 3_600_000;
const CLAIM = { channel: 'busy', robotKey: 'bench', maxLines: 1, leaseMs: 30_000 };

if (process.env.BENCH_DIR === undefined && existsSync('/dev/shm')) process.env.BENCH_DIR = '/dev/shm';

const few = await measure(1_000);
const many = await measure(1_000_000);
report([
  plain('at 1,000 lines', few, 'ms'),
  plain('at 1,000,000 lines', many, 'ms'),
  atMost('at 1,000,000 / at 1,000', many / few, '', 1.5),
]);

async function measure(lines) {
  const folder = temporaryFolder();
  const path = join(folder.path, 'alertcard.db');
  seed(path, 0, BACKED_OFF, ['busy'], { rank: 0 });
  seed(path, BACKED_OFF, lines / 2, ['busy', 'paused']);
  const store = await openBenchStore(path);
  await store.act({ kind: 'pause', channel: 'paused', forMs: HOUR_MS });
  for (let index = 0; index < BACKED_OFF; index += 1) await backOff(store);
  const durations = [];
  for (let claim = 0; claim < CLAIMS; claim += 1) {
    const startedAt = performance.now();
    const work = await store.claim(CLAIM);
    durations.push(performance.now() - startedAt);
    await store.release(work.token);
  }
  await store.close();
  folder.remove();
  return median(durations);
}

/** Claims the worst line and hands it back for an hour. */
async function backOff(store) {
  const work = await store.claim(CLAIM);
  await store.settle(work.token, {
    verdict: { outcome: 'unavailable', reason: 'connect' },
    durationMs: 1,
    rung: 'card',
    next: { kind: 'retry', inMs: HOUR_MS, rung: 0, isPossibleRepeat: false, withoutMentions: false },
    deathsTold: 0,
  });
}
