/** Durable ingest at 64 connections against the same route that verifies, parses and validates without a store. */
import { atLeast, plain, report, temporaryFolder } from './lib.mjs';
import { companion, load } from './processes.mjs';
import { startProgram } from './program.mjs';

const CONNECTIONS = 64;
const SECONDS = 6;
const WARM_UP_SECONDS = 2;

const folder = temporaryFolder();
const robots = await companion('robots.mjs', {});
const durable = await measureDurable();
const baseline = await measureBaseline();
await robots.stop();
folder.remove();

report([
  plain('without a store', baseline, 'requests/s'),
  atLeast('durable', durable, 'requests/s', 2_000),
  atLeast('durable / without a store', durable / baseline, '', 0.5),
]);

async function measureDurable() {
  const program = await startProgram(folder.path, { robotsPort: robots.ready.port, channels: 1 });
  await program.api('POST', '/api/channels/channel-0/pause', { for: '1h' });
  const perSecond = await rateOf(program.hooks);
  await program.stop();
  return perSecond;
}

async function measureBaseline() {
  const other = temporaryFolder();
  const server = await companion('without-store.mjs', { folder: other.path, robotsPort: robots.ready.port });
  const perSecond = await rateOf([`${server.ready.url}/hooks/grafana/channel-0`]);
  await server.stop();
  other.remove();
  return perSecond;
}

async function rateOf(urls) {
  const warmUp = await load({ urls, connections: CONNECTIONS, seconds: WARM_UP_SECONDS });
  const firstIndex = warmUp.requests;
  return (await load({ urls, connections: CONNECTIONS, seconds: SECONDS, firstIndex })).perSecond;
}
