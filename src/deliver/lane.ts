import { CALM, type Storm, stormAfter } from '../domain/digest.ts';
import type { HintReason } from '../domain/hints.ts';
import type { ChannelSettings } from '../domain/settings.ts';
import { type Decision, type LaneFailures, laneFailuresAfter } from '../domain/settle.ts';
import type { ClaimRequest, Work } from '../domain/work.ts';
import type { Held } from './attempt.ts';
import { type CarryDeps, carry } from './carry.ts';
import { claimSize, digestRule } from './claim-size.ts';
import { isEndedByNews, type LaneState, type RestReason } from './lane-state.ts';
import type { DeliveryStore } from './ports.ts';
import type { Taken } from './robots.ts';

/** Three times a sender's hard deadline, so that settling has time too. */
const LEASE_MS = 45_000;
/** Waits while the store does not answer. */
const STORE_STEPS_MS = [1_000, 2_000, 5_000, 10_000];
/** Between looks at due work that cannot be claimed for a reason that is not a pause. */
const HELD_MS = 1_000;
/** No rest is longer: whatever was misjudged is looked at again. */
const MAX_REST_MS = 3_600_000;

export interface LaneDeps extends CarryDeps {
  readonly store: Pick<DeliveryStore, 'claim' | 'settle' | 'release' | 'nextDueInMs' | 'channelState'>;
}

export interface LaneStatus {
  readonly state: LaneState;
  /** What last went wrong, or what the lane waits for. */
  readonly reason: HintReason;
}

type Rest = { readonly kind: 'rest'; readonly why: RestReason; readonly until: number };
type Step =
  | { readonly kind: 'look' }
  | { readonly kind: 'work'; readonly held: Held }
  | { readonly kind: 'idle' }
  | Rest;

/** The loop of one channel: one attempt in flight, nothing polled. */
export class Lane {
  readonly #deps: LaneDeps;
  #channel: ChannelSettings;
  #state: LaneState = { kind: 'idle' };
  #driven: Promise<void> = Promise.resolve();
  /** Something was accepted while the lane worked: an empty claim may be out of date. */
  #hasNews = false;
  #isStopping = false;
  #failures: LaneFailures = { unavailable: 0, unconfirmed: 0 };
  #backoffUntil = 0;
  #storeFailures = 0;
  #reason: HintReason;
  #storm: Storm = CALM;
  #releasedUnsent = 0;

  constructor(deps: LaneDeps, channel: ChannelSettings, lastReason: HintReason) {
    this.#deps = deps;
    this.#channel = channel;
    this.#reason = lastReason;
  }

  /** Something may have come due. */
  wake(): void {
    const state = this.#state;
    if (state.kind === 'working') this.#hasNews = true;
    else if (state.kind === 'idle' || (state.kind === 'resting' && isEndedByNews(state.why))) this.#run();
  }

  /** Forgets backoff and looks at once: start, reload, resume. */
  resume(): void {
    this.#backoffUntil = 0;
    if (this.#state.kind === 'working') this.#hasNews = true;
    else if (this.#state.kind !== 'stopped') this.#run();
  }

  configure(channel: ChannelSettings): void {
    this.#channel = channel;
  }

  /** Claims no more; resolves when nothing is in flight, telling how much work was handed back unsent. */
  async stop(): Promise<{ readonly releasedUnsent: number }> {
    this.#isStopping = true;
    if (this.#state.kind !== 'working') this.#become({ kind: 'stopped' });
    await this.#driven;
    return { releasedUnsent: this.#releasedUnsent };
  }

  status(): LaneStatus {
    return { state: this.#state, reason: this.#reason };
  }

  #become(next: LaneState): void {
    if (this.#state.kind === 'resting') this.#state.cancel();
    this.#state = next;
  }

  #run(): void {
    this.#become({ kind: 'working' });
    this.#driven = this.#drive().catch(() => this.#settleDown(this.#storeRest()));
  }

  async #drive(): Promise<void> {
    let step: Step = { kind: 'look' };
    while (!this.#isStopping) {
      if (step.kind === 'work') step = await this.#carry(step.held);
      else if (step.kind === 'look') step = await this.#look();
      else if (this.#hasNews && (step.kind === 'idle' || isEndedByNews(step.why))) step = { kind: 'look' };
      else {
        this.#settleDown(step);
        return;
      }
    }
    if (step.kind === 'work') await this.#giveBack(step.held);
    this.#become({ kind: 'stopped' });
  }

  #settleDown(step: Rest | { readonly kind: 'idle' }): void {
    if (step.kind === 'idle') {
      this.#reason = 'waiting';
      this.#become(step);
      return;
    }
    const { why, until } = step;
    if (why === 'pacing' && this.#reason === 'waiting') this.#reason = 'pacing';
    const { clock } = this.#deps;
    const waitMs = Math.min(Math.max(until - clock.now(), 0), MAX_REST_MS);
    this.#become({ kind: 'resting', why, until, cancel: clock.after(waitMs, () => this.#run()) });
  }

  async #giveBack({ token, work }: Held): Promise<void> {
    token.refund();
    const isReleased = await this.#deps.store.release(work.token).catch(() => false);
    if (isReleased) this.#releasedUnsent += 1;
  }

  /** Claims when a robot may send; otherwise tells what to wait for. */
  async #look(): Promise<Step> {
    const { clock, robots, store } = this.#deps;
    const now = clock.now();
    this.#hasNews = false;
    if (now < this.#backoffUntil) return { kind: 'rest', why: 'backoff', until: this.#backoffUntil };
    const taken = robots.take(this.#channel);
    if (taken.kind === 'none') {
      this.#reason = taken.reason ?? this.#reason;
      return { kind: 'rest', why: taken.why, until: taken.until };
    }
    try {
      const claimed = await store.claim(this.#request(taken));
      this.#storeFailures = 0;
      if (claimed !== undefined) return { kind: 'work', held: hold(claimed, taken, now, false) };
    } catch {
      taken.token.refund();
      return this.#storeRest();
    }
    taken.token.refund();
    return this.#afterEmptyClaim(taken);
  }

  /** Finds out when the lane has to look again, given that nothing could be claimed now. */
  async #afterEmptyClaim(taken: Taken): Promise<Step> {
    const { clock, store } = this.#deps;
    if (this.#hasNews) return { kind: 'look' };
    if (taken.maxRank !== undefined) return { kind: 'rest', why: 'pacing', until: taken.ordinaryAt };
    try {
      const dueInMs = await store.nextDueInMs(this.#channel.name);
      if (dueInMs === undefined) return { kind: 'idle' };
      if (dueInMs > 0) return { kind: 'rest', why: 'due', until: clock.now() + dueInMs };
      if (this.#hasNews) return { kind: 'look' };
      const { pausedForMs } = await store.channelState(this.#channel.name);
      if (pausedForMs === undefined) return { kind: 'rest', why: 'held', until: clock.now() + HELD_MS };
      this.#reason = 'paused';
      return { kind: 'rest', why: 'paused', until: clock.now() + pausedForMs };
    } catch {
      return this.#storeRest();
    }
  }

  #storeRest(): Rest {
    const waitMs = STORE_STEPS_MS[Math.min(this.#storeFailures, STORE_STEPS_MS.length - 1)] ?? 0;
    this.#storeFailures += 1;
    return { kind: 'rest', why: 'store', until: this.#deps.clock.now() + waitMs };
  }

  async #carry(held: Held): Promise<Step> {
    let follow: Taken | undefined;
    let askedAt = 0;
    let isAgain = false;
    const carried = await carry(this.#deps, held, {
      channel: this.#channel,
      lateReason: this.#reason,
      isStopping: () => this.#isStopping,
      failures: this.#failures,
      claimOn: (decision) => {
        this.#learn(decision, held.work);
        askedAt = this.#deps.clock.now();
        follow = this.#takeOn(decision);
        isAgain = decision.isBareNext === true;
        return follow && this.#request(follow, isAgain);
      },
    });
    if (carried.kind === 'unsent') {
      if (carried.isReleased) this.#releasedUnsent += 1;
      return { kind: 'look' };
    }
    const next = carried.result?.next;
    if (next !== undefined && follow !== undefined)
      return { kind: 'work', held: hold(next, follow, askedAt, isAgain) };
    follow?.token.refund();
    // The claim made with the settle found nothing: it need not be made again.
    return follow === undefined ? { kind: 'look' } : this.#afterEmptyClaim(follow);
  }

  #learn({ verdict, laneBackoffMs }: Decision, work: Work): void {
    this.#failures = laneFailuresAfter(this.#failures, verdict);
    this.#backoffUntil = laneBackoffMs > 0 ? this.#deps.clock.now() + laneBackoffMs : 0;
    if (verdict.outcome === 'delivered') this.#storm = stormAfter(this.#storm, work);
    else this.#reason = verdict.reason;
  }

  #takeOn({ laneBackoffMs }: Decision): Taken | undefined {
    if (laneBackoffMs > 0 || this.#isStopping) return undefined;
    const taken = this.#deps.robots.take(this.#channel);
    return taken.kind === 'taken' ? taken : undefined;
  }

  /** `isAgain`: all lines of the digest just refused. */
  #request(taken: Taken, isAgain = false): ClaimRequest {
    const { robotKey, maxRank } = taken;
    const isFailing = this.#failures.unavailable + this.#failures.unconfirmed > 0;
    const rule = digestRule(this.#storm, this.#channel, taken, isFailing);
    const request = {
      channel: this.#channel.name,
      robotKey,
      leaseMs: LEASE_MS,
      ...claimSize(rule, isAgain),
    };
    return maxRank === undefined ? request : { ...request, maxRank };
  }
}

/** The lease is counted from before the claim was asked for: never later than the store counts it. */
function hold(work: Work, { token }: Taken, askedAt: number, isBareOnly: boolean): Held {
  return { work, token, leaseEndsAt: askedAt + LEASE_MS, isBareOnly };
}
