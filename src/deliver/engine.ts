import type { Accepted, AcceptResult } from '../domain/accepted.ts';
import type { ChannelReport } from '../domain/channel-report.ts';
import type { Clock } from '../domain/clock.ts';
import type { Emit, Event } from '../domain/events.ts';
import type { DeliveryId, NotificationId } from '../domain/ids.ts';
import type { Notice, WaitingAlert } from '../domain/notice.ts';
import type { Verdict } from '../domain/outcome.ts';
import { PACING_WINDOW_MS, reserveForWorst } from '../domain/pacing.ts';
import type { ChannelSettings, Settings } from '../domain/settings.ts';
import type { WaitingFiring } from '../domain/store.ts';
import { createBrokenWatch } from './broken.ts';
import { Lane } from './lane.ts';
import { type LaneView, Maintenance } from './maintenance.ts';
import { createNotices, type NoticeDeps, type Notices } from './notices.ts';
import { createOutcomes, type Outcomes } from './outcomes.ts';
import { PacingLedger } from './pacing.ts';
import type { Composer, DeliveryStore, Sender } from './ports.ts';
import { reportChannel } from './report.ts';
import { Robots } from './robots.ts';
import { UnstoredNotice, type UnstoredNoticeDeps } from './unstored-notice.ts';

export interface EngineDeps {
  readonly store: DeliveryStore;
  readonly composer: Composer;
  readonly sender: Sender;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly emit: Emit;
  /** Keeps a notice as any notification is kept. */
  readonly accept: (accepted: Accepted) => Promise<AcceptResult>;
  readonly makeId: NoticeDeps['makeId'];
  readonly hash: NoticeDeps['hash'];
  /** Names the waiting alerts, worst first. */
  readonly summarise: (waiting: WaitingFiring) => readonly WaitingAlert[];
  readonly sendUnstored: UnstoredNoticeDeps['sendUnstored'];
  /** Hears the state of every channel about once a second. */
  readonly onReport: (reports: readonly ChannelReport[]) => void;
}

/** What delivers: the lanes of all channels, and what watches over them. */
export class Engine {
  readonly #deps: EngineDeps;
  readonly #ledger: PacingLedger;
  readonly #robots: Robots;
  readonly #outcomes: Outcomes;
  readonly #notices: Notices;
  readonly #maintenance: Maintenance;
  readonly #unstored: UnstoredNotice;
  readonly #lanes = new Map<string, Lane>();
  readonly #seeded = new Set<string>();
  /** Lanes of channels that left the configuration, until nothing of theirs is in flight. */
  readonly #leaving: Promise<{ readonly releasedUnsent: number }>[] = [];
  #settings: Settings;

  constructor(deps: EngineDeps, settings: Settings) {
    const { clock, store } = deps;
    this.#deps = deps;
    this.#settings = settings;
    this.#ledger = new PacingLedger(clock, (robotKey) => this.#onRefund(robotKey));
    this.#robots = new Robots(clock, this.#ledger);
    this.#outcomes = createOutcomes(clock);
    this.#notices = createNotices({ ...deps, emit: this.#emit, wake: (channel) => this.wake(channel) });
    const { sendUnstored, summarise } = deps;
    const defaultChannels = (): readonly ChannelSettings[] => this.#defaultChannels();
    this.#unstored = new UnstoredNotice({ clock, robots: this.#robots, defaultChannels, sendUnstored });
    const emit = this.#emit;
    this.#maintenance = new Maintenance({
      store,
      clock,
      emit,
      lanes: () => this.#views(),
      retention: () => this.#settings.store.retention,
      brokenWatch: createBrokenWatch({ store, clock, notices: this.#notices, emit, summarise }),
      notices: this.#notices,
      report: () => this.states(),
      onReport: deps.onReport,
    });
  }

  /** Takes up where an earlier process ended: pauses, pacing, and every waiting line due at once. */
  async start(): Promise<void> {
    await this.reload(this.#settings);
    this.#maintenance.start();
  }

  /** Something was kept for a channel. */
  wake(channel: string): void {
    this.#lanes.get(channel)?.wake();
  }

  /**
   * Works by new settings; whatever waits is tried at once, misconfigured robots included. When reading
   * what they need fails, or `swap`, which is called between reading and changing, nothing has changed.
   */
  async reload(settings: Settings, swap: () => void = () => undefined): Promise<void> {
    const { channels } = settings;
    const pauses = await this.#deps.store.robotPauses();
    for (const { robots } of channels.values()) for (const { key } of robots) await this.#seedPacing(key);
    for (const name of channels.keys()) await this.#maintenance.refresh(name);
    swap();
    this.#settings = settings;
    this.#robots.configure(channels.values());
    this.#robots.seed(pauses);
    for (const [name, lane] of this.#lanes) {
      if (channels.has(name)) continue;
      this.#lanes.delete(name);
      this.#leaving.push(lane.stop());
    }
    for (const channel of channels.values()) this.#open(channel);
    for (const name of channels.keys()) await this.resume(name);
  }

  /** Resolves when nothing is in flight in a lane that left: then its lines are back in the store. */
  async left(): Promise<void> {
    await Promise.all(this.#leaving);
  }

  /** Tries at once whatever waits in a channel, after a person's pause for instance. */
  async resume(channel: string): Promise<void> {
    await this.#deps.store.wakeChannel(channel);
    this.probe(channel);
  }

  /** Lets a channel try at once, its misconfigured robots included: a test has to hear the truth. */
  probe(channel: string): void {
    const settings = this.#settings.channels.get(channel);
    if (settings !== undefined) this.#robots.probe(settings);
    this.#lanes.get(channel)?.resume();
  }

  /** Stops claiming, waits for what is in flight and hands back what was not sent, within a budget. */
  async drain(budgetMs: number): Promise<{ readonly releasedUnsent: number; readonly unfinished: number }> {
    this.#unstored.stop();
    let releasedUnsent = 0;
    let unfinished = this.#lanes.size + this.#leaving.length;
    const stops = [...[...this.#lanes.values()].map((lane) => lane.stop()), ...this.#leaving].map((stop) =>
      stop.then((stopped) => {
        releasedUnsent += stopped.releasedUnsent;
        unfinished -= 1;
      }),
    );
    const all = Promise.all([this.#maintenance.stop(), ...stops]).then(() => undefined);
    await new Promise<void>((resolve, reject) => {
      const cancel = this.#deps.clock.after(budgetMs, resolve);
      all.finally(cancel).then(resolve, reject);
    });
    return { releasedUnsent, unfinished };
  }

  /** The state of every channel as of the last round of maintenance. */
  states(): readonly ChannelReport[] {
    const now = this.#deps.clock.now();
    return this.#views().map(({ channel, lane }) =>
      reportChannel(channel, this.#maintenance.stateOf(channel.name), lane.status(), this.#robots, now),
    );
  }

  /** The first telling verdict on each delivery within a time; see `Outcomes.waitFor`. */
  waitForOutcomes(
    deliveryIds: readonly DeliveryId[],
    timeoutMs: number,
  ): Promise<ReadonlyMap<DeliveryId, Verdict>> {
    return this.#outcomes.waitFor(deliveryIds, timeoutMs);
  }

  /** Gives a notice to one channel. */
  async notify(toChannel: string, notice: Notice): Promise<void> {
    await this.#notices.give(toChannel, notice);
  }

  /** Sends a test card the way alerts go, and tells what came of it; no verdict when none came in time. */
  async sendTest(
    channel: string,
    timeoutMs: number,
  ): Promise<{ readonly notificationId: NotificationId; readonly verdict: Verdict | undefined }> {
    const { entry, deliveries } = await this.#notices.give(channel, { kind: 'test', channel });
    this.probe(channel);
    const verdicts = await this.#outcomes.waitFor(
      deliveries.map(({ id }) => id),
      timeoutMs,
    );
    return { notificationId: entry.id, verdict: [...verdicts.values()][0] };
  }

  /** To be fed the events of the other folders: whether the store takes what comes in. */
  observe(event: Event): void {
    this.#unstored.observe(event);
  }

  readonly #emit: Emit = (event) => {
    this.#outcomes.observe(event);
    try {
      this.#deps.emit(event);
    } catch {
      // An observer that fails must not cost a card.
    }
  };

  async #seedPacing(robotKey: string): Promise<void> {
    if (this.#seeded.has(robotKey)) return;
    this.#ledger.seed(robotKey, await this.#deps.store.recentAttempts(robotKey, PACING_WINDOW_MS));
    this.#seeded.add(robotKey);
  }

  #open(channel: ChannelSettings): void {
    const lastAttempt = this.#maintenance.stateOf(channel.name)?.lastAttempt;
    const isFailing = lastAttempt?.outcome !== 'delivered';
    const reason = (isFailing ? lastAttempt?.reason : undefined) ?? 'waiting';
    const lane = this.#lanes.get(channel.name) ?? new Lane(this.#laneDeps(), channel, reason);
    this.#lanes.set(channel.name, lane);
    lane.configure(channel);
  }

  #laneDeps(): ConstructorParameters<typeof Lane>[0] {
    return { ...this.#deps, robots: this.#robots, emit: this.#emit };
  }

  #views(): readonly LaneView[] {
    const { channels } = this.#settings;
    return [...channels.values()].flatMap((channel) => {
      const lane = this.#lanes.get(channel.name);
      const fallback = channel.fallback === undefined ? undefined : channels.get(channel.fallback);
      return lane === undefined ? [] : [{ channel, fallback, lane }];
    });
  }

  #defaultChannels(): readonly ChannelSettings[] {
    const names = new Set([...this.#settings.sources.values()].flatMap(({ channels }) => channels));
    return [...this.#settings.channels.values()].filter(({ name }) => names.has(name));
  }

  /** A token that came back may be what another lane of the same robot waits for. */
  #onRefund(robotKey: string): void {
    for (const { channel, lane } of this.#views()) {
      const { state } = lane.status();
      if (state.kind !== 'resting' || state.why !== 'pacing') continue;
      if (!channel.robots.some(({ key }) => key === robotKey)) continue;
      // Tokens kept for the worst rank come back unused all the time: they are no news.
      const reserved = reserveForWorst(channel.pacing.perMinute);
      if (this.#ledger.freeAt(robotKey, channel.pacing, reserved) <= this.#deps.clock.now()) lane.wake();
    }
  }
}

export function createEngine(deps: EngineDeps, settings: Settings): Engine {
  return new Engine(deps, settings);
}
