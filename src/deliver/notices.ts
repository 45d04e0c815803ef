import type { Accepted, AcceptResult, Entry } from '../domain/accepted.ts';
import type { Clock } from '../domain/clock.ts';
import type { Emit, Event } from '../domain/events.ts';
import type { Id } from '../domain/ids.ts';
import type { Notice } from '../domain/notice.ts';
import { NOTICE_SOURCE } from '../domain/notification.ts';

/** What we have to say ourselves comes first: it tells that other cards do not come. */
const NOTICE_RANK = 0;

export interface NoticeDeps {
  readonly clock: Clock;
  readonly makeId: <P extends 'ntf' | 'dlv'>(prefix: P) => Id<P>;
  /** Hashes the parts of a group's name into the hash of that group. */
  readonly hash: (...parts: readonly string[]) => string;
}

/**
 * Builds the inbox entry that brings a notice to one channel. It counts as resolved-only for health and
 * budget (`isFiring` false), so a notice never causes a notice.
 */
export function buildNotice(deps: NoticeDeps, toChannel: string, notice: Notice): Accepted {
  const id = deps.makeId('ntf');
  const groupKey = groupKeyOf(notice, id);
  const groupHash = deps.hash(NOTICE_SOURCE, '', toChannel, groupKey);
  return {
    entry: {
      id,
      source: NOTICE_SOURCE,
      org: '',
      receiver: toChannel,
      groupKey,
      groupHash,
      pathChannel: toChannel,
      scopeHash: deps.hash(groupHash, toChannel),
      receivedAt: deps.clock.wall(),
      format: 'notice',
      status: notice.kind === 'channel_recovered' ? 'resolved' : 'firing',
      isTest: notice.kind === 'test',
      isSnapshot: true,
      dedup: undefined,
      replay: undefined,
      body: new TextEncoder().encode(JSON.stringify(notice)),
    },
    deliveries: [
      {
        id: deps.makeId('dlv'),
        channel: toChannel,
        lineHash: groupHash,
        rank: NOTICE_RANK,
        isFiring: false,
        selection: null,
        mentionAll: false,
      },
    ],
    alerts: [],
  };
}

/**
 * Notices of one group fold into the newest: right for the health of a channel, where the last word
 * counts, and wrong for tests and deaths, each of which has to be heard.
 */
function groupKeyOf(notice: Notice, id: string): string {
  switch (notice.kind) {
    case 'channel_broken':
    case 'channel_recovered':
      return `channel ${notice.channel}`;
    case 'template_broken':
      return `template ${notice.template}`;
    case 'store_refusing':
      return 'store';
    case 'test':
    case 'deaths':
      return `${notice.kind} ${id}`;
    default:
      return notice satisfies never;
  }
}

export interface Notices {
  /**
   * Keeps a notice for one channel, then has it noted that it was given, then wakes the lane: a crash
   * between the first two repeats a notice rather than losing one.
   */
  give(toChannel: string, notice: Notice, note?: () => Promise<void>): Promise<Accepted>;
}

export function createNotices(
  deps: NoticeDeps & {
    readonly accept: (accepted: Accepted) => Promise<AcceptResult>;
    readonly emit: Emit;
    readonly wake: (channel: string) => void;
  },
): Notices {
  return {
    async give(toChannel, notice, note) {
      const accepted = buildNotice(deps, toChannel, notice);
      const startedAt = deps.clock.now();
      await deps.accept(accepted);
      const ackMs = deps.clock.now() - startedAt;
      await note?.();
      deps.emit(toEvent(accepted.entry, toChannel, ackMs));
      deps.wake(toChannel);
      return accepted;
    },
  };
}

/** A notice is followed from its receipt as any notification is. */
function toEvent({ id, source, format, status, body }: Entry, channel: string, ackMs: number): Event {
  return {
    kind: 'accepted',
    source,
    notificationId: id,
    channels: [channel],
    format,
    status,
    alerts: 0,
    bytes: body.byteLength,
    ackMs,
  };
}
