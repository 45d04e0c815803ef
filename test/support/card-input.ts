import { NO_MENTIONS } from '../../src/domain/card.ts';
import { foldLine } from '../../src/domain/fold.ts';
import type { Notification } from '../../src/domain/notification.ts';
import type {
  ChannelSettings,
  LinkSettings,
  Locale,
  ProviderName,
  SeveritySettings,
} from '../../src/domain/settings.ts';
import type { WorkEntry, WorkLine } from '../../src/domain/work.ts';
import type { CardRequest, CardSettings } from '../../src/render/card-input.ts';
import type { Templates } from '../../src/render/templates.ts';
import { TARGETS } from './targets.ts';

export const SEVERITY: SeveritySettings = {
  label: 'severity',
  ranks: [
    { name: 'critical', values: ['critical', 'crit', 'P0', '严重'] },
    { name: 'error', values: ['error', 'high', 'P1'] },
    { name: 'warning', values: ['warning', 'warn', 'P2'] },
    { name: 'info', values: ['info', 'low', 'P3'] },
  ],
};

export const LINKS: LinkSettings = { rewrites: [], logs: undefined, images: 'link' };

/** 2026-03-02 16:25:00 +08:00, a few minutes after most fixtures begin to fire. */
export const NOW = Date.UTC(2026, 2, 2, 8, 25, 0);

export const NTF = 'ntf_01kjqh2zr6f5vb8v7d9tq0w3ex' as const;

export function channelOf(provider: ProviderName, locale: Locale = 'zh-CN'): ChannelSettings {
  return {
    name: 'ops',
    provider,
    robots: [],
    keyword: '',
    form: provider === 'dingtalk' ? 'card' : 'card2',
    template: 'default',
    locale,
    timezone: 'Asia/Shanghai',
    sendResolved: true,
    group: 'together',
    mention: { all: false, on: ['firing'] },
    fallback: undefined,
    brokenAfterMs: 120_000,
    lateAfterMs: 300_000,
    giveUpAfterMs: 86_400_000,
    pacing: { perSecond: undefined, perMinute: 18 },
    digestAbove: 6,
  };
}

/** A line whose entries are given as notification and seq; newest last. */
export function lineOf(
  notifications: readonly Notification[],
  given: Partial<WorkLine> = {},
): { readonly line: WorkLine; readonly byId: ReadonlyMap<WorkEntry['notificationId'], Notification> } {
  const entries = notifications.map((notification, index) => entryOf(notification, index + 1));
  const byId = new Map(
    entries.flatMap(({ notificationId }, index) => {
      const notification = notifications[index];
      return notification === undefined ? [] : [[notificationId, notification] as const];
    }),
  );
  const line: WorkLine = {
    lineHash: 'line',
    rank: 0,
    rung: 0,
    attempts: 0,
    interruptions: 0,
    isPossibleRepeat: false,
    withoutMentions: false,
    isReplay: false,
    entries: [...entries].reverse(),
    deliveryCount: entries.length,
    oldestReceivedAt: NOW,
    oldestSeq: 1,
    newestSeq: entries.length,
    alertStates: [],
    ...given,
  };
  return { line, byId };
}

/** The newest entry carries `NTF`, older ones ids of their own. */
function entryOf(notification: Notification, seq: number): WorkEntry {
  return {
    deliveryId: `dlv_${seq}`,
    notificationId: seq === 1 ? NTF : `ntf_${seq}`,
    seq,
    source: notification.source,
    receivedAt: NOW,
    format: notification.format,
    isTest: notification.isTest,
    pathChannel: '',
    body: new Uint8Array(),
    selection: null,
    mentionAll: false,
  };
}

/** What holds for all cards of a test. */
export function settingsOf(templates: Templates, given: Partial<CardSettings> = {}): CardSettings {
  return { templates, severity: SEVERITY, links: LINKS, publicUrl: '', isSandbox: false, ...given };
}

/** The request for a card of notifications folded together, newest last. */
export function requestOf(
  notifications: readonly Notification[],
  given: Partial<CardRequest> = {},
  lineGiven: Partial<WorkLine> = {},
): CardRequest {
  const { line, byId } = lineOf(notifications, lineGiven);
  const channel = given.channel ?? channelOf('dingtalk');
  return {
    group: foldLine(line, byId),
    channel,
    rung: channel.form,
    marks: { late: undefined, isReplay: false, isPossibleRepeat: false, deaths: 0 },
    mentions: NO_MENTIONS,
    target: TARGETS[channel.provider],
    isSigned: true,
    now: NOW,
    ...given,
  };
}
