import type { Dispatcher } from 'undici';
import type { Clock } from '../domain/clock.ts';
import type { EgressSettings, Settings } from '../domain/settings.ts';
import type { Store } from '../domain/store.ts';

/** What a test, a benchmark or the command line may put in place of the real thing. Everything has a default. */
export interface AppOptions {
  /** Default: nothing is logged. */
  readonly log?: { write(line: string): unknown };
  /** Default `info`. */
  readonly logLevel?: 'info' | 'warn' | 'error';
  /** Reads the configuration anew; default: a reload only reads templates anew. */
  readonly loadAgain?: () => Promise<{ readonly settings: Settings; readonly warnings: readonly string[] }>;
  /** Default: the system's. */
  readonly clock?: Clock;
  /** In [0, 1); default `Math.random`. */
  readonly random?: () => number;
  /** Wraps the store before anything uses it. */
  readonly wrapStore?: (store: Store) => Store;
  /** Default: real connections behind the egress guard. */
  readonly dispatcherFactory?: (egress: EgressSettings) => Dispatcher;
  /** Shown in metrics and OpenAPI. Default `0.0.0`. */
  readonly version?: string;
}
