import { describe, expect, it } from 'vitest';
import type { Card } from '../../src/domain/card.ts';
import type { Notice } from '../../src/domain/notice.ts';
import type { Locale, Rung } from '../../src/domain/settings.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { channelOf, requestOf, settingsOf } from '../support/card-input.ts';
import { textNotification } from '../support/notification.ts';
import { builtInTemplates } from '../support/templates.ts';

const compose = makeComposer(settingsOf(builtInTemplates()));

function cardOf(notice: Notice, locale: Locale = 'en', rung: Rung = 'card'): Card {
  const notification = textNotification('notice', JSON.stringify(notice), 'alertcard');
  return compose(requestOf([notification], { channel: channelOf('dingtalk', locale), rung })).card;
}

const BROKEN: Notice = {
  kind: 'channel_broken',
  channel: 'ops',
  reason: 'unknown_token',
  hint: '',
  waiting: 12,
  worst: [
    {
      name: 'Disk full',
      severity: 'critical',
      summary: '**db-1** is full',
      startedAt: Date.UTC(2026, 2, 2, 8),
    },
    { name: 'Queue depth', severity: '', summary: 'Queue depth', startedAt: null },
  ],
};

describe('the notice of a broken channel', () => {
  it('says what is wrong, what to do, how many wait, and the worst of them', () => {
    const card = cardOf(BROKEN);

    expect(card).toMatchObject({ title: 'Channel ops does not deliver', tone: 'error' });
    expect(card.body.split('\n\n')).toEqual([
      "Reason: the robot's URL is not valid (any more)",
      "What to do: set the robot's URL anew",
      'Firing groups waiting there: 12. They will still be delivered there. The worst:',
      'critical · Disk full: \\*\\*db-1\\*\\* is full · 2026-03-02 16:00:00 +08:00',
      'Queue depth',
      '+2 more',
    ]);
  });

  it('reads in Chinese', () => {
    const card = cardOf(BROKEN, 'zh-CN');

    expect(card.title).toBe('渠道 ops 无法送达');
    expect(card.body).toContain('原因：机器人 URL 无效或已失效');
  });

  it('on the bare rung leaves the alerts’ own words out', () => {
    const card = cardOf(BROKEN, 'en', 'bare');

    expect(card.body).toContain('Reason: ');
    expect(card.body).not.toContain('Disk full');
  });
});

describe('other notices', () => {
  it.each<[Notice, string, string]>([
    [
      { kind: 'channel_recovered', channel: 'ops', brokenForMs: 7_500_000 },
      'Channel ops delivers again',
      'It did not deliver for 2h 5m.',
    ],
    [{ kind: 'test', channel: 'ops', requestedBy: 'api' }, 'Alertcard test', 'Asked for by api'],
    [
      { kind: 'deaths', channel: 'ops', count: 3, reasons: { expired: 2, poison: 1 } },
      'Channel ops: 3 notifications given up',
      'gave up after the time allowed: 2',
    ],
    [
      { kind: 'template_broken', template: 'dingtalk/payments', message: 'payments.hbs:3:1: <b>' },
      'Template dingtalk/payments is broken',
      'payments.hbs:3:1: &lt;b>',
    ],
    [
      { kind: 'store_refusing', since: Date.UTC(2026, 2, 2, 8), reason: 'disk full', refused: 12 },
      'Alertcard cannot store notifications',
      'Since 2026-03-02 16:00:00 +08:00: disk full',
    ],
  ])('%o says %s', (notice, title, part) => {
    const card = cardOf(notice);

    expect(card.title).toBe(title);
    expect(card.body).toContain(part);
  });

  it('of a kind this version does not know still make a card', () => {
    const later = textNotification('notice', '{"kind":"later"}', 'alertcard');

    const { card } = compose(requestOf([later], { channel: channelOf('feishu', 'en') }));

    expect(card).toMatchObject({ title: 'Alertcard: notice', buttons: [] });
    expect(card.body).not.toBe('');
  });
});
