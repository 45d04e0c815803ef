import type { Emit } from '../domain/events.ts';
import { combine } from '../observe/emit.ts';
import { watchEventLoop } from '../observe/event-loop.ts';
import { logEvents } from '../observe/log-events.ts';
import { createLogger } from '../observe/logger.ts';
import { createMetrics, type MetricsFeed, type MetricsSnapshot } from '../observe/metrics.ts';
import type { Live } from './live.ts';
import type { AppOptions } from './options.ts';

const NOWHERE = { write: () => undefined };

export interface Observers {
  readonly emit: Emit;
  readonly log: ReturnType<typeof createLogger>;
  readonly metrics: MetricsFeed;
  /** Adds an observer that is built later than those it watches. */
  readonly add: (observe: Emit) => void;
  readonly stop: () => void;
}

/** Builds what watches: the log, the metrics, and whoever joins later. None can break what it watches. */
export function createObservers(
  options: AppOptions,
  live: () => Live,
  snapshot: () => Promise<MetricsSnapshot>,
): Observers {
  const log = createLogger({ level: options.logLevel ?? 'info', destination: options.log ?? NOWHERE });
  const eventLoop = watchEventLoop();
  const metrics = createMetrics({
    names: namesOf(live()),
    version: options.version ?? '0.0.0',
    node: process.version,
    eventLoop,
    snapshot,
  });
  const later: Emit[] = [];
  const tellLater: Emit = (event) => {
    for (const observe of later) observe(event);
  };
  const emit = combine([logEvents(log), metrics.observe, tellLater], (error) =>
    log.error({ err: error }, 'an observer failed'),
  );
  return {
    emit,
    log,
    metrics,
    add: (observe) => later.push(observe),
    stop: () => eventLoop.stop(),
  };
}

/** The names that may become label values. */
export function namesOf({ settings, templates }: Live) {
  const used = [...settings.channels.values()].flatMap(({ provider, template, locale }) => {
    const json = templates.findJson(provider, template, locale);
    return [`${provider}/${template}`, ...(json === undefined ? [] : [json.name])];
  });
  return {
    sources: [...settings.sources.keys()],
    channels: [...settings.channels.keys()],
    templates: [...new Set([...used, ...templates.broken.map(({ template }) => template)])],
  };
}
