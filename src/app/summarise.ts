import type { WaitingAlert } from '../domain/notice.ts';
import type { Notification } from '../domain/notification.ts';
import { rankOf } from '../domain/severity.ts';
import type { WaitingFiring } from '../domain/store.ts';
import { parseNotification } from '../receive/payload/parse.ts';
import { nameOf } from '../render/alert-name.ts';
import type { Live } from './live.ts';

/** Alerts a notice of a broken channel names; the others are counted. */
const MAX_NAMED = 20;

/** Names the waiting alerts of a broken channel, worst first. */
export function summarise({ worst }: WaitingFiring, { settings }: Live): readonly WaitingAlert[] {
  const named = worst.flatMap((waiting) => {
    const notification = parseNotification(waiting.body, {
      source: waiting.source,
      format: waiting.format,
      id: waiting.notificationId,
    });
    return firingOf(notification, waiting.selection).map((alert) => {
      const { rank, name } = rankOf(alert.labels, settings.severity);
      return {
        rank,
        alert: {
          name: nameOf(alert.labels) || notification.title,
          severity: alert.labels[settings.severity.label] ?? name,
          summary: alert.annotations.summary ?? '',
          startedAt: alert.startsAt ?? null,
        },
      };
    });
  });
  return named
    .sort((left, right) => left.rank - right.rank)
    .slice(0, MAX_NAMED)
    .map(({ alert }) => alert);
}

function firingOf({ alerts }: Notification, selection: readonly number[] | null) {
  const chosen = selection === null ? alerts : selection.flatMap((index) => alerts[index] ?? []);
  return chosen.filter(({ status }) => status === 'firing');
}
