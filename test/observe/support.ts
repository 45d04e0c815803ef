import type { Event } from '../../src/domain/events.ts';
import type { DeliveryId, NotificationId } from '../../src/domain/ids.ts';

const NTF: NotificationId = 'ntf_1';
const DLV: DeliveryId = 'dlv_1';

/** Marks what must never be printed. */
export const CANARY = 'c4n4ry';

export type EventOf<K extends Event['kind']> = Extract<Event, { readonly kind: K }>;

export function attempted(changes: Partial<EventOf<'attempted'>> = {}): EventOf<'attempted'> {
  return {
    kind: 'attempted',
    channel: 'ops',
    provider: 'dingtalk',
    robotKey: 'robot-a',
    attemptId: 'att_1',
    attemptNumber: 1,
    rung: 'card',
    bytes: 900,
    verdict: { outcome: 'delivered', reason: 'ok', httpStatus: 200, providerCode: '0', providerText: 'ok' },
    durationMs: 40,
    retryInMs: undefined,
    deliveries: [{ deliveryId: DLV, notificationId: NTF, state: 'delivered', waitedMs: 80 }],
    shown: 1,
    omitted: 0,
    nextRungAtOnce: false,
    template: 'dingtalk/default',
    ...changes,
  };
}

/** One event of each kind. */
export const EVENTS: { readonly [K in Event['kind']]: EventOf<K> } = {
  accepted: {
    kind: 'accepted',
    source: 'grafana',
    notificationId: NTF,
    channels: ['ops', 'dev'],
    format: 'grafana',
    status: 'firing',
    alerts: 3,
    bytes: 2_048,
    ackMs: 6,
  },
  duplicate: { kind: 'duplicate', source: 'grafana', notificationId: NTF, ackMs: 2 },
  refused: { kind: 'refused', source: 'grafana', code: 'signature_mismatch', status: 401 },
  attempted: attempted(),
  lease_lost: { kind: 'lease_lost', channel: 'ops', attemptId: 'att_1' },
  died: { kind: 'died', channel: 'ops', reason: 'expired', count: 4 },
  robot_paused: {
    kind: 'robot_paused',
    channel: 'ops',
    robotKey: 'robot-a',
    outcome: 'throttled',
    reason: 'flood_guard',
    forMs: 600_000,
  },
  channel_broken: { kind: 'channel_broken', channel: 'ops', reason: 'ip_denied' },
  channel_recovered: { kind: 'channel_recovered', channel: 'ops' },
  template_broken: { kind: 'template_broken', template: 'dingtalk/default', message: 'unclosed block' },
  committed: { kind: 'committed', intents: 12, commitMs: 7 },
  store_writable: { kind: 'store_writable', writable: false, reason: 'SQLITE_FULL' },
  clock_jumped: { kind: 'clock_jumped', byMs: -3_600_000 },
};
