import type { Alert, Status } from './alert.ts';
import { AlertcardError } from './errors.ts';
import type { NotificationId } from './ids.ts';
import type { Notification } from './notification.ts';
import type { AlertState, WorkEntry, WorkLine } from './work.ts';

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

/** One entry of a line together with what its body says. */
interface ReadEntry {
  readonly entry: WorkEntry;
  readonly notification: Notification;
}

/** The newest word of the bodies on one alert. */
interface Sighting {
  readonly alert: Alert;
  readonly seq: number;
}

/**
 * Makes one thing to show of all undelivered notifications of a line. Entries come in any order, only
 * their seq counts; one whose notification is missing from the map counts as unread.
 */
export function foldLine(
  line: WorkLine,
  notifications: ReadonlyMap<NotificationId, Notification>,
): FoldedGroup {
  const read = readEntries(line, notifications);
  const first = read[0];
  if (first === undefined)
    throw new AlertcardError('internal_error', 'a claimed line came without a notification to show');
  const alerts = foldAlerts(line, read);
  return {
    newest: first.notification,
    notificationId: first.entry.notificationId,
    status: statusOf(first.notification, alerts),
    alerts,
    counts: countsOf(alerts),
    truncatedAlerts: first.notification.truncatedAlerts,
    isReminder: alerts.length > 0 && alerts.every(({ isNews }) => !isNews),
    notifications: line.deliveryCount,
    unread: Math.max(line.deliveryCount - read.length, 0),
    oldestReceivedAt: line.oldestReceivedAt,
    mentionAll: line.entries.some(({ mentionAll }) => mentionAll),
  };
}

/** Newest first; of entries whose notification could not be had, none. */
function readEntries(
  line: WorkLine,
  notifications: ReadonlyMap<NotificationId, Notification>,
): readonly ReadEntry[] {
  return line.entries
    .flatMap((entry) => {
      const notification = notifications.get(entry.notificationId);
      return notification === undefined ? [] : [{ entry, notification }];
    })
    .sort((left, right) => right.entry.seq - left.entry.seq);
}

function foldAlerts(line: WorkLine, read: readonly ReadEntry[]): readonly FoldedAlert[] {
  const states = new Map(line.alertStates.map((state) => [state.fingerprint, state]));
  const snapshot = read.find(({ notification }) => notification.truncatedAlerts === 0);
  const reported = new Set(snapshot?.notification.alerts.map(({ fingerprint }) => fingerprint));
  const starts = firingStarts(read);
  const folded: FoldedAlert[] = [];
  for (const [fingerprint, sighting] of newestSightings(read)) {
    const state = states.get(fingerprint);
    const alert = withStoredStatus(sighting, state);
    const isOlder = snapshot !== undefined && sighting.seq < snapshot.entry.seq;
    const isNoLongerReported = alert.status === 'firing' && isOlder && !reported.has(fingerprint);
    const startedAt = startOf(alert, state, starts.get(fingerprint));
    folded.push({
      alert,
      isNews: state === undefined || state.changedSeq >= line.oldestSeq,
      isNoLongerReported,
      reportedResolvedAt: knownEndOf(alert, state),
      startedAt,
      durationMs: durationOf(alert, state, startedAt),
    });
  }
  return [...folded].sort((left, right) => place(left) - place(right));
}

/** The newest alert of each fingerprint that the routes selected; within one body one that fires wins. */
function newestSightings(read: readonly ReadEntry[]): ReadonlyMap<string, Sighting> {
  const sightings = new Map<string, Sighting>();
  for (const { entry, notification } of read) {
    for (const alert of selectedAlerts(entry, notification)) {
      const known = sightings.get(alert.fingerprint);
      const isTwin = known?.seq === entry.seq && known.alert.status === 'resolved';
      if (known === undefined || isTwin) sightings.set(alert.fingerprint, { alert, seq: entry.seq });
    }
  }
  return sightings;
}

function selectedAlerts(entry: WorkEntry, { alerts }: Notification): readonly Alert[] {
  if (entry.selection === null) return alerts;
  return entry.selection.flatMap((position) => alerts[position] ?? []);
}

/** What the store heard later than this body (another card of the group, before a replay) wins over it. */
function withStoredStatus({ alert, seq }: Sighting, state: AlertState | undefined): Alert {
  if (state === undefined || state.changedSeq <= seq || state.status === alert.status) return alert;
  const startsAt = state.episodeStartedAt ?? alert.startsAt;
  return state.status === 'resolved'
    ? { ...alert, status: 'resolved', startsAt, endsAt: state.lastEndedAt ?? undefined }
    : { ...alert, status: 'firing', startsAt, endsAt: undefined };
}

/** Start by the newest body in which the alert fires, for senders that lose it on resolve. */
function firingStarts(read: readonly ReadEntry[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  for (const { notification } of read) {
    for (const { fingerprint, status, startsAt } of notification.alerts) {
      if (status !== 'firing' || startsAt === undefined || starts.has(fingerprint)) continue;
      starts.set(fingerprint, startsAt);
    }
  }
  return starts;
}

/**
 * Start of the episode. Grafana may send startsAt equal to endsAt on resolve, so the start known by
 * alert identity comes first, and a start that is not before the end is none.
 */
function startOf(
  alert: Alert,
  state: AlertState | undefined,
  seenFiring: number | undefined,
): number | undefined {
  const known = [state?.episodeStartedAt ?? undefined, alert.startsAt, seenFiring];
  const end = alert.status === 'resolved' ? endOf(alert, state) : undefined;
  return known.find((at) => at !== undefined && (end === undefined || at < end));
}

function endOf(alert: Alert, state: AlertState | undefined): number | undefined {
  return alert.endsAt ?? state?.lastEndedAt ?? undefined;
}

function durationOf(
  alert: Alert,
  state: AlertState | undefined,
  startedAt: number | undefined,
): number | undefined {
  const end = endOf(alert, state);
  if (alert.status === 'firing' || end === undefined || startedAt === undefined) return undefined;
  return end - startedAt;
}

function knownEndOf({ status, startsAt }: Alert, state: AlertState | undefined): number | undefined {
  const end = state?.lastEndedAt ?? undefined;
  if (status === 'resolved' || end === undefined || startsAt === undefined) return undefined;
  return startsAt <= end ? end : undefined;
}

function place({ alert, isNoLongerReported }: FoldedAlert): number {
  if (alert.status === 'resolved') return 2;
  return isNoLongerReported ? 1 : 0;
}

function countsOf(alerts: readonly FoldedAlert[]): FoldedGroup['counts'] {
  const resolved = alerts.filter(({ alert }) => alert.status === 'resolved').length;
  const noLongerReported = alerts.filter(({ isNoLongerReported }) => isNoLongerReported).length;
  const total = alerts.length;
  return { firing: total - resolved - noLongerReported, resolved, noLongerReported, total };
}

function statusOf(newest: Notification, alerts: readonly FoldedAlert[]): Status {
  if (alerts.length === 0) return newest.status;
  const isFiring = alerts.some(
    ({ alert, isNoLongerReported }) => alert.status === 'firing' && !isNoLongerReported,
  );
  return isFiring || newest.truncatedAlerts > 0 ? 'firing' : 'resolved';
}
