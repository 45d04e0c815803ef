/** How fast 10,000 waiting deliveries in as many groups leave over 10 channels, on this disk and on a slow one. */
import { atLeast, plain, report, temporaryFolder } from './lib.mjs';
import { companion, load, untilAllArrived } from './processes.mjs';
import { channelNames, startProgram } from './program.mjs';
import { slowDisk } from './slow-disk.mjs';

const CHANNELS = 10;
const DELIVERIES = 10_000;

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
  plain('processor time of one delivery', fast.processorMs, 'ms'),
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
  const processorBefore = program.processorMs();
  const startedAt = performance.timeOrigin + performance.now();
  await Promise.all(
    channelNames(CHANNELS).map((name) => program.api('POST', `/api/channels/${name}/resume`)),
  );
  const lastAt = await untilAllArrived(robots.ready.port, DELIVERIES);
  const processorMs = program.processorMs() - processorBefore;
  await program.stop();
  await robots.stop();
  own.remove();
  return { perSecond: DELIVERIES / ((lastAt - startedAt) / 1000), processorMs: processorMs / DELIVERIES };
}
