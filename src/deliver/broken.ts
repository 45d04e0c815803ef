import { type BrokenReason, type BrokenStep, checkBroken } from '../domain/broken.ts';
import type { Clock } from '../domain/clock.ts';
import type { Emit } from '../domain/events.ts';
import { type HintReason, hintFor } from '../domain/hints.ts';
import type { Notice, WaitingAlert } from '../domain/notice.ts';
import type { ChannelSettings, ProviderName } from '../domain/settings.ts';
import type { ChannelState, WaitingFiring } from '../domain/store.ts';
import type { LaneStatus } from './lane.ts';
import type { Notices } from './notices.ts';
import type { DeliveryStore } from './ports.ts';

/** Waiting groups read for a notice; the rest goes by number. */
const NAMED_GROUPS = 10;

export interface BrokenDeps {
  readonly store: Pick<DeliveryStore, 'noteBroken' | 'waitingFiring'>;
  readonly clock: Clock;
  readonly notices: Notices;
  readonly emit: Emit;
  /** Names the waiting alerts, worst first. */
  readonly summarise: (waiting: WaitingFiring) => readonly WaitingAlert[];
}

export interface BrokenWatch {
  /** Compares a channel with what was last said of it, and says what has changed. */
  check(
    channel: ChannelSettings,
    fallback: ChannelSettings | undefined,
    state: ChannelState,
    lane: LaneStatus,
  ): Promise<void>;
}

/** Tells the fallback of a broken channel, and only that one: it never asks for the fallback's own. */
export function createBrokenWatch(deps: BrokenDeps): BrokenWatch {
  const since = new Map<string, number>();
  const watchedSince = deps.clock.now();
  return {
    async check(channel, fallback, state, lane) {
      const step = checkBroken({
        state,
        brokenAfterMs: channel.brokenAfterMs,
        isPacing: lane.state.kind === 'resting' && lane.state.why === 'pacing',
        reason: brokenReason(lane.reason),
        brokenSince: since.get(channel.name),
        watchedSince,
        now: deps.clock.now(),
      });
      await act(deps, channel, fallback, step);
      if (step.kind === 'broken' || step.kind === 'worse') since.set(channel.name, step.since);
      if (step.kind === 'recovered') since.delete(channel.name);
    },
  };
}

async function act(
  deps: BrokenDeps,
  { name, provider }: ChannelSettings,
  fallback: ChannelSettings | undefined,
  step: BrokenStep,
): Promise<void> {
  switch (step.kind) {
    case 'nothing':
      return;
    case 'broken':
    case 'worse': {
      const notice = (): Promise<Notice> => brokenNotice(deps, name, provider, step.reason);
      await tell(deps, fallback, notice, () => deps.store.noteBroken(name, step.note));
      if (step.kind === 'broken') deps.emit({ kind: 'channel_broken', channel: name, reason: step.reason });
      return;
    }
    case 'recovered': {
      const notice: Notice = { kind: 'channel_recovered', channel: name, brokenForMs: step.forMs };
      await tell(
        deps,
        fallback,
        async () => notice,
        () => deps.store.noteBroken(name, null),
      );
      deps.emit({ kind: 'channel_recovered', channel: name });
      return;
    }
    default:
      step satisfies never;
  }
}

/** Without a fallback it is noted all the same: metrics and pages tell of it. */
async function tell(
  { notices }: BrokenDeps,
  fallback: ChannelSettings | undefined,
  notice: () => Promise<Notice>,
  note: () => Promise<void>,
): Promise<void> {
  if (fallback === undefined) await note();
  else await notices.give(fallback.name, await notice(), note);
}

async function brokenNotice(
  { store, summarise }: BrokenDeps,
  channel: string,
  provider: ProviderName,
  reason: BrokenReason,
): Promise<Notice> {
  const waiting = await store.waitingFiring(channel, NAMED_GROUPS);
  const hint = hintFor(reason, provider);
  return {
    kind: 'channel_broken',
    channel,
    reason,
    hint,
    waiting: waiting.lines,
    worst: summarise(waiting),
  };
}

function brokenReason(reason: HintReason): BrokenReason {
  return reason === 'pacing' ? 'waiting' : reason;
}
