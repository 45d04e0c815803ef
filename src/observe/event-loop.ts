import { monitorEventLoopDelay } from 'node:perf_hooks';

export const DELAY_QUANTILES = ['0.5', '0.99', '1'] as const;
type DelayQuantile = (typeof DELAY_QUANTILES)[number];

export interface EventLoopDelay {
  /** Seconds by quantile since the last call, which starts the measurement anew. */
  take(): Readonly<Record<DelayQuantile, number>>;
  stop(): void;
}

/** The histogram samples on a timer of its own and counts that wait too: it is subtracted. */
const RESOLUTION_MS = 10;

/** Starts to measure how late the event loop runs its timers. */
export function watchEventLoop(): EventLoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const toSeconds = (nanoseconds: number): number => Math.max(0, nanoseconds / 1e9 - RESOLUTION_MS / 1000);
  return {
    take: () => {
      const taken = {
        '0.5': toSeconds(histogram.percentile(50)),
        '0.99': toSeconds(histogram.percentile(99)),
        '1': toSeconds(histogram.max),
      };
      histogram.reset();
      return taken;
    },
    stop: () => {
      histogram.disable();
    },
  };
}
