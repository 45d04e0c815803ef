import { describe, expect, it } from 'vitest';
import { type Notice, readNotice } from '../../src/domain/notice.ts';

const NOTICES: readonly Notice[] = [
  {
    kind: 'channel_broken',
    channel: 'ops',
    reason: 'unknown_token',
    hint: '',
    waiting: 2,
    worst: [{ name: 'Disk full', severity: 'critical', summary: 'db-1', startedAt: 1_772_439_630_000 }],
  },
  { kind: 'channel_recovered', channel: 'ops', brokenForMs: 60_000 },
  { kind: 'test', channel: 'ops', requestedBy: 'api' },
  { kind: 'deaths', channel: 'ops', count: 3, reasons: { expired: 2, poison: 1 } },
  { kind: 'template_broken', template: 'dingtalk/payments', message: 'line 3' },
  { kind: 'store_refusing', since: 1_772_439_630_000, reason: 'disk full', refused: 12 },
];

describe('reading a notice', () => {
  it.each(NOTICES)('reads $kind as it was written', (notice) => {
    expect(readNotice(JSON.stringify(notice))).toEqual(notice);
  });

  it.each(['', '{', '[]', 'null', '{"kind":"later"}', '{"kind":"constructor"}'])(
    'takes %s for none',
    (text) => {
      expect(readNotice(text)).toBeUndefined();
    },
  );

  it('fills what an older or newer version did not write', () => {
    expect(readNotice('{"kind":"channel_broken","worst":[null]}')).toEqual({
      kind: 'channel_broken',
      channel: '',
      reason: '',
      hint: '',
      waiting: 0,
      worst: [{ name: '', severity: '', summary: '', startedAt: null }],
    });
  });
});
