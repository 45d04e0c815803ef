/** Loaded with `--import` into a measured process: writes the delay of its main event loop to LOOP_DELAY_FILE at exit. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

const RESOLUTION_MS = 1;
const file = process.env.LOOP_DELAY_FILE;

if (isMainThread && file !== undefined) {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  // SIGUSR2 starts the measurement anew: what happened while the program started does not count.
  process.on('SIGUSR2', () => histogram.reset());
  histogram.enable();
  process.on('exit', () => {
    const milliseconds = (nanoseconds) => nanoseconds / 1e6;
    const result = { p99Ms: milliseconds(histogram.percentile(99)), maxMs: milliseconds(histogram.max) };
    writeFileSync(file, JSON.stringify(result));
  });
}
