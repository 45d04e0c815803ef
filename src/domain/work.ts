import type { Status } from './alert.ts';
import type { DigestRule } from './digest-rule.ts';
import type { AttemptId, DeliveryId, NotificationId } from './ids.ts';
import type { Format } from './notification.ts';
import type { Outcome, Reason, Verdict } from './outcome.ts';

/** The latest the store knows of one alert within a scope (group and path channel). */
export interface AlertState {
  readonly fingerprint: string;
  readonly status: Status;
  /** Start of the current or last episode, epoch ms; null when unknown. */
  readonly episodeStartedAt: number | null;
  /** End of the last episode known, epoch ms; kept while firing again, so that a late copy shows. */
  readonly lastEndedAt: number | null;
  /** Inbox seq of the notification in which status or episode last changed. */
  readonly changedSeq: number;
}

/** One undelivered notification of a line, body included. */
export interface WorkEntry {
  readonly deliveryId: DeliveryId;
  readonly notificationId: NotificationId;
  readonly seq: number;
  readonly source: string;
  readonly receivedAt: number;
  readonly format: Format;
  readonly isTest: boolean;
  readonly pathChannel: string;
  readonly body: Uint8Array;
  readonly selection: readonly number[] | null;
  readonly mentionAll: boolean;
}

/** A line as claimed: everything one channel still has to be told about one group. */
export interface WorkLine {
  /** Names the line within its channel: see `PlannedDelivery.lineHash`. */
  readonly lineHash: string;
  readonly rank: number;
  /** Position on the channel's ladder, counted from its `form` (0). */
  readonly rung: number;
  /** Attempts made on this line before this one, since its last delivery. */
  readonly attempts: number;
  /** How many of them died with the process. Two: send bare. Five: dead, `poison`. */
  readonly interruptions: number;
  /** An earlier attempt may have been shown though we never heard so. */
  readonly isPossibleRepeat: boolean;
  /** The provider refused a mention: send without. */
  readonly withoutMentions: boolean;
  readonly isReplay: boolean;
  /** Newest first; the newest is always there, older ones only where an alert changed, up to 16 MiB. */
  readonly entries: readonly WorkEntry[];
  /** Deliveries this card settles, read or not. */
  readonly deliveryCount: number;
  readonly oldestReceivedAt: number;
  readonly oldestSeq: number;
  readonly newestSeq: number;
  /** The alerts of the scopes of `entries`. */
  readonly alertStates: readonly AlertState[];
}

/** What a claim hands out: one attempt, already durable, and what it carries. */
export interface Work {
  /** The lease token; settle and release are void without it. */
  readonly token: string;
  readonly attemptId: AttemptId;
  readonly channel: string;
  readonly robotKey: string;
  readonly lines: readonly WorkLine[];
  /** Dead letters of this channel that no card has told of yet. */
  readonly deathsUntold: number;
  /** Whether more lines were due than the rule of the claim gives cards of their own to. */
  readonly isStorm: boolean;
  /** Whether lines that may share a card are due besides these. */
  readonly hasMoreDue: boolean;
}

export interface ClaimRequest {
  readonly channel: string;
  readonly robotKey: string;
  readonly maxLines: number;
  /** Decides between one line and `maxLines` by what is due; without it as many as there are. */
  readonly digest?: DigestRule;
  /** Only with a settle: the lines of the attempt settled, once more together, whatever else is due. */
  readonly isAgain?: boolean;
  readonly leaseMs: number;
  /** Only lines at or above this rank value (see `lineRank`): the tokens kept for the worst. */
  readonly maxRank?: number;
}

/** How an attempt ended and what becomes of what it carried. */
export interface Settlement {
  readonly verdict: Verdict;
  readonly durationMs: number;
  /** The rung this attempt used, by name, for the record. */
  readonly rung: string;
  readonly next:
    | { readonly kind: 'delivered' }
    | {
        readonly kind: 'retry';
        /** 0 = at once. */
        readonly inMs: number;
        /** The rung of the next attempt, counted as in `WorkLine.rung`. */
        readonly rung: number;
        readonly isPossibleRepeat: boolean;
        readonly withoutMentions: boolean;
        /** Until they are delivered, these lines share no card with others. */
        readonly goAlone?: boolean;
      };
  /** Deaths that this card told of: subtracted when it was delivered. */
  readonly deathsTold: number;
  /** Stored so that it survives a restart (throttles only). */
  readonly pause?: { readonly robotKey: string; readonly forMs: number; readonly reason: Reason };
}

/** Answer to a settle: `held` is false when the lease was lost, and then nothing was written. */
export interface SettleResult {
  readonly held: boolean;
  readonly settled: readonly {
    readonly deliveryId: DeliveryId;
    readonly notificationId: NotificationId;
    readonly state: DeliveryState;
    readonly receivedAt: number;
  }[];
  readonly next: Work | undefined;
}

export const DELIVERY_STATES = ['scheduled', 'leased', 'delivered', 'folded', 'dead'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** One attempt in the history of a delivery. */
export interface AttemptRecord {
  readonly id: AttemptId;
  readonly channel: string;
  readonly robotKey: string;
  readonly startedAt: number;
  readonly durationMs: number | null;
  readonly rung: string | null;
  /** null while open. */
  readonly outcome: Outcome | null;
  readonly reason: Reason | null;
  readonly httpStatus: number | null;
  readonly providerCode: string | null;
  readonly providerText: string | null;
}
