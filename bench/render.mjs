/** Parse, render, fit and encode one group of 120 and one of 6,000 alerts, as a lane does before it sends. */
import { atMost, bodyMaker, median, report, temporaryFolder } from './lib.mjs';
import { writeConfiguration } from './program.mjs';
import { composeOnce } from './wiring.mjs';

const WARM_UP = 5;
const ROUNDS = 30;

report([
  atMost('120 alerts, dingtalk', await measure(120, 'dingtalk'), 'ms', 10),
  atMost('120 alerts, feishu', await measure(120, 'feishu'), 'ms', 10),
  atMost('6,000 alerts, dingtalk', await measure(6_000, 'dingtalk'), 'ms', 250),
  atMost('6,000 alerts, feishu', await measure(6_000, 'feishu'), 'ms', 250),
]);

async function measure(alerts, provider) {
  const folder = temporaryFolder();
  const file = writeConfiguration(folder.path, { port: 9095, robotsPort: 9, channels: 1, provider });
  const compose = await composeOnce(file, bodyMaker(alerts)(0));
  const durations = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const startedAt = performance.now();
    await compose();
    if (round >= WARM_UP) durations.push(performance.now() - startedAt);
  }
  folder.remove();
  return median(durations);
}
