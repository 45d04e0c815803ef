import type { ProviderName } from './settings.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The longest wait a provider may ask of a robot; a longer one is cut to this. */
export const MAX_ROBOT_WAIT_MS = DAY_MS;
/** The longest wait a provider may ask of a whole lane with a 5xx answer. */
export const MAX_LANE_WAIT_MS = 30 * MINUTE_MS;

const UNAVAILABLE_STEPS_MS = [1, 2, 5, 10, 30, 60].map((seconds) => seconds * SECOND_MS);
const UNAVAILABLE_THEN_MS = { from: 2 * MINUTE_MS, to: 5 * MINUTE_MS };
const UNCONFIRMED_STEPS_MS = [10 * SECOND_MS, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS];
const PROBE_STEPS_MS = [1, 5, 15, 30].map((minutes) => minutes * MINUTE_MS);
/** Spread either way, so that channels that failed together do not return together. */
const JITTER_SHARE = 0.2;

/**
 * More than 20 messages a minute mute a DingTalk robot for ten minutes
 * (https://open.dingtalk.com/document/orgapp/custom-robot-access).
 */
const DINGTALK_THROTTLE_MS = 10 * MINUTE_MS;
/** The flood guard answers for a whole address and asks for five minutes or more. */
const FLOOD_GUARD_MS = 5 * MINUTE_MS;
/** Feishu counts per second and per minute: it recovers within a minute. */
const FEISHU_THROTTLE_MS = { from: SECOND_MS, to: MINUTE_MS };
/** Both providers count their daily quotas in China's time, which knows no summer time. */
const SHANGHAI_OFFSET_MS = 8 * 60 * MINUTE_MS;

/** The step of a failure, counted from 1; the last step goes on for ever. */
function stepAt(steps: readonly number[], failures: number): number {
  const index = Math.min(Math.max(Math.trunc(failures) - 1, 0), steps.length - 1);
  return steps[index] ?? 0;
}

function jittered(stepMs: number, random: number): number {
  return Math.round(stepMs * (1 - JITTER_SHARE + 2 * JITTER_SHARE * random));
}

function asked(waitMs: number | undefined, maxMs: number): number {
  if (waitMs === undefined || !(waitMs > 0)) return 0;
  return Math.min(Math.ceil(waitMs), maxMs);
}

/** Wait of a lane whose robots cannot be reached: quick at first, then every two to five minutes. */
export function unavailableMs(failures: number, random: number, waitMs?: number): number {
  const { from, to } = UNAVAILABLE_THEN_MS;
  const ownMs =
    failures > UNAVAILABLE_STEPS_MS.length
      ? Math.round(from + (to - from) * random)
      : jittered(stepAt(UNAVAILABLE_STEPS_MS, failures), random);
  return Math.max(ownMs, asked(waitMs, MAX_LANE_WAIT_MS));
}

/** Wait of a lane whose last message may have been shown: slow, since each try may repeat a card. */
export function unconfirmedMs(failures: number, waitMs?: number): number {
  return Math.max(stepAt(UNCONFIRMED_STEPS_MS, failures), asked(waitMs, MAX_LANE_WAIT_MS));
}

/** Pause of a robot that only a person can mend, until it is probed again. */
export function probeMs(failures: number): number {
  return stepAt(PROBE_STEPS_MS, failures);
}

/** ms from a wall-clock instant until the next midnight in Shanghai. */
export function untilTomorrowMs(wallMs: number): number {
  const sinceMidnightMs = (((wallMs + SHANGHAI_OFFSET_MS) % DAY_MS) + DAY_MS) % DAY_MS;
  return DAY_MS - sinceMidnightMs;
}

export interface Throttle {
  readonly provider: ProviderName;
  readonly reason: string;
  /** Throttles of this robot in a row, this one included. */
  readonly failures: number;
  /** What the provider asked for. */
  readonly waitMs: number | undefined;
  /** Wall clock, epoch ms. */
  readonly wallMs: number;
  /** In [0, 1). */
  readonly random: number;
}

/** Pause of a throttled robot: never shorter than what the provider asked for, up to a day. */
export function throttleMs(throttle: Throttle): number {
  const askedMs = asked(throttle.waitMs, MAX_ROBOT_WAIT_MS);
  return Math.max(ownThrottleMs(throttle, askedMs), askedMs);
}

function ownThrottleMs({ provider, reason, failures, wallMs, random }: Throttle, askedMs: number): number {
  if (reason === 'quota_exhausted') return untilTomorrowMs(wallMs);
  switch (provider) {
    case 'dingtalk':
      return reason === 'flood_guard' ? FLOOD_GUARD_MS : DINGTALK_THROTTLE_MS;
    case 'feishu': {
      if (askedMs > 0) return askedMs;
      const { from, to } = FEISHU_THROTTLE_MS;
      const doubledMs = from * 2 ** Math.min(Math.max(Math.trunc(failures), 1), 7);
      return Math.round(from + (Math.min(doubledMs, to) - from) * random);
    }
    default:
      return provider satisfies never;
  }
}
