/** How long Grafana waits for its 2xx at 200 requests/s on a slow disk with slow robots, and what the event loop does. */
import { join } from 'node:path';
import { atMost, plain, report, temporaryFolder } from './lib.mjs';
import { companion, load } from './processes.mjs';
import { startProgram } from './program.mjs';
import { slowDisk } from './slow-disk.mjs';

const CHANNELS = 10;
const folder = temporaryFolder();
const environment = slowDisk(folder.path, 5, join(folder.path, 'fsync-count'));
if (environment !== undefined) report(await measure());
folder.remove();

async function measure() {
  const robots = await companion('robots.mjs', { delayMs: 200 });
  const program = await startProgram(folder.path, {
    robotsPort: robots.ready.port,
    channels: CHANNELS,
    environment,
  });
  const result = await load({ urls: program.hooks, connections: 64, ratePerSecond: 200, seconds: 15 });
  const delay = await program.stop();
  await robots.stop();
  return [
    atMost('p50', result.p50Ms, 'ms', 15),
    atMost('p99', result.p99Ms, 'ms', 100),
    atMost('event-loop delay p99', delay.p99Ms, 'ms', 50),
    plain('event-loop delay, longest', delay.maxMs, 'ms'),
  ];
}
