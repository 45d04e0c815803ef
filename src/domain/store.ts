import type { Accepted, AcceptResult } from './accepted.ts';
import type { Status } from './alert.ts';
import type { DeliveryId, NotificationId } from './ids.ts';
import type { Format } from './notification.ts';
import type { Reason } from './outcome.ts';
import type { AttemptRecord, ClaimRequest, DeliveryState, Settlement, SettleResult, Work } from './work.ts';

/** Names of sources to their default channels. */
export type SourceDefaults = ReadonlyMap<string, readonly string[]>;

/**
 * The durable inbox behind a port: async, no SQL types, durations instead of instants (the store has
 * its own clock). Every promise that resolves after a write means the write is committed and synced.
 * A write that could not be made rejects with `store_unavailable`; one whose fate is unknown with
 * `store_outcome_unknown`.
 */
export interface Store {
  accept(accepted: Accepted): Promise<AcceptResult>;
  /** undefined: nothing due, the channel is paused by a person, or an attempt of it is open. */
  claim(request: ClaimRequest): Promise<Work | undefined>;
  /** Settles an attempt and, in the same commit, claims the lane's next work. */
  settle(token: string, settlement: Settlement, thenClaim?: ClaimRequest): Promise<SettleResult>;
  /** Gives work back unsent, the attempt refunded. False when the lease was lost. */
  release(token: string): Promise<boolean>;
  act(action: StoreAction): Promise<ActResult>;
  /** Ends deliveries past their budget, a slice at a time: see `ExpireRequest`. */
  expire(request: ExpireRequest): Promise<{ readonly dead: number }>;
  /** Ends attempts whose lease ran out as `unconfirmed`, reason `lease_expired`; their lines are due again. */
  reap(): Promise<{ readonly reaped: number }>;
  /** One slice of pruning and vacuuming; `more` asks to be called again. */
  prune(retention: RetentionRequest): Promise<{ readonly pruned: number; readonly more: boolean }>;
  /**
   * Moves the waiting deliveries of a channel that left the configuration to the default channels of each
   * one's source; what has no source there (our own notices) goes to all of them.
   */
  rehome(channel: string, defaults: SourceDefaults): Promise<{ readonly moved: number }>;
  /** Makes every line of a channel due now, whatever its backoff (start, reload, resume). */
  wakeChannel(channel: string): Promise<void>;
  noteBroken(channel: string, broken: BrokenNote | null): Promise<void>;
  /** Marks deaths as told by a notice in the fallback. */
  tellDeaths(channel: string, count: number): Promise<void>;

  /** State needed by the lanes, read at start and at every maintenance tick without scanning. */
  channelState(channel: string): Promise<ChannelState>;
  /** Starts of the attempts of the last `withinMs` by robot, oldest first: pacing after a restart. */
  recentAttempts(robotKey: string, withinMs: number): Promise<readonly number[]>;
  robotPauses(): Promise<readonly RobotPause[]>;
  /** Channels that still have undelivered lines. */
  channelsWithLines(): Promise<readonly string[]>;
  /** Every channel a delivery was ever planned for: a path to a once-known channel goes to the defaults. */
  knowsChannel(channel: string): Promise<boolean>;
  /** The worst waiting lines with something firing, for the notice of a broken channel; bodies included. */
  waitingFiring(channel: string, limit: number): Promise<WaitingFiring>;
  /** ms until the next backed-off line of the channel comes due; 0 when one is due; undefined when there is none. */
  nextDueInMs(channel: string): Promise<number | undefined>;

  notifications(query: NotificationQuery): Promise<Page<NotificationRow>>;
  notification(id: string): Promise<NotificationDetail | undefined>;
  /** The raw body, or undefined when unknown or pruned. */
  body(
    id: string,
  ): Promise<{ readonly body: Uint8Array; readonly format: Format; readonly source: string } | undefined>;
  deliveries(query: DeliveryQuery): Promise<Page<DeliveryRow>>;
  delivery(id: string): Promise<DeliveryDetail | undefined>;
  /** Size of the file with its WAL, bytes. */
  sizeBytes(): Promise<number>;
  /** Rejects when the writer does not answer within `timeoutMs`. */
  ping(timeoutMs: number): Promise<void>;
  /** Finishes queued writes, checkpoints and closes. */
  close(): Promise<void>;
}

export type StoreAction =
  | { readonly kind: 'replay'; readonly deliveryId: string }
  | { readonly kind: 'discard'; readonly deliveryId: string }
  | { readonly kind: 'pause'; readonly channel: string; readonly forMs: number }
  | { readonly kind: 'resume'; readonly channel: string };

export type ActResult =
  | { readonly kind: 'done'; readonly channel: string }
  | { readonly kind: 'not_found' }
  /** The delivery is in a state the action does not fit; the API answers 409. */
  | { readonly kind: 'wrong_state'; readonly state: DeliveryState };

export interface ExpireRequest {
  readonly channel: string;
  readonly giveUpAfterMs: number;
  /** At most so many in one commit. */
  readonly limit: number;
}

export interface RetentionRequest {
  readonly deliveredMs: number;
  readonly bodiesMs: number;
  readonly deadMs: number;
  readonly maxSizeBytes: number;
}

export interface BrokenNote {
  /** Worst rank told of so far: a worse one is told of again. */
  readonly worstRank: number;
  readonly reason: string;
}

export interface ChannelState {
  readonly channel: string;
  /** Deliveries neither ended nor dead. */
  readonly waiting: number;
  /** ms the oldest due line has waited; undefined when none is due. */
  readonly oldestDueMs: number | undefined;
  /** ms the oldest undelivered firing delivery has waited since it was accepted or replayed. */
  readonly oldestFiringMs: number | undefined;
  /** Best (lowest) rank of the waiting lines with something firing; undefined when there is none. */
  readonly worstRank: number | undefined;
  /** A person's pause: ms left; undefined when not paused. */
  readonly pausedForMs: number | undefined;
  readonly broken: BrokenNote | undefined;
  readonly deathsUntold: number;
  /** ms since the oldest death nobody was told of. */
  readonly oldestDeathMs: number | undefined;
  readonly lastDeliveredAt: number | undefined;
  readonly lastAttempt: AttemptRecord | undefined;
}

export interface RobotPause {
  readonly robotKey: string;
  readonly forMs: number;
  readonly reason: Reason;
}

export interface WaitingFiring {
  /** All waiting lines with something firing. */
  readonly lines: number;
  readonly worst: readonly {
    readonly notificationId: NotificationId;
    readonly format: Format;
    readonly source: string;
    readonly pathChannel: string;
    readonly receivedAt: number;
    readonly rank: number;
    readonly body: Uint8Array;
    readonly selection: readonly number[] | null;
  }[];
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Opaque; null at the end. */
  readonly next: string | null;
}

export interface NotificationQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly source?: string;
}

export interface NotificationRow {
  readonly id: NotificationId;
  readonly source: string;
  readonly org: string;
  readonly receiver: string;
  readonly groupKey: string;
  readonly receivedAt: number;
  readonly format: Format;
  readonly status: Status;
  readonly isTest: boolean;
  readonly duplicates: number;
}

export interface NotificationDetail extends NotificationRow {
  readonly bodyBytes: number | null;
  readonly timeline: readonly TimelineItem[];
  readonly deliveries: readonly DeliveryRow[];
}

export type TimelineItem =
  | { readonly at: number; readonly kind: 'received' | 'committed' }
  | {
      readonly at: number;
      readonly kind: 'planned';
      readonly channel: string;
      readonly deliveryId: DeliveryId;
    }
  | {
      readonly at: number;
      readonly kind: 'attempt';
      readonly deliveryId: DeliveryId;
      readonly attempt: AttemptRecord;
    }
  | {
      readonly at: number;
      readonly kind: 'ended';
      readonly deliveryId: DeliveryId;
      readonly state: DeliveryState;
      readonly reason: Reason | null;
    };

export interface DeliveryQuery {
  readonly limit: number;
  readonly cursor?: string;
  readonly state?: DeliveryState;
  readonly channel?: string;
}

export interface DeliveryRow {
  readonly id: DeliveryId;
  readonly notificationId: NotificationId;
  readonly channel: string;
  readonly state: DeliveryState;
  readonly reason: Reason | null;
  readonly attempts: number;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly foldedInto: DeliveryId | null;
}

export interface DeliveryDetail extends DeliveryRow {
  readonly attemptRecords: readonly AttemptRecord[];
}
