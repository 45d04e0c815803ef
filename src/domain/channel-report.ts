import type { Outcome, Reason } from './outcome.ts';
import type { ProviderName } from './settings.ts';

/**
 * What a channel is doing, worst first where several hold: a person paused it, its firing deliveries
 * wait beyond `broken_after`, no robot may send, its lines wait for a retry, or all is well.
 */
export const CHANNEL_REPORT_STATES = ['paused', 'broken', 'throttled', 'backing_off', 'ok'] as const;
export type ChannelReportState = (typeof CHANNEL_REPORT_STATES)[number];

/** One robot of a channel, named by the hash of its URL. */
export interface RobotReport {
  readonly key: string;
  /** Epoch ms; undefined while the robot may send. */
  readonly pausedUntil: number | undefined;
  readonly reason: Reason | undefined;
}

/** The state of one channel for people, `/readyz` and metrics. Instants are epoch ms. */
export interface ChannelReport {
  readonly name: string;
  readonly provider: ProviderName;
  readonly state: ChannelReportState;
  /** Deliveries neither ended nor dead. */
  readonly waiting: number;
  /** How long the oldest due line has waited; undefined when none is due. */
  readonly oldestDueMs: number | undefined;
  /** Why it is broken; undefined when it is not. */
  readonly brokenReason: string | undefined;
  /** End of a person's pause; undefined when not paused. */
  readonly pausedUntil: number | undefined;
  readonly robots: readonly RobotReport[];
  readonly lastAttempt:
    | {
        readonly at: number;
        /** null while the attempt is open. */
        readonly outcome: Outcome | null;
        readonly reason: Reason | null;
      }
    | undefined;
  readonly lastDeliveredAt: number | undefined;
  readonly fallback: string | undefined;
}
