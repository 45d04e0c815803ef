import type { Clock } from '../domain/clock.ts';
import type { Reason, Verdict } from '../domain/outcome.ts';
import { reserveForWorst } from '../domain/pacing.ts';
import type { ChannelSettings, ProviderName } from '../domain/settings.ts';
import { type RobotFailures, type RobotPauseDecision, robotFailuresAfter } from '../domain/settle.ts';
import type { RobotPause } from '../domain/store.ts';
import type { PacingLedger, Token } from './pacing.ts';

/** The rank (lowest value) that may use the tokens kept for the worst. */
const WORST_RANK = 0;

export interface Taken {
  readonly kind: 'taken';
  readonly robotKey: string;
  readonly token: Token;
  /** Set when only a token kept for the worst rank was free. */
  readonly maxRank: number | undefined;
  /** When a token that any rank may use is free, epoch ms. */
  readonly ordinaryAt: number;
  /** POSTs that the channel's robots may still make now, this one included. */
  readonly tokens: number;
  /** The robot was misconfigured, and nobody knows yet whether it is mended. */
  readonly isProbe: boolean;
}

export interface NoRobot {
  readonly kind: 'none';
  /** When it is worth looking again, epoch ms. */
  readonly until: number;
  /** Whether tokens would do, or every robot pauses. */
  readonly why: 'pacing' | 'robots';
  readonly reason: Reason | undefined;
}

interface Pause {
  readonly until: number;
  readonly reason: Reason;
}

interface Robot {
  readonly provider: ProviderName;
  /** Number of its last use, counted over all robots. */
  lastUse: number;
  failures: RobotFailures;
  /** What the provider imposed: only time ends it. */
  throttled: Pause | undefined;
  /** Ours, until the robot is probed: start, reload and resume end it too. */
  misconfigured: Pause | undefined;
}

interface Candidate {
  readonly key: string;
  readonly lastUse: number;
  readonly ordinaryAt: number;
  readonly worstAt: number;
}

/** The robots of all channels by key: who may send, who pauses and until when. */
export class Robots {
  readonly #clock: Clock;
  readonly #ledger: PacingLedger;
  #robots = new Map<string, Robot>();
  #uses = 0;

  constructor(clock: Clock, ledger: PacingLedger) {
    this.#clock = clock;
    this.#ledger = ledger;
  }

  /** Names the robots there are; what is known of those that stay is kept. */
  configure(channels: Iterable<ChannelSettings>): void {
    const known = this.#robots;
    this.#robots = new Map();
    for (const { provider, robots } of channels)
      for (const { key } of robots) this.#robots.set(key, known.get(key) ?? newRobot(provider));
  }

  /** Puts in the throttle pauses of an earlier process. */
  seed(pauses: readonly RobotPause[]): void {
    for (const { robotKey, forMs, reason } of pauses)
      this.#throttle(robotKey, forMs, reason, reason === 'flood_guard' ? 'provider' : 'robot');
  }

  /** Takes the least recently used robot of a channel that may send now, with a token. */
  take(channel: ChannelSettings): Taken | NoRobot {
    const now = this.#clock.now();
    const candidates = this.#inRotation(channel);
    if (candidates.length === 0) return this.#noneUntilPausesEnd(channel);
    const ordinaryAt = Math.min(...candidates.map((candidate) => candidate.ordinaryAt));
    const ordinary = candidates.find((candidate) => candidate.ordinaryAt <= now);
    const chosen = ordinary ?? candidates.find((candidate) => candidate.worstAt <= now);
    if (chosen === undefined) {
      const until = Math.min(...candidates.map((candidate) => candidate.worstAt));
      return { kind: 'none', until, why: 'pacing', reason: undefined };
    }
    const tokens = this.#tokensOf(candidates, channel, ordinary === undefined ? 0 : undefined);
    return {
      kind: 'taken',
      tokens,
      isProbe: this.failuresOf(chosen.key).misconfigured > 0,
      robotKey: chosen.key,
      token: this.#tokenOf(chosen.key, channel),
      maxRank: ordinary === undefined ? WORST_RANK : undefined,
      ordinaryAt,
    };
  }

  failuresOf(robotKey: string): RobotFailures {
    return this.#robots.get(robotKey)?.failures ?? { throttled: 0, misconfigured: 0 };
  }

  note(robotKey: string, verdict: Verdict): void {
    const robot = this.#robots.get(robotKey);
    if (robot !== undefined) robot.failures = robotFailuresAfter(robot.failures, verdict);
  }

  pause(robotKey: string, { outcome, reason, forMs, scope }: RobotPauseDecision): void {
    const robot = this.#robots.get(robotKey);
    if (outcome === 'throttled') this.#throttle(robotKey, forMs, reason, scope);
    else if (robot !== undefined) robot.misconfigured = { until: this.#clock.now() + forMs, reason };
  }

  /** Lets the misconfigured robots of a channel be probed at once, their schedule anew. */
  probe(channel: ChannelSettings): void {
    for (const { key } of channel.robots) {
      const robot = this.#robots.get(key);
      if (robot === undefined) continue;
      robot.misconfigured = undefined;
      robot.failures = { ...robot.failures, misconfigured: 0 };
    }
  }

  /** The pause of a robot that ends last; undefined when it may send. */
  pauseOf(robotKey: string): { readonly until: number; readonly reason: Reason } | undefined {
    const robot = this.#robots.get(robotKey);
    const now = this.#clock.now();
    const pauses = [robot?.throttled, robot?.misconfigured].filter((pause) => pause !== undefined);
    return pauses.filter((pause) => pause.until > now).toSorted((a, b) => b.until - a.until)[0];
  }

  /** Least recently used first. */
  #inRotation(channel: ChannelSettings): readonly Candidate[] {
    const reserved = reserveForWorst(channel.pacing.perMinute);
    return channel.robots
      .filter(({ key }) => this.pauseOf(key) === undefined)
      .map(({ key }) => ({
        key,
        lastUse: this.#robots.get(key)?.lastUse ?? 0,
        ordinaryAt: this.#ledger.freeAt(key, channel.pacing, reserved),
        worstAt: this.#ledger.freeAt(key, channel.pacing, 0),
      }))
      .toSorted((a, b) => a.lastUse - b.lastUse);
  }

  #tokensOf(
    candidates: readonly Candidate[],
    { pacing }: ChannelSettings,
    reserved = reserveForWorst(pacing.perMinute),
  ): number {
    return candidates.reduce(
      (sum, { key }) => sum + Math.max(this.#ledger.tokensLeft(key, pacing, reserved), 0),
      0,
    );
  }

  /** A robot counts as used when the request goes out: a claim that found nothing changes no rotation. */
  #tokenOf(robotKey: string, channel: ChannelSettings): Token {
    const token = this.#ledger.take(robotKey, channel.pacing);
    return {
      use: () => {
        const robot = this.#robots.get(robotKey);
        this.#uses += 1;
        if (robot !== undefined) robot.lastUse = this.#uses;
        token.use();
      },
      refund: () => token.refund(),
    };
  }

  #noneUntilPausesEnd(channel: ChannelSettings): NoRobot {
    const pauses = channel.robots.map(({ key }) => this.pauseOf(key)).filter((pause) => pause !== undefined);
    const first = pauses.toSorted((a, b) => a.until - b.until)[0];
    const until = first?.until ?? Number.POSITIVE_INFINITY;
    return { kind: 'none', until, why: 'robots', reason: first?.reason };
  }

  /** The flood guard answers for our address, so it holds for every robot of the provider. */
  #throttle(robotKey: string, forMs: number, reason: Reason, scope: 'robot' | 'provider'): void {
    const hit = this.#robots.get(robotKey);
    if (hit === undefined) return;
    const pause = { until: this.#clock.now() + forMs, reason };
    const robots =
      scope === 'robot'
        ? [hit]
        : [...this.#robots.values()].filter(({ provider }) => provider === hit.provider);
    for (const robot of robots) if ((robot.throttled?.until ?? 0) < pause.until) robot.throttled = pause;
  }
}

function newRobot(provider: ProviderName): Robot {
  return {
    provider,
    lastUse: 0,
    failures: { throttled: 0, misconfigured: 0 },
    throttled: undefined,
    misconfigured: undefined,
  };
}
