/** How fast 10,000 waiting deliveries in as many groups leave over 10 channels, on this disk and on a slow one. */
import { join } from 'node:path';
import { atLeast, plain, report, temporaryFolder } from './lib.mjs';
import { companion, untilAllArrived } from './processes.mjs';
import { channelNames, startProgram } from './program.mjs';
import { slowDisk } from './slow-disk.mjs';
import { openBenchStore, seed } from './wiring.mjs';

const CHANNELS = channelNames(10);
/** Delivered first and not counted: the compiler has to have seen everything. */
const WARM_UP = 1_000;
const DELIVERIES = 10_000;
const DAY_MS = 86_400_000;

const fast = await measure({});
const folder = temporaryFolder();
const environment = slowDisk(folder.path, 5);
const slow = environment === undefined ? undefined : await measure(environment);
folder.remove();

report([
  atLeast('on this disk', fast.perSecond, 'deliveries/s', 1_000),
  ...(slow === undefined
    ? []
    : [atLeast('with 5 ms added to each fsync', slow.perSecond, 'deliveries/s', 300)]),
  plain('processor time of a delivery', fast.processorMs, 'ms'),
]);

async function measure(disk) {
  const own = temporaryFolder();
  await fill(join(own.path, 'alertcard.db'));
  const robots = await companion('robots.mjs', {});
  const { port } = robots.ready;
  const program = await startProgram(own.path, {
    robotsPort: port,
    channels: CHANNELS.length,
    environment: disk,
  });
  await Promise.all(CHANNELS.map((name) => program.api('POST', `/api/channels/${name}/resume`)));
  const first = await untilAllArrived(port, WARM_UP);
  const processorBefore = program.processorMs();
  const last = await untilAllArrived(port, WARM_UP + DELIVERIES);
  const processorMs = program.processorMs() - processorBefore;
  await program.stop();
  await robots.stop();
  own.remove();
  const count = last.posts - first.posts;
  return { perSecond: (count * 1000) / (last.lastAt - first.lastAt), processorMs: processorMs / count };
}

async function fill(path) {
  const each = (WARM_UP + DELIVERIES) / CHANNELS.length;
  for (const [index, name] of CHANNELS.entries()) seed(path, index * each, (index + 1) * each, [name]);
  const store = await openBenchStore(path);
  for (const channel of CHANNELS) await store.act({ kind: 'pause', channel, forMs: DAY_MS });
  await store.close();
}
