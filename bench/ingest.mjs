/**
 * Durable ingest at 64 connections against the same route that verifies, parses and validates without a store. The two
 * take turns, so that whatever else the machine does falls on both.
 */
import { atLeast, median, plain, report, temporaryFolder } from './lib.mjs';
import { companion, load } from './processes.mjs';
import { processorMs, startProgram } from './program.mjs';

const CONNECTIONS = 64;
const ROUNDS = 4;
/** Enough for the compiler to have seen everything. */
const WARM_UP_REQUESTS = 1_500;
const REQUESTS = 1_000;

const folder = temporaryFolder();
const other = temporaryFolder();
const robots = await companion('robots.mjs', {});
const program = await startProgram(folder.path, { robotsPort: robots.ready.port, channels: 1 });
await program.api('POST', '/api/channels/channel-0/pause', { for: '1h' });
const baseline = await companion('without-store.mjs', {
  folder: other.path,
  robotsPort: robots.ready.port,
});

const durableTurn = turns(program.hooks, program.processorMs);
const baselineTurn = turns([`${baseline.ready.url}/hooks/grafana/channel-0`], () =>
  processorMs(baseline.pid),
);
const rounds = [];
await durableTurn(WARM_UP_REQUESTS);
await baselineTurn(WARM_UP_REQUESTS);
for (let round = 0; round < ROUNDS; round += 1) {
  rounds.push({ durable: await durableTurn(REQUESTS), baseline: await baselineTurn(REQUESTS) });
}

await baseline.stop();
await program.stop();
await robots.stop();
folder.remove();
other.remove();

report([
  plain('without a store', median(rounds.map((pair) => pair.baseline.perSecond)), 'requests/s'),
  atLeast('durable', median(rounds.map((pair) => pair.durable.perSecond)), 'requests/s', 2_000),
  atLeast(
    'durable / without a store',
    median(rounds.map((pair) => pair.durable.perSecond / pair.baseline.perSecond)),
    '',
    0.5,
  ),
  plain('processor time of a request, without a store', processorTime('baseline'), 'ms'),
  plain('processor time of a request, durable', processorTime('durable'), 'ms'),
]);

function processorTime(which) {
  return median(rounds.map((pair) => pair[which].processorMs));
}

/** A function that loads the server for one turn, with requests never sent before. */
function turns(urls, processorSoFar) {
  let firstIndex = 0;
  return async (requests) => {
    const before = processorSoFar();
    const { perSecond } = await load({ urls, connections: CONNECTIONS, requests, firstIndex });
    firstIndex += requests;
    return { perSecond, processorMs: (processorSoFar() - before) / requests };
  };
}
