import type { Reason } from './outcome.ts';
import type { BrokenNote, ChannelState } from './store.ts';

export type BrokenReason = Reason | 'paused' | 'waiting';

export interface BrokenFacts {
  readonly state: Pick<
    ChannelState,
    'oldestFiringMs' | 'lastDeliveredAt' | 'worstRank' | 'pausedForMs' | 'broken'
  >;
  readonly brokenAfterMs: number;
  /** The lane waits for nothing but its robots' tokens: that is our own pacing, and it moves on. */
  readonly isPacing: boolean;
  /** What last went wrong in the lane. */
  readonly reason: BrokenReason;
  /** Since when its firing deliveries waited when it was found broken; undefined when not known (a restart). */
  readonly brokenSince: number | undefined;
  /** Since when this process watches: of deliveries before that nobody knows whether it was broken already. */
  readonly watchedSince: number;
  readonly now: number;
}

export type BrokenStep =
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'broken';
      readonly note: BrokenNote;
      readonly since: number;
      readonly reason: BrokenReason;
    }
  /** Still broken, and a worse alert has joined those that wait. */
  | {
      readonly kind: 'worse';
      readonly note: BrokenNote;
      readonly since: number;
      readonly reason: BrokenReason;
    }
  | { readonly kind: 'recovered'; readonly forMs: number };

/**
 * How long something firing has waited in a channel that delivers nothing: since it was accepted, or
 * since the channel last delivered, whichever is later.
 */
export function firingWaitMs(
  state: Pick<ChannelState, 'oldestFiringMs' | 'lastDeliveredAt'>,
  now: number,
): number | undefined {
  if (state.oldestFiringMs === undefined) return undefined;
  const sinceDeliveryMs =
    state.lastDeliveredAt === undefined ? Number.POSITIVE_INFINITY : now - state.lastDeliveredAt;
  return Math.max(Math.min(state.oldestFiringMs, sinceDeliveryMs), 0);
}

/** Tells what has to be said about a channel's health, given what was said before. */
export function checkBroken(facts: BrokenFacts): BrokenStep {
  const { state, now } = facts;
  const waitMs = firingWaitMs(state, now);
  const since = facts.brokenSince ?? Math.min(facts.watchedSince, now - (waitMs ?? 0));
  if (isBroken(facts, waitMs)) {
    const reason = state.pausedForMs === undefined ? facts.reason : 'paused';
    const worstRank = state.worstRank ?? 0;
    const note: BrokenNote = { worstRank, reason };
    if (state.broken === undefined) return { kind: 'broken', note, since: now - (waitMs ?? 0), reason };
    if (worstRank < state.broken.worstRank) return { kind: 'worse', note, since, reason };
    return { kind: 'nothing' };
  }
  if (state.broken !== undefined && hasRecovered(facts))
    return { kind: 'recovered', forMs: Math.max(now - since, 0) };
  return { kind: 'nothing' };
}

/** A person's pause makes firing alerts wait like any failure does; tokens do not excuse it. */
function isBroken(facts: BrokenFacts, waitMs: number | undefined): boolean {
  if (waitMs === undefined || waitMs < facts.brokenAfterMs) return false;
  return facts.state.pausedForMs !== undefined || !facts.isPacing;
}

/**
 * Only a delivery proves a channel well again: that the waiting alerts were discarded, or that the
 * lane has come to wait for tokens, does not.
 */
function hasRecovered({ state, brokenSince, watchedSince }: BrokenFacts): boolean {
  const { lastDeliveredAt, pausedForMs } = state;
  if (pausedForMs !== undefined || lastDeliveredAt === undefined) return false;
  return brokenSince === undefined ? lastDeliveredAt >= watchedSince : lastDeliveredAt > brokenSince;
}
