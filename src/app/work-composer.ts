import { providerOf } from '../channels/registry.ts';
import type { Composer } from '../deliver/ports.ts';
import type { Clock } from '../domain/clock.ts';
import { foldDigest, mergeGroups } from '../domain/digest.ts';
import type { Emit } from '../domain/events.ts';
import { foldLine } from '../domain/fold.ts';
import type { NotificationId } from '../domain/ids.ts';
import type { Notification } from '../domain/notification.ts';
import type { WorkEntry, WorkLine } from '../domain/work.ts';
import { parseNotification } from '../receive/payload/parse.ts';
import { mentionsForAll } from '../route/mention.ts';
import type { Live } from './live.ts';

/** Joins what stands between claimed work and a message: parse, fold, decide whom to mention, render. */
export function createWorkComposer(deps: {
  readonly live: () => Live;
  readonly clock: Pick<Clock, 'wall'>;
  readonly emit: Emit;
}): Composer {
  return {
    compose(work, channel, rung, marks) {
      const { settings, compose } = deps.live();
      const provider = providerOf(channel.provider);
      const folded = work.lines.map((line) => ({ line, group: foldLine(line, readEntries(line)) }));
      const groups = folded.map(({ group }) => group);
      const digest = groups.length > 1 ? foldDigest(groups, settings.severity) : undefined;
      const group = digest === undefined ? groups[0] : mergeGroups(digest.groups);
      if (group === undefined) throw new TypeError('claimed work has no line');
      const heard = folded.filter(({ line }) => !line.withoutMentions).map((each) => each.group);
      const composed = compose({
        group,
        ...(digest === undefined ? {} : { digest }),
        channel,
        rung,
        marks,
        mentions: mentionsForAll(heard, channel, settings.mentions, provider.limits.maxMentions),
        target: provider,
        isSigned: channel.robots.some(({ secret }) => secret !== undefined),
        now: deps.clock.wall(),
      });
      if (composed.failed !== undefined) deps.emit({ kind: 'template_broken', ...composed.failed });
      return composed;
    },
  };
}

function readEntries(line: WorkLine): ReadonlyMap<NotificationId, Notification> {
  return new Map(line.entries.map((entry) => [entry.notificationId, readEntry(entry)]));
}

/** A stored body says again what it said when it was accepted; that it was sent as a test, only the entry knows. */
function readEntry(entry: WorkEntry): Notification {
  const { body, source, format, notificationId, isTest } = entry;
  const notification = parseNotification(body, { source, format, id: notificationId });
  return isTest ? { ...notification, isTest } : notification;
}
