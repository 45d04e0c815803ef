import type { Alert, Status } from './alert.ts';
import type { NotificationId } from './ids.ts';
import type { Notification } from './notification.ts';

/** One alert of a folded group with its newest status. */
export interface FoldedAlert {
  /** As last seen; its `status` is the newest known. */
  readonly alert: Alert;
  /** Fired, or resolved, in one of the notifications this card brings: not a repetition. */
  readonly isNews: boolean;
  /** Fired in an older notification and is missing from the newest snapshot. */
  readonly isNoLongerReported: boolean;
  /** Fires again with a start not after this known end (epoch ms): a late copy or a revival, people must see it. */
  readonly reportedResolvedAt: number | undefined;
  /** Start of the episode by alert identity, epoch ms: right also when Grafana sends startsAt equal to endsAt. */
  readonly startedAt: number | undefined;
  /** Length of the episode when resolved, ms. */
  readonly durationMs: number | undefined;
}

/** All undelivered notifications of one line as one thing to show. */
export interface FoldedGroup {
  /** The newest notification, whole (its alerts not selected): for title, links, receiver, test mark. */
  readonly newest: Notification;
  readonly notificationId: NotificationId;
  /** `firing` when any alert shown fires, or when the sender cut alerts off and may hide one that does. */
  readonly status: Status;
  /** What this channel's routes selected, each alert once: firing before resolved. */
  readonly alerts: readonly FoldedAlert[];
  readonly counts: {
    readonly firing: number;
    readonly resolved: number;
    readonly noLongerReported: number;
    readonly total: number;
  };
  readonly truncatedAlerts: number;
  /** Nothing changed since the last card: Grafana's repeat interval. */
  readonly isReminder: boolean;
  /** Notifications folded into this card, and how many of them were not read but only counted. */
  readonly notifications: number;
  readonly unread: number;
  /** Of the oldest notification folded in, epoch ms. */
  readonly oldestReceivedAt: number;
  /** A route that led here asks to mention everyone. */
  readonly mentionAll: boolean;
}
