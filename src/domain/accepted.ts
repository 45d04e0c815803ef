import type { Status } from './alert.ts';
import type { DeliveryId, NotificationId } from './ids.ts';
import type { Format } from './notification.ts';

/** The inbox entry of one accepted notification, as it goes to the store. */
export interface Entry {
  readonly id: NotificationId;
  readonly source: string;
  readonly org: string;
  readonly receiver: string;
  readonly groupKey: string;
  /** Hash of (source, org, receiver, group key): what is told together. */
  readonly groupHash: string;
  /** Channel named in the path; '' when routes decide. */
  readonly pathChannel: string;
  /** Hash of (group, path channel): within it "still the latest" is decided and alert states are kept. */
  readonly scopeHash: string;
  /** Epoch ms, wall clock. */
  readonly receivedAt: number;
  readonly format: Format;
  readonly status: Status;
  readonly isTest: boolean;
  /** The group's newest word on what fires: false when the sender cut alerts off. */
  readonly isSnapshot: boolean;
  /** undefined: never a duplicate (tests, notices). */
  readonly dedup: { readonly key: string; readonly windowMs: number } | undefined;
  /** undefined: the source sends no timestamp. */
  readonly replay: { readonly key: string; readonly keepMs: number } | undefined;
  /** The raw bytes as signed; for a stub or a notice, JSON of our own. */
  readonly body: Uint8Array;
}

/** The duty, planned at accept, to bring this notification to one channel. */
export interface PlannedDelivery {
  readonly id: DeliveryId;
  readonly channel: string;
  /** The line it joins: the group's hash, or one of group and fingerprint where the channel wants a card per alert. */
  readonly lineHash: string;
  /** Order in the lane, lower first: see `lineRank`. */
  readonly rank: number;
  /** Whether something selected fires: such deliveries outlive their budget while newest, and count for "broken". */
  readonly isFiring: boolean;
  /** Positions in the notification's alerts; null means all. */
  readonly selection: readonly number[] | null;
  /** A matching route asks to mention everyone. */
  readonly mentionAll: boolean;
}

/** What the notification says of one alert, for the table of latest known statuses. */
export interface AlertSighting {
  readonly fingerprint: string;
  readonly status: Status;
  /** Epoch ms or null when unknown. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
}

/** The one value that parsing and planning hand to the store. */
export interface Accepted {
  readonly entry: Entry;
  readonly deliveries: readonly PlannedDelivery[];
  readonly alerts: readonly AlertSighting[];
}

export type AcceptResult =
  | { readonly kind: 'kept'; readonly id: NotificationId; readonly seq: number }
  /** `id` is the first one's. */
  | { readonly kind: 'duplicate'; readonly id: NotificationId };
