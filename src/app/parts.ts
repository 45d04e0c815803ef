import type { Engine } from '../deliver/engine.ts';
import type { Clock } from '../domain/clock.ts';
import type { Secret } from '../domain/secret.ts';
import type { Store } from '../domain/store.ts';
import type { Live } from './live.ts';
import type { Observers } from './observers.ts';
import type { AppOptions } from './options.ts';
import type { Outbound } from './outbound.ts';

/** What changes while the program runs. */
export interface State {
  live: Live;
  adminToken: Secret;
  isDraining: boolean;
  /** '' while the store takes writes. */
  storeRefuses: string;
}

export interface Parts {
  readonly options: AppOptions;
  readonly clock: Clock;
  readonly state: State;
  readonly store: Store;
  readonly observers: Observers;
  readonly outbound: Outbound;
  readonly engine: Engine;
  readonly ending: { resolve: () => void; reject: (error: unknown) => void };
}
