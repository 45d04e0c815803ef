import type { Emit, Event } from '../domain/events.ts';
import type { LogLevel } from './logger.ts';

type EventOf<K extends Event['kind']> = Extract<Event, { readonly kind: K }>;

/** What the observer needs of a logger: one method a level, fields first. */
export type EventLog = Readonly<
  Record<'debug' | 'info' | 'warn' | 'error', (fields: object, message: string) => void>
>;

interface Line {
  readonly level: Extract<LogLevel, 'debug' | 'info' | 'warn' | 'error'>;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Writes each event as exactly one line: constant words, values in fields named by the glossary. */
export function logEvents(log: EventLog): Emit {
  return (event) => {
    const { level, message, fields } = lineOf(event);
    log[level](fields, message);
  };
}

function lineOf(event: Event): Line {
  switch (event.kind) {
    case 'accepted':
      return { level: 'info', message: 'notification accepted', fields: acceptedFields(event) };
    case 'duplicate':
      return {
        level: 'info',
        message: 'notification is a duplicate',
        fields: { source: event.source, notification_id: event.notificationId, ack_ms: event.ackMs },
      };
    case 'refused':
      return {
        level: 'warn',
        message: 'request refused',
        fields: { source: event.source, code: event.code, http_status: event.status },
      };
    case 'attempted':
      return {
        level: event.verdict.outcome === 'delivered' ? 'info' : 'warn',
        message: 'delivery attempted',
        fields: attemptFields(event),
      };
    case 'lease_lost':
      return {
        level: 'warn',
        message: 'lease lost',
        fields: { channel: event.channel, attempt_id: event.attemptId },
      };
    case 'died':
      return {
        level: 'error',
        message: 'deliveries died',
        fields: { channel: event.channel, reason: event.reason, count: event.count },
      };
    default:
      return stateLineOf(event);
  }
}

/** The lines of events that tell of a state rather than of a notification. */
function stateLineOf(
  event: Exclude<Event, EventOf<'accepted' | 'duplicate' | 'refused' | 'attempted' | 'lease_lost' | 'died'>>,
): Line {
  switch (event.kind) {
    case 'robot_paused':
      return { level: 'warn', message: 'robot paused', fields: robotFields(event) };
    case 'channel_broken':
      return {
        level: 'error',
        message: 'channel broken',
        fields: { channel: event.channel, reason: event.reason },
      };
    case 'channel_recovered':
      return { level: 'info', message: 'channel recovered', fields: { channel: event.channel } };
    case 'template_broken':
      return {
        level: 'error',
        message: 'template broken',
        fields: { template: event.template, error: event.message },
      };
    case 'committed':
      return {
        level: 'debug',
        message: 'batch committed',
        fields: { intents: event.intents, commit_ms: event.commitMs },
      };
    case 'store_writable':
      return event.writable
        ? { level: 'info', message: 'store writable again', fields: {} }
        : { level: 'error', message: 'store refuses writes', fields: { reason: event.reason } };
    case 'clock_jumped':
      return { level: 'warn', message: 'wall clock jumped', fields: { by_ms: event.byMs } };
    default:
      return unknown(event);
  }
}

function acceptedFields(event: EventOf<'accepted'>): Line['fields'] {
  return {
    source: event.source,
    notification_id: event.notificationId,
    channels: event.channels,
    format: event.format,
    status: event.status,
    alerts: event.alerts,
    bytes: event.bytes,
    ack_ms: event.ackMs,
  };
}

function attemptFields(event: EventOf<'attempted'>): Line['fields'] {
  const { verdict } = event;
  return {
    channel: event.channel,
    provider: event.provider,
    robot: event.robotKey,
    attempt_id: event.attemptId,
    attempt_number: event.attemptNumber,
    notification_ids: [...new Set(event.deliveries.map((delivery) => delivery.notificationId))],
    delivery_ids: event.deliveries.map((delivery) => delivery.deliveryId),
    rung: event.rung,
    template: event.template,
    outcome: verdict.outcome,
    reason: verdict.reason,
    http_status: verdict.httpStatus,
    provider_code: verdict.providerCode,
    provider_text: verdict.providerText,
    duration_ms: event.durationMs,
    retry_in_ms: event.retryInMs,
    next_rung_at_once: event.nextRungAtOnce,
    bytes: event.bytes,
    shown: event.shown,
    omitted: event.omitted,
  };
}

function robotFields(event: EventOf<'robot_paused'>): Line['fields'] {
  return {
    channel: event.channel,
    robot: event.robotKey,
    outcome: event.outcome,
    reason: event.reason,
    for_ms: event.forMs,
  };
}

function unknown(event: never): never {
  throw new TypeError(`no log line for the event ${JSON.stringify(event)}`);
}
