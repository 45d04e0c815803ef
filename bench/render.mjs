/**
 * Parse, render, fit and encode one group of 120 and one of 6,000 alerts, as a lane does before it sends. Nothing in it
 * waits, so the figures are processor time of the whole process. The fastest round stands beside the median: on a busy
 * machine it is nearest to what the work itself takes.
 */
import { atMost, bodyMaker, median, plain, report, temporaryFolder } from './lib.mjs';
import { writeConfiguration } from './program.mjs';
import { composeOnce } from './wiring.mjs';

const WARM_UP = 10;
const ROUNDS = 30;

report([
  ...measure(120, 10, 'dingtalk'),
  ...measure(120, 10, 'feishu'),
  ...measure(6_000, 250, 'dingtalk'),
  ...measure(6_000, 250, 'feishu'),
]);

function measure(alerts, targetMs, provider) {
  const folder = temporaryFolder();
  const file = writeConfiguration(folder.path, { port: 9095, robotsPort: 9, channels: 1, provider });
  const compose = composeOnce(file, bodyMaker(alerts)(0));
  folder.remove();
  for (let round = 0; round < WARM_UP; round += 1) compose();
  const times = Array.from({ length: ROUNDS }, () => processorMsOf(compose));
  const name = `${alerts.toLocaleString('en')} alerts, ${provider}`;
  return [atMost(name, median(times), 'ms', targetMs), plain(`${name}, fastest`, Math.min(...times), 'ms')];
}

function processorMsOf(work) {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
