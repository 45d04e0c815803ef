/** From the 2xx to the robot's door: 100 notifications/s over 50 channels, robots instant. */
import { atMost, percentile, plain, report, temporaryFolder } from './lib.mjs';
import { companion, load, untilAllArrived } from './processes.mjs';
import { startProgram } from './program.mjs';

const CHANNELS = 50;
const REQUESTS = 1_500;

const folder = temporaryFolder();
const robots = await companion('robots.mjs', {});
const program = await startProgram(folder.path, { robotsPort: robots.ready.port, channels: CHANNELS });
const processorBefore = program.processorMs();
const { answeredAt } = await load({
  urls: program.hooks,
  connections: 64,
  ratePerSecond: 100,
  requests: REQUESTS,
  trace: true,
});
await untilAllArrived(robots.ready.port, REQUESTS);
const processorMs = program.processorMs() - processorBefore;
await program.stop();
const { arrivedAt } = await robots.stop();
folder.remove();

// A card may reach its robot before the sender has read our answer: that counts as no wait.
const waits = answeredAt.flatMap((at, index) => {
  const arrived = arrivedAt[index];
  return typeof arrived === 'number' ? [Math.max(0, arrived - at)] : [];
});
if (waits.length < REQUESTS)
  throw new Error(`${REQUESTS - waits.length} of ${REQUESTS} notifications reached no robot`);

report([
  atMost('p50', percentile(waits, 50), 'ms', 10),
  atMost('p99', percentile(waits, 99), 'ms', 50),
  plain('longest', percentile(waits, 100), 'ms'),
  plain('processor time of a notification, request to delivery', processorMs / REQUESTS, 'ms'),
]);
