/** How fast 10,000 waiting deliveries in as many groups leave over 10 channels, on this disk and on a slow one. */
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast, report, temporaryFolder } from './lib.mjs';
import { companion, load } from './processes.mjs';
import { channelNames, startProgram } from './program.mjs';
import { slowDisk } from './slow-disk.mjs';

const CHANNELS = 10;
const DELIVERIES = 10_000;
const LIMIT_MS = 120_000;

const fast = await measure({});
const folder = temporaryFolder();
const environment = slowDisk(folder.path, 5);
const slow = environment === undefined ? undefined : await measure(environment);
folder.remove();

report([
  atLeast('on this disk', fast, 'deliveries/s', 1_000),
  ...(slow === undefined ? [] : [atLeast('with 5 ms added to each fsync', slow, 'deliveries/s', 300)]),
]);

async function measure(disk) {
  const own = temporaryFolder();
  const robots = await companion('robots.mjs', {});
  const program = await startProgram(own.path, {
    robotsPort: robots.ready.port,
    channels: CHANNELS,
    environment: disk,
  });
  for (const name of channelNames(CHANNELS))
    await program.api('POST', `/api/channels/${name}/pause`, { for: '1h' });
  await load({ urls: program.hooks, connections: 64, requests: DELIVERIES });
  const startedAt = performance.timeOrigin + performance.now();
  await Promise.all(
    channelNames(CHANNELS).map((name) => program.api('POST', `/api/channels/${name}/resume`)),
  );
  const lastAt = await untilAllArrived(`http://127.0.0.1:${robots.ready.port}/stats`);
  await program.stop();
  await robots.stop();
  own.remove();
  return DELIVERIES / ((lastAt - startedAt) / 1000);
}

async function untilAllArrived(url) {
  for (const endsAt = performance.now() + LIMIT_MS; performance.now() < endsAt; await sleep(50)) {
    const { posts, lastAt } = await (await fetch(url)).json();
    if (posts >= DELIVERIES) return lastAt;
  }
  throw new Error(`the robots did not get ${DELIVERIES} messages in ${LIMIT_MS} ms`);
}
