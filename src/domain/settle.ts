import { probeMs, throttleMs, unavailableMs, unconfirmedMs } from './backoff.ts';
import type { Reason, Verdict } from './outcome.ts';
import type { ProviderName } from './settings.ts';
import type { Settlement } from './work.ts';

/** Failures in a row, before the attempt at hand. */
export interface LaneFailures {
  readonly unavailable: number;
  readonly unconfirmed: number;
}
export interface RobotFailures {
  readonly throttled: number;
  readonly misconfigured: number;
}

/** All that the fate of an attempt depends on. */
export interface Attempted {
  readonly verdict: Verdict;
  readonly provider: ProviderName;
  /** Position on the channel's ladder that was really used, and the length of that ladder. */
  readonly position: number;
  readonly ladderLength: number;
  readonly isPossibleRepeat: boolean;
  readonly withoutMentions: boolean;
  readonly laneFailures: LaneFailures;
  readonly robotFailures: RobotFailures;
  /** Wall clock, epoch ms. */
  readonly wallMs: number;
  /** In [0, 1). */
  readonly random: number;
}

export interface RobotPauseDecision {
  readonly outcome: 'throttled' | 'misconfigured';
  readonly reason: Reason;
  readonly forMs: number;
  /** The flood guard answers for our address: every robot of the provider pauses. */
  readonly scope: 'robot' | 'provider';
}

/** What follows an attempt: for its deliveries, for the robot and for the lane. */
export interface Decision {
  /** As recorded: a message refused on the bare rung says that the robot is misconfigured. */
  readonly verdict: Verdict;
  readonly next: Settlement['next'];
  readonly robotPause: RobotPauseDecision | undefined;
  /** 0: the lane goes on at once. */
  readonly laneBackoffMs: number;
  /** A refused digest: its lines are to be told at once in our own words. */
  readonly isBareNext?: boolean;
}

/** Wait of a line whose card could not even be composed in our own words; other lines go on meanwhile. */
const UNCOMPOSED_WAIT_MS = 5 * 60_000;

/** Decides what follows a verdict: total, and every answer ends the lease, as delivered or as a retry. */
export function decide(attempted: Attempted): Decision {
  const { verdict, laneFailures, random } = attempted;
  switch (verdict.outcome) {
    case 'delivered':
      return { verdict, next: { kind: 'delivered' }, robotPause: undefined, laneBackoffMs: 0 };
    case 'throttled':
      return { verdict, next: again(attempted), robotPause: throttlePause(attempted), laneBackoffMs: 0 };
    case 'misconfigured':
      return {
        verdict,
        next: again(attempted),
        robotPause: probePause(attempted, verdict.reason),
        laneBackoffMs: 0,
      };
    case 'rejected':
      return decideRejected(attempted);
    case 'unavailable': {
      const inMs = unavailableMs(laneFailures.unavailable + 1, random, verdict.waitMs);
      return { verdict, next: again(attempted, { inMs }), robotPause: undefined, laneBackoffMs: inMs };
    }
    case 'unconfirmed': {
      const inMs = unconfirmedMs(laneFailures.unconfirmed + 1, verdict.waitMs);
      const next = again(attempted, { inMs, isPossibleRepeat: true });
      return { verdict, next, robotPause: undefined, laneBackoffMs: inMs };
    }
    default:
      return verdict.outcome satisfies never;
  }
}

/** Decides for work of which no message could be made: the line waits, nobody else does. */
export function decideUncomposed(attempted: Attempted): Decision {
  const next = again(attempted, { inMs: UNCOMPOSED_WAIT_MS });
  return { verdict: attempted.verdict, next, robotPause: undefined, laneBackoffMs: 0 };
}

/** A refused mention costs the mentions; anything else costs a rung; the last rung blames the robot. */
function decideRejected(attempted: Attempted): Decision {
  const { verdict, position, ladderLength, withoutMentions } = attempted;
  if (verdict.reason === 'bad_mention' && !withoutMentions) {
    const next = again(attempted, { withoutMentions: true });
    return { verdict, next, robotPause: undefined, laneBackoffMs: 0 };
  }
  if (position < ladderLength - 1) {
    const next = again(attempted, { rung: position + 1 });
    return { verdict, next, robotPause: undefined, laneBackoffMs: 0 };
  }
  // Our own plain words cannot be what is wrong. The line starts over, so that people get the
  // full card once the robot is mended.
  return {
    verdict: { ...verdict, outcome: 'misconfigured', reason: 'bare_refused' },
    next: again(attempted, { rung: 0 }),
    robotPause: probePause(attempted, 'bare_refused'),
    laneBackoffMs: 0,
  };
}

type Retry = Extract<Settlement['next'], { readonly kind: 'retry' }>;

function again(attempted: Attempted, changes: Partial<Retry> = {}): Retry {
  return {
    kind: 'retry',
    inMs: 0,
    rung: attempted.position,
    isPossibleRepeat: attempted.isPossibleRepeat,
    withoutMentions: attempted.withoutMentions,
    ...changes,
  };
}

function throttlePause(attempted: Attempted): RobotPauseDecision {
  const { verdict, provider, robotFailures, wallMs, random } = attempted;
  return {
    outcome: 'throttled',
    reason: verdict.reason,
    forMs: throttleMs({
      provider,
      reason: verdict.reason,
      failures: robotFailures.throttled + 1,
      waitMs: verdict.waitMs,
      wallMs,
      random,
    }),
    scope: verdict.reason === 'flood_guard' ? 'provider' : 'robot',
  };
}

function probePause(attempted: Attempted, reason: Reason): RobotPauseDecision {
  return {
    outcome: 'misconfigured',
    reason,
    forMs: probeMs(attempted.robotFailures.misconfigured + 1),
    scope: 'robot',
  };
}

/** Failures in a row of a lane after a verdict; any answer of a robot shows that the way there works. */
export function laneFailuresAfter(failures: LaneFailures, verdict: Verdict): LaneFailures {
  switch (verdict.outcome) {
    case 'unavailable':
      return { ...failures, unavailable: failures.unavailable + 1 };
    case 'unconfirmed':
      return { ...failures, unconfirmed: failures.unconfirmed + 1 };
    case 'delivered':
    case 'throttled':
    case 'misconfigured':
    case 'rejected':
      return { unavailable: 0, unconfirmed: 0 };
    default:
      return verdict.outcome satisfies never;
  }
}

/** Failures in a row of a robot after a verdict; only a delivery proves it well. */
export function robotFailuresAfter(failures: RobotFailures, verdict: Verdict): RobotFailures {
  switch (verdict.outcome) {
    case 'delivered':
      return { throttled: 0, misconfigured: 0 };
    case 'throttled':
      return { ...failures, throttled: failures.throttled + 1 };
    case 'misconfigured':
      return { ...failures, misconfigured: failures.misconfigured + 1 };
    case 'unavailable':
    case 'rejected':
    case 'unconfirmed':
      return failures;
    default:
      return verdict.outcome satisfies never;
  }
}
