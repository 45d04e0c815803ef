import type { ChannelReport } from '../domain/channel-report.ts';
import type { Clock } from '../domain/clock.ts';
import type { Emit } from '../domain/events.ts';
import type { ChannelSettings, StoreSettings } from '../domain/settings.ts';
import type { ChannelState } from '../domain/store.ts';
import type { BrokenWatch } from './broken.ts';
import { tellDeaths } from './deaths.ts';
import type { Lane } from './lane.ts';
import type { Notices } from './notices.ts';
import type { DeliveryStore } from './ports.ts';

const TICK_MS = 1_000;
const EXPIRE_EVERY_MS = 10_000;
const EXPIRE_SLICE = 500;
/** After a slice that left nothing to prune. */
const PRUNE_EVERY_MS = 60_000;
/** Pruning waits for idle lanes, but not longer than this. */
const PRUNE_AT_LEAST_EVERY_MS = 120_000;
/** A step of the wall clock against the monotonic one that is worth a line in the log. */
const CLOCK_STEP_MS = 2_000;

export interface LaneView {
  readonly channel: ChannelSettings;
  readonly fallback: ChannelSettings | undefined;
  readonly lane: Lane;
}

export interface MaintenanceDeps {
  readonly store: Pick<DeliveryStore, 'reap' | 'channelState' | 'expire' | 'prune' | 'tellDeaths'>;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly lanes: () => readonly LaneView[];
  readonly retention: () => StoreSettings['retention'];
  readonly brokenWatch: BrokenWatch;
  readonly notices: Notices;
  readonly report: () => readonly ChannelReport[];
  /** Hears the state of every channel after each round. */
  readonly onReport: (reports: readonly ChannelReport[]) => void;
}

/** One round a second of what nobody is waiting for; a round that takes longer delays the next. */
export class Maintenance {
  readonly #deps: MaintenanceDeps;
  readonly #states = new Map<string, ChannelState>();
  readonly #expireAt = new Map<string, number>();
  #pruneAt = 0;
  #pruneLatestAt = 0;
  #clockOffsetMs: number;
  #isStopped = false;
  #cancel: () => void = () => undefined;
  #round: Promise<void> = Promise.resolve();

  constructor(deps: MaintenanceDeps) {
    this.#deps = deps;
    this.#clockOffsetMs = deps.clock.wall() - deps.clock.now();
  }

  start(): void {
    this.#cancel = this.#deps.clock.after(TICK_MS, () => {
      this.#round = this.#tick().finally(() => {
        if (!this.#isStopped) this.start();
      });
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel();
    await this.#round;
  }

  /** The state of a channel as of the last round. */
  stateOf(channel: string): ChannelState | undefined {
    return this.#states.get(channel);
  }

  /** Reads the state of a channel anew. */
  async refresh(channel: string): Promise<ChannelState> {
    const state = await this.#deps.store.channelState(channel);
    this.#states.set(channel, state);
    return state;
  }

  async #tick(): Promise<void> {
    this.#checkClock();
    await this.#deps.store.reap().catch(ignore);
    for (const view of this.#deps.lanes()) {
      if (this.#isStopped) return;
      await this.#look(view).catch(ignore);
    }
    await this.#prune().catch(ignore);
    this.#deps.onReport(this.#deps.report());
  }

  #checkClock(): void {
    const { clock, emit } = this.#deps;
    const offsetMs = clock.wall() - clock.now();
    const byMs = offsetMs - this.#clockOffsetMs;
    if (Math.abs(byMs) <= CLOCK_STEP_MS) return;
    this.#clockOffsetMs = offsetMs;
    emit({ kind: 'clock_jumped', byMs });
  }

  async #look({ channel, fallback, lane }: LaneView): Promise<void> {
    const { store, brokenWatch, notices } = this.#deps;
    const state = await this.refresh(channel.name);
    // Reaped lines come due without a wake, a pause may be cut short, and no wake that was missed may
    // leave a due line to a lane that sleeps.
    if (isAsleep(lane) && state.oldestDueMs !== undefined && state.pausedForMs === undefined) lane.resume();
    await brokenWatch.check(channel, fallback, state, lane.status());
    await tellDeaths({ store, notices }, channel, fallback, state);
    await this.#expire(channel);
  }

  async #expire({ name, giveUpAfterMs }: ChannelSettings): Promise<void> {
    const { store, clock, emit } = this.#deps;
    const now = clock.now();
    if (now < (this.#expireAt.get(name) ?? 0)) return;
    const { dead } = await store.expire({ channel: name, giveUpAfterMs, limit: EXPIRE_SLICE });
    this.#expireAt.set(name, dead < EXPIRE_SLICE ? now + EXPIRE_EVERY_MS : now);
    if (dead > 0) emit({ kind: 'died', channel: name, reason: 'expired', count: dead });
  }

  /** A slice a round: at once where the last one left something, and while no card waits for the store. */
  async #prune(): Promise<void> {
    const { store, clock, lanes, retention } = this.#deps;
    const now = clock.now();
    if (now < this.#pruneAt) return;
    const isBusy = lanes().some(({ lane }) => lane.status().state.kind === 'working');
    if (isBusy && now < this.#pruneLatestAt) return;
    const { more } = await store.prune(retention());
    this.#pruneAt = more ? now : now + PRUNE_EVERY_MS;
    this.#pruneLatestAt = now + PRUNE_AT_LEAST_EVERY_MS;
  }
}

function isAsleep(lane: Lane): boolean {
  const { state } = lane.status();
  return (
    state.kind === 'idle' || (state.kind === 'resting' && (state.why === 'held' || state.why === 'paused'))
  );
}

/** The store itself tells of its failures; each step is tried again in the next round. */
function ignore(): void {}
