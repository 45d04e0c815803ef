import type { DeliveryId, NotificationId } from './ids.ts';
import type { Outcome, Reason, Verdict } from './outcome.ts';

/** In-process notices to observers (log, metrics, waiters). An observer can never break what it observes. */
export type Event =
  | {
      readonly kind: 'accepted';
      readonly source: string;
      readonly notificationId: NotificationId;
      readonly channels: readonly string[];
      readonly format: string;
      readonly status: string;
      readonly alerts: number;
      readonly bytes: number;
      readonly ackMs: number;
    }
  | {
      readonly kind: 'duplicate';
      readonly source: string;
      readonly notificationId: NotificationId;
      readonly ackMs: number;
    }
  | { readonly kind: 'refused'; readonly source: string; readonly code: string; readonly status: number }
  | {
      readonly kind: 'attempted';
      readonly channel: string;
      readonly provider: string;
      readonly robotKey: string;
      readonly attemptId: string;
      readonly attemptNumber: number;
      readonly rung: string;
      readonly bytes: number;
      readonly verdict: Verdict;
      readonly durationMs: number;
      readonly retryInMs: number | undefined;
      readonly deliveries: readonly {
        readonly deliveryId: DeliveryId;
        readonly notificationId: NotificationId;
        readonly state: string;
        readonly waitedMs: number;
      }[];
      readonly shown: number;
      readonly omitted: number;
      readonly nextRungAtOnce: boolean;
      readonly template: string;
    }
  | { readonly kind: 'lease_lost'; readonly channel: string; readonly attemptId: string }
  | { readonly kind: 'died'; readonly channel: string; readonly reason: Reason; readonly count: number }
  | {
      readonly kind: 'robot_paused';
      readonly channel: string;
      readonly robotKey: string;
      readonly outcome: Outcome;
      readonly reason: Reason;
      readonly forMs: number;
    }
  | {
      readonly kind: 'channel_broken';
      readonly channel: string;
      readonly reason: Reason | 'paused' | 'waiting';
    }
  | { readonly kind: 'channel_recovered'; readonly channel: string }
  | { readonly kind: 'template_broken'; readonly template: string; readonly message: string }
  | { readonly kind: 'committed'; readonly intents: number; readonly commitMs: number }
  | { readonly kind: 'store_writable'; readonly writable: boolean; readonly reason: string }
  | { readonly kind: 'clock_jumped'; readonly byMs: number };

export type Emit = (event: Event) => void;
