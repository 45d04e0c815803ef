import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/domain/events.ts';
import { logEvents } from '../../src/observe/log-events.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { attempted, CANARY, EVENTS } from './support.ts';

function linesOf(...events: readonly Event[]): Record<string, unknown>[] {
  const lines: string[] = [];
  const observe = logEvents(
    createLogger({ level: 'debug', destination: { write: (line) => void lines.push(line) } }),
  );
  for (const event of events) observe(event);
  return lines.map((line) => JSON.parse(line));
}

/** All but the time, which must be there. */
function timeless({ time, ...fields }: Record<string, unknown>): Record<string, unknown> {
  expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  return fields;
}

describe('the log of events', () => {
  it('writes an attempt as one wide line', () => {
    const event = attempted({
      attemptNumber: 2,
      verdict: {
        outcome: 'rejected',
        reason: 'too_long',
        httpStatus: 200,
        providerCode: '460101',
        providerText: 'message too long',
      },
      retryInMs: 0,
      nextRungAtOnce: true,
      deliveries: [
        { deliveryId: 'dlv_1', notificationId: 'ntf_1', state: 'scheduled', waitedMs: 1 },
        { deliveryId: 'dlv_2', notificationId: 'ntf_1', state: 'scheduled', waitedMs: 1 },
      ],
    });

    const lines = linesOf(event);

    expect(lines.map(timeless)).toEqual([
      {
        level: 'warn',
        msg: 'delivery attempted',
        channel: 'ops',
        provider: 'dingtalk',
        robot: 'robot-a',
        attempt_id: 'att_1',
        attempt_number: 2,
        notification_ids: ['ntf_1'],
        delivery_ids: ['dlv_1', 'dlv_2'],
        rung: 'card',
        template: 'dingtalk/default',
        outcome: 'rejected',
        reason: 'too_long',
        http_status: 200,
        provider_code: '460101',
        provider_text: 'message too long',
        duration_ms: 40,
        retry_in_ms: 0,
        next_rung_at_once: true,
        bytes: 900,
        shown: 1,
        omitted: 0,
      },
    ]);
  });

  it('writes every kind of event as one line with words of its own', () => {
    const lines = linesOf(...Object.values(EVENTS));

    expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      'info notification accepted',
      'info notification is a duplicate',
      'warn request refused',
      'info delivery attempted',
      'warn lease lost',
      'error deliveries died',
      'warn robot paused',
      'error channel broken',
      'info channel recovered',
      'error template broken',
      'debug batch committed',
      'error store refuses writes',
      'warn wall clock jumped',
    ]);
  });

  it('names the fields of each by the glossary', () => {
    const { attempted: _attempt, ...others } = EVENTS;

    const lines = linesOf(...Object.values(others));

    expect(lines.map(({ level: _level, msg: _msg, time: _time, ...fields }) => fields)).toEqual([
      {
        source: 'grafana',
        notification_id: 'ntf_1',
        channels: ['ops', 'dev'],
        format: 'grafana',
        status: 'firing',
        alerts: 3,
        bytes: 2_048,
        ack_ms: 6,
      },
      { source: 'grafana', notification_id: 'ntf_1', ack_ms: 2 },
      { source: 'grafana', code: 'signature_mismatch', http_status: 401 },
      { channel: 'ops', attempt_id: 'att_1' },
      { channel: 'ops', reason: 'expired', count: 4 },
      { channel: 'ops', robot: 'robot-a', outcome: 'throttled', reason: 'flood_guard', for_ms: 600_000 },
      { channel: 'ops', reason: 'ip_denied' },
      { channel: 'ops' },
      { template: 'dingtalk/default', error: 'unclosed block' },
      { intents: 12, commit_ms: 7 },
      { reason: 'SQLITE_FULL' },
      { by_ms: -3_600_000 },
    ]);
  });

  it('says when the store takes writes again', () => {
    const lines = linesOf({ kind: 'store_writable', writable: true, reason: '' });

    expect(lines).toMatchObject([{ level: 'info', msg: 'store writable again' }]);
  });
});

describe('the logger', () => {
  it.each([
    ['a message', { msg: `failed: https://x/robot/send?access_token=${CANARY}` }],
    ['a field', { provider_text: `{"sign":"${CANARY}"}` }],
    ['a nested field', { request: { url: `https://x/open-apis/bot/v2/hook/${CANARY}` } }],
    ['an error and its cause', { err: new Error('send', { cause: new Error(`Bearer ${CANARY}`) }) }],
    ['an error message', { err: new Error(`connect https://x/send?key=${CANARY} refused`) }],
  ])('keeps a secret out of %s', (_name, fields) => {
    const lines: string[] = [];
    const log = createLogger({ level: 'info', destination: { write: (line) => void lines.push(line) } });

    log.error(fields, 'request failed');

    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('[redacted]');
    expect(lines[0]).not.toContain(CANARY);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'error' });
  });

  it('writes nothing below its level', () => {
    const lines: string[] = [];
    const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });

    log.info('delivery attempted');

    expect(lines).toEqual([]);
  });
});
