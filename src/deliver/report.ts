import type { ChannelReport, ChannelReportState } from '../domain/channel-report.ts';
import type { ChannelSettings } from '../domain/settings.ts';
import type { ChannelState } from '../domain/store.ts';
import type { LaneStatus } from './lane.ts';
import type { Robots } from './robots.ts';

/** Puts together what pages, health and metrics say of a channel. */
export function reportChannel(
  channel: ChannelSettings,
  state: ChannelState | undefined,
  lane: LaneStatus,
  robots: Pick<Robots, 'pauseOf'>,
  now: number,
): ChannelReport {
  const reports = channel.robots.map(({ key }) => {
    const pause = robots.pauseOf(key);
    return { key, pausedUntil: pause?.until, reason: pause?.reason };
  });
  const isThrottled = reports.every(({ pausedUntil }) => pausedUntil !== undefined);
  const lastAttempt = state?.lastAttempt;
  return {
    name: channel.name,
    provider: channel.provider,
    state: reportState(state, lane, isThrottled),
    waiting: state?.waiting ?? 0,
    oldestDueMs: state?.oldestDueMs,
    brokenReason: state?.broken?.reason,
    pausedUntil: state?.pausedForMs === undefined ? undefined : now + state.pausedForMs,
    robots: reports,
    lastAttempt: lastAttempt && {
      at: lastAttempt.startedAt,
      outcome: lastAttempt.outcome,
      reason: lastAttempt.reason,
    },
    lastDeliveredAt: state?.lastDeliveredAt,
    fallback: channel.fallback,
  };
}

function reportState(
  state: ChannelState | undefined,
  lane: LaneStatus,
  isThrottled: boolean,
): ChannelReportState {
  if (state?.pausedForMs !== undefined) return 'paused';
  if (state?.broken !== undefined) return 'broken';
  if (isThrottled) return 'throttled';
  if (lane.state.kind === 'resting' && lane.state.why === 'backoff') return 'backing_off';
  return 'ok';
}
