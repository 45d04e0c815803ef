import type { Clock } from '../domain/clock.ts';
import type { Event } from '../domain/events.ts';
import type { Notice } from '../domain/notice.ts';
import type { ChannelSettings } from '../domain/settings.ts';
import type { Robots } from './robots.ts';

/** One card per channel and so long: while nothing can be kept, nothing can be folded either. */
const REPEAT_MS = 600_000;

/** The codes that say that the store, not the sender, is why a notification was refused. */
const STORE_CODES: ReadonlySet<string> = new Set(['store_unavailable', 'store_outcome_unknown']);

export interface UnstoredNoticeDeps {
  readonly clock: Clock;
  readonly robots: Robots;
  readonly defaultChannels: () => readonly ChannelSettings[];
  /** Composes and sends from memory, once. */
  readonly sendUnstored: (channel: ChannelSettings, robotKey: string, notice: Notice) => Promise<unknown>;
}

interface Refusing {
  readonly kind: 'refusing';
  /** Wall clock, epoch ms. */
  readonly since: number;
  readonly reason: string;
  readonly refused: number;
  /** `refused` when it was last told. */
  readonly toldRefused: number;
  /** The store itself says so: then it also says when that ends. */
  readonly isSaidByStore: boolean;
}

type State = { readonly kind: 'writable' } | Refusing;

/**
 * The one thing said without being kept first: that the store refuses writes, since when, why, and how
 * many notifications were refused meanwhile. Its cards take tokens like all others.
 */
export class UnstoredNotice {
  readonly #deps: UnstoredNoticeDeps;
  #state: State = { kind: 'writable' };
  #nextTellAt = 0;
  #cancel: (() => void) | undefined;

  constructor(deps: UnstoredNoticeDeps) {
    this.#deps = deps;
  }

  /** To be fed every event. That something was kept again ends it; other commits do not (a full store settles). */
  observe(event: Event): void {
    if (event.kind === 'store_writable' && !event.writable)
      this.#refuse({ reason: event.reason, isSaidByStore: true }, 0);
    else if (event.kind === 'refused' && STORE_CODES.has(event.code)) this.#refuse({}, 1);
    else if (event.kind === 'store_writable' || event.kind === 'accepted') this.stop();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#state = { kind: 'writable' };
  }

  #refuse(news: Partial<Refusing>, count: number): void {
    const known = this.#state.kind === 'refusing' ? this.#state : this.#begin();
    this.#state = { ...known, ...news, refused: known.refused + count };
    const waitMs = this.#nextTellAt - this.#deps.clock.now();
    if (waitMs <= 0) this.#tell();
    else this.#cancel ??= this.#deps.clock.after(waitMs, () => this.#tell());
  }

  #begin(): Refusing {
    const since = this.#deps.clock.wall();
    return { kind: 'refusing', since, reason: '', refused: 0, toldRefused: 0, isSaidByStore: false };
  }

  /** Silent when nothing was refused since the last card and the store does not say that it refuses. */
  #tell(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#state.kind === 'writable') return;
    const { since, reason, refused, toldRefused, isSaidByStore } = this.#state;
    if (refused === toldRefused && !isSaidByStore) return;
    this.#state = { ...this.#state, toldRefused: refused };
    const notice: Notice = { kind: 'store_refusing', since, reason, refused };
    for (const channel of this.#deps.defaultChannels()) this.#send(channel, notice);
    this.#nextTellAt = this.#deps.clock.now() + REPEAT_MS;
    this.#cancel = this.#deps.clock.after(REPEAT_MS, () => this.#tell());
  }

  /** A channel whose robots all pause hears the next one. */
  #send(channel: ChannelSettings, notice: Notice): void {
    const taken = this.#deps.robots.take(channel);
    if (taken.kind === 'none') return;
    taken.token.use();
    // Nothing can be kept of its fate; the next card comes by itself.
    this.#deps.sendUnstored(channel, taken.robotKey, notice).catch(() => undefined);
  }
}
