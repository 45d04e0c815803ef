import { decideDigest, decideUncomposedDigest } from '../domain/digest.ts';
import type { Emit } from '../domain/events.ts';
import { ladderOf } from '../domain/ladder.ts';
import type { ChannelSettings } from '../domain/settings.ts';
import { type Decision, decide, decideUncomposed, type LaneFailures } from '../domain/settle.ts';
import type { ClaimRequest, Settlement, SettleResult, Work } from '../domain/work.ts';
import {
  type AttemptContext,
  type AttemptDeps,
  type AttemptResult,
  attemptWork,
  type Held,
} from './attempt.ts';
import type { DeliveryStore } from './ports.ts';
import type { Robots } from './robots.ts';
import { settleSurely } from './settle-surely.ts';

export interface CarryDeps extends AttemptDeps {
  readonly store: Pick<DeliveryStore, 'settle' | 'release'>;
  readonly robots: Robots;
  /** In [0, 1). */
  readonly random: () => number;
  readonly emit: Emit;
}

export interface CarryContext extends AttemptContext {
  readonly failures: LaneFailures;
  /** Asked once the decision has taken effect: what to claim in the same commit, if anything. */
  readonly claimOn: (decision: Decision) => ClaimRequest | undefined;
}

export type Carried =
  | { readonly kind: 'unsent'; readonly isReleased: boolean }
  /** `result` is undefined when the store did not answer until the lease was surely lost. */
  | { readonly kind: 'settled'; readonly decision: Decision; readonly result: SettleResult | undefined };

/** Carries claimed work through one attempt: compose, send, decide, settle, tell. */
export async function carry(deps: CarryDeps, held: Held, context: CarryContext): Promise<Carried> {
  const attempted = await attemptWork(deps, held, context);
  if (attempted.kind === 'unsent') {
    held.token.refund();
    return { kind: 'unsent', isReleased: await releaseSafely(deps, held) };
  }
  if (attempted.kind === 'uncomposed') held.token.refund();
  const decision = decideFor(deps, held.work, context, attempted);
  applyToRobot(deps, held.work, decision);
  const settlement = settlementFor(held.work, attempted, decision);
  const lease = { token: held.work.token, endsAt: held.leaseEndsAt };
  const result = await settleSurely(deps, lease, settlement, context.claimOn(decision));
  const { channel, attemptId } = held.work;
  tellAttempt(deps, held.work, context.channel, attempted, decision, result);
  if (result?.held !== true) deps.emit({ kind: 'lease_lost', channel, attemptId });
  return { kind: 'settled', decision, result };
}

function decideFor(
  deps: CarryDeps,
  work: Work,
  { channel, failures }: CarryContext,
  attempted: Exclude<AttemptResult, { readonly kind: 'unsent' }>,
): Decision {
  const facts = {
    verdict: attempted.verdict,
    provider: channel.provider,
    position: attempted.position,
    ladderLength: ladderOf(channel).length,
    // Of a digest only what holds for all: the store keeps the marks that single lines have.
    isPossibleRepeat: work.lines.every((line) => line.isPossibleRepeat),
    withoutMentions: work.lines.every((line) => line.withoutMentions),
    laneFailures: failures,
    robotFailures: deps.robots.failuresOf(work.robotKey),
    wallMs: deps.clock.wall(),
    random: deps.random(),
  };
  const isDigest = work.lines.length > 1;
  if (attempted.kind === 'uncomposed')
    return isDigest ? decideUncomposedDigest(facts) : decideUncomposed(facts);
  return isDigest ? decideDigest(facts) : decide(facts);
}

function applyToRobot({ robots, emit }: CarryDeps, work: Work, decision: Decision): void {
  const { channel, robotKey } = work;
  robots.note(robotKey, decision.verdict);
  const pause = decision.robotPause;
  if (pause === undefined) return;
  robots.pause(robotKey, pause);
  const { outcome, reason, forMs } = pause;
  emit({ kind: 'robot_paused', channel, robotKey, outcome, reason, forMs });
}

function settlementFor(
  work: Work,
  attempted: Exclude<AttemptResult, { readonly kind: 'unsent' }>,
  { verdict, next, robotPause }: Decision,
): Settlement {
  const settlement = {
    verdict,
    durationMs: attempted.kind === 'sent' ? attempted.durationMs : 0,
    rung: attempted.rung,
    next,
    deathsTold: attempted.kind === 'sent' ? attempted.deaths : 0,
  };
  // A misconfigured robot is probed at every start, so only what the provider imposed is kept.
  if (robotPause?.outcome !== 'throttled') return settlement;
  const { forMs, reason } = robotPause;
  return { ...settlement, pause: { robotKey: work.robotKey, forMs, reason } };
}

/** A release that fails is left to the lease: it runs out, and the line is due again. */
async function releaseSafely({ store }: CarryDeps, held: Held): Promise<boolean> {
  try {
    return await store.release(held.work.token);
  } catch {
    return false;
  }
}

/** The one event of an attempt: observers make one log line and one count of it. */
function tellAttempt(
  { emit, clock }: CarryDeps,
  work: Work,
  channel: ChannelSettings,
  attempted: Exclude<AttemptResult, { readonly kind: 'unsent' }>,
  { verdict, next }: Decision,
  result: SettleResult | undefined,
): void {
  const composed = attempted.kind === 'sent' ? attempted.composed : undefined;
  const wallMs = clock.wall();
  emit({
    kind: 'attempted',
    channel: channel.name,
    provider: channel.provider,
    robotKey: work.robotKey,
    attemptId: work.attemptId,
    attemptNumber: 1 + Math.max(0, ...work.lines.map((line) => line.attempts)),
    rung: attempted.rung,
    bytes: composed?.bytes ?? 0,
    verdict,
    durationMs: attempted.kind === 'sent' ? attempted.durationMs : 0,
    retryInMs: next.kind === 'retry' ? next.inMs : undefined,
    deliveries: (result?.settled ?? []).map(({ deliveryId, notificationId, state, receivedAt }) => ({
      deliveryId,
      notificationId,
      state,
      waitedMs: Math.max(wallMs - receivedAt, 0),
    })),
    shown: composed?.shown ?? 0,
    omitted: composed?.omitted ?? 0,
    nextRungAtOnce: verdict.outcome === 'rejected' && next.kind === 'retry' && next.inMs === 0,
    template: composed?.template ?? '',
  });
}
