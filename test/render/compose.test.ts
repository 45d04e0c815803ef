import { describe, expect, it } from 'vitest';
import { type Alert, makeLabels } from '../../src/domain/alert.ts';
import type { Notification } from '../../src/domain/notification.ts';
import type { CardRequest, CardSettings, ComposedCard, Target } from '../../src/render/card-input.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { channelOf, LINKS, NOW, NTF, requestOf, settingsOf } from '../support/card-input.ts';
import { fixture, textNotification } from '../support/notification.ts';
import { makeTarget } from '../support/targets.ts';
import { builtInTemplates, withOwn } from '../support/templates.ts';

const BUILT_IN = builtInTemplates();
const EN = channelOf('dingtalk', 'en');
const SINGLE = fixture('v13-firing-single');

function compose(
  notifications: readonly Notification[],
  given: Partial<CardRequest> = {},
  settings: Partial<CardSettings> = {},
): ComposedCard {
  return makeComposer(settingsOf(BUILT_IN, settings))(requestOf(notifications, { channel: EN, ...given }));
}

function withAlert(given: Partial<Alert>, base: Notification = SINGLE): Notification {
  return { ...base, alerts: base.alerts.map((alert) => ({ ...alert, ...given })) };
}

/** A group of so many alerts of one rule. */
function group(count: number, given: (index: number) => Partial<Alert> = () => ({})): Notification {
  const [alert] = SINGLE.alerts;
  if (alert === undefined) throw new Error('the fixture has an alert');
  const alerts = Array.from({ length: count }, (_each, index) => ({
    ...alert,
    fingerprint: `f${index}`,
    labels: makeLabels([...Object.entries(alert.labels), ['pod', `pod-${index}`]]),
    ...given(index),
  }));
  return { ...SINGLE, alerts };
}

describe('the title', () => {
  it.each([
    ['v13-firing-single', 'en', '[FIRING:1] API error rate high'],
    ['v13-resolved-single', 'zh-CN', '[已恢复:1] API error rate high'],
    ['v13-mixed-firing-resolved-5', 'en', '[FIRING:3, RESOLVED:2] API error rate high'],
    ['v13-mixed-firing-resolved-5', 'zh-CN', '[告警:3 已恢复:2] API error rate high'],
    ['v13-test-button', 'en', '[TEST FIRING:1] TestAlert'],
    ['v13-datasource-error', 'en', '[FIRING:1] Payment log errors (query failed)'],
    ['v13-truncated-hides-firing', 'en', '[RESOLVED:3, NOT SHOWN:9] API error rate high'],
    ['v13-ungrouped', 'en', '[FIRING:2] API error rate high, Queue depth'],
  ] as const)('of %s in %s is %s', (name, locale, title) => {
    expect(compose([fixture(name)], { channel: channelOf('dingtalk', locale) }).card.title).toBe(title);
  });

  it('falls back from the name to the sender’s title, the receiver and the source', () => {
    const nameless = { ...withAlert({ labels: makeLabels() }), title: '[FIRING:1] (Checkout)' };

    expect(compose([nameless]).card.title).toBe('[FIRING:1] (Checkout)');
    expect(compose([{ ...nameless, title: '' }]).card.title).toBe('[FIRING:1] ops-webhook');
    expect(compose([{ ...nameless, title: '', receiver: '' }]).card.title).toBe('[FIRING:1] grafana');
  });

  it('is one line of a length a chat takes, whatever the alert is called', () => {
    const labels = makeLabels([['alertname', `a\nb\u202E ${'很长'.repeat(500)}`]]);

    const { title } = compose([withAlert({ labels })]).card;

    expect(title).not.toMatch(/[\n\u202E]/u);
    expect(title.length).toBeLessThanOrEqual(150);
  });
});

describe('the tone', () => {
  it.each([
    ['v13-firing-single', 'critical'],
    ['v13-multiline-markdown-emoji-chinese', 'error'],
    ['v13-test-button', 'warning'],
    ['v13-resolved-single', 'resolved'],
    ['v13-mixed-firing-resolved-5', 'mixed'],
    ['v13-truncated-hides-firing', 'mixed'],
  ])('of %s is %s', (name, tone) => {
    expect(compose([fixture(name)]).card.tone).toBe(tone);
  });
});

describe('values', () => {
  it('are written without digits of floating point, not for resolved alerts, not where they are placeholders', () => {
    const odd = withAlert({
      values: [
        ['B', 0.1 + 0.2],
        ['C', Number.NaN],
        ['D', 1_893],
      ],
    });

    expect(compose([odd]).card.body).toContain('Value: B=0.3, D=1893');
    expect(compose([fixture('v13-resolved-single')]).card.body).not.toContain('Value');
    expect(compose([fixture('v13-nodata-as-alerting-minus-one')]).card.body).not.toContain('=-1');
    expect(compose([withAlert({ values: [['B', -1]] })]).card.body).toContain('Value: -1');
  });

  it('leave out the 1 of the condition, and the letter of a query that stands alone', () => {
    const valueLine = (values: Alert['values']): string | undefined =>
      /Value: (.*)/u.exec(compose([withAlert({ values })]).card.body)?.[1];

    expect(
      valueLine([
        ['A', 12.5],
        ['C', 1],
      ]),
    ).toBe('12.5');
    expect(
      valueLine([
        ['A', 12.5],
        ['B', 3],
        ['C', 1],
      ]),
    ).toBe('A=12.5, B=3');
    expect(
      valueLine([
        ['free', 12.5],
        ['C', 1],
      ]),
    ).toBe('free=12.5');
    expect(valueLine([['A', 1]])).toBe('1');
  });
});

describe('labels', () => {
  it('that all alerts share are said once, those that differ with each alert', () => {
    const { body } = compose([fixture('v13-mixed-firing-resolved-5')]).card;

    expect(body.match(/job: checkout-api/gu)).toHaveLength(1);
    expect(body.match(/api-\d\.example\.com:8080 is/gu)).toHaveLength(5);
  });

  it('that the first line of an alert says already are not repeated in a group', () => {
    expect(compose([fixture('v13-mixed-firing-resolved-5')]).card.body).not.toContain('instance:');
    expect(compose([SINGLE]).card.body).toContain('- instance: api-1.example.com:8080 · job: checkout-api');
  });

  it('say where first, and nothing of Grafana’s folders and queries', () => {
    const labels = makeLabels([
      ['alertname', 'a'],
      ['datasource_uid', 'prom'],
      ['grafana_folder', 'Checkout'],
      ['team', 'payments'],
      ['namespace', 'shop'],
      ['instance', 'api-1'],
    ]);

    expect(compose([withAlert({ labels })]).card.body).toContain(
      '- instance: api-1 · namespace: shop · team: payments\n',
    );
  });

  it('of Grafana’s own making are not shown', () => {
    expect(compose([fixture('alertmanager-v4-relayed-from-grafana')]).card.body).not.toContain(
      'alert\\_rule',
    );
  });
});

describe('links', () => {
  it('make buttons only where there is one, dashboards only without a panel', () => {
    const texts = (notification: Notification): readonly string[] =>
      compose([notification]).card.buttons.map(({ text }) => text);

    expect(texts(SINGLE)).toEqual(['Panel', 'Silence', 'Rule', 'Runbook']);
    expect(texts(withAlert({ panelUrl: '' }))).toEqual(['Dashboard', 'Silence', 'Rule', 'Runbook']);
    expect(texts(fixture('legacy-v7-alerting'))).toEqual(['Panel']);
    expect(
      texts(withAlert({ panelUrl: 'http://localhost:3000/d', generatorUrl: '', silenceUrl: '' })),
    ).toEqual(['Dashboard', 'Runbook']);
  });

  it('are rewritten by prefix', () => {
    const links = {
      ...LINKS,
      rewrites: [{ from: 'https://grafana.example.com', to: 'https://ops.example.org/g' }],
    };

    const { buttons } = compose([SINGLE], {}, { links }).card;

    expect(buttons[0]?.url).toMatch(/^https:\/\/ops\.example\.org\/g\/d\//u);
  });

  it('to logs appear when configured', () => {
    const links = { ...LINKS, logs: { datasourceUid: 'loki', labels: ['job'], grafana: 10 } };

    expect(compose([SINGLE], {}, { links }).card.buttons.map(({ text }) => text)).toContain('Logs');
  });

  it('silence the whole group, and nothing once it is over', () => {
    const silence = compose([group(2)]).card.buttons.find(({ text }) => text === 'Silence');

    expect(silence?.url).toContain('__alert_rule_uid__');
    expect(compose([fixture('v13-resolved-single')]).card.buttons.map(({ text }) => text)).not.toContain(
      'Silence',
    );
  });
});

describe('pictures', () => {
  const notification = fixture('v13-image-url');

  it('are links unless they are said to be public', () => {
    expect(compose([notification]).card.body).toContain('[Screenshot](dingtalk://');
  });

  it('stand in a DingTalk card when they are, and stay links in Feishu', () => {
    const links = { ...LINKS, images: 'public' as const };

    expect(compose([notification], {}, { links }).card.body).toContain('![](https://');
    expect(compose([notification], { channel: channelOf('feishu', 'en') }, { links }).card.body).toContain(
      '[Screenshot](https://',
    );
  });
});

describe('what a card says of its own delivery', () => {
  it('stands on it whatever the template says', () => {
    const templates = withOwn({ 'dingtalk/default.hbs': 'only this' });
    const marks = {
      late: { byMs: 420_000, reason: 'rate_limited' },
      isReplay: true,
      isPossibleRepeat: true,
      deaths: 3,
    };

    const { body } = compose([SINGLE], { marks }, { templates, isSandbox: true }).card;

    expect(body.split('\n\n')).toEqual([
      'SANDBOX: a look-alike robot received this, nobody else did',
      'Sent again by a person; statuses are those of now',
      'Possibly a repeat: no answer came to an earlier attempt',
      'Sent 7m late: the robot is rate limited',
      'only this',
      '3 earlier notifications of this channel were given up: see alertcard deliveries list --state dead',
      `alertcard ${NTF}`,
    ]);
  });

  it.each(['card', 'text', 'bare'] as const)('stands on the %s of whatever is not alerts, too', (rung) => {
    const marks = { late: undefined, isReplay: true, isPossibleRepeat: false, deaths: 3 };
    const formats = ['unreadable', 'stub', 'notice'] as const;

    const bodies = formats.map(
      (format) => compose([textNotification(format, 'x')], { marks, rung }, { isSandbox: true }).card.body,
    );

    for (const body of bodies) {
      expect(body).toContain('SANDBOX');
      expect(body).toContain('Sent again by a person');
      expect(body).toContain('3 earlier notifications');
    }
  });

  it('tells what Grafana left out and links the id where the API can be reached', () => {
    const { body } = compose(
      [fixture('v13-truncated-35-of-40')],
      {},
      { publicUrl: 'https://alertcard.example.com' },
    ).card;

    expect(body).toContain('Grafana left out 35 alerts');
    expect(body).toContain(encodeURIComponent(`https://alertcard.example.com/api/notifications/${NTF}`));
  });

  it('says of a folded group how many notifications it brings and what is no longer reported', () => {
    const { card } = compose([group(2), { ...SINGLE }]);

    expect(card.title).toBe('[FIRING:1, NO LONGER REPORTED:2] API error rate high');
    expect(card.body).toContain('No longer reported (2)');
    expect(card.body).toContain('2 notifications in one card');
  });
});

describe('fitting', () => {
  it('leaves alerts out from the least severe, says how many, and stays within the bytes', () => {
    const severities = ['info', 'critical', 'warning'];
    const many = group(300, (index) => ({
      labels: makeLabels([
        ['alertname', 'Pod'],
        ['pod', `pod-${index}`],
        ['severity', severities[index % 3] ?? ''],
      ]),
    }));

    const composed = compose([many]);

    expect(composed.bytes).toBeLessThanOrEqual(18_000);
    expect(composed.shown).toBe(20);
    expect(composed.omitted).toBe(300 - composed.shown);
    expect(composed.card.body).toContain(
      `[+${composed.omitted} more](dingtalk://dingtalkclient/page/link?url=https%3A%2F%2Fgrafana.example.com%2Falerting%2Flist`,
    );
    expect(composed.card.body).toContain('pod-1 ·');
    expect(composed.card.body).not.toContain('pod-0 ·');
  });

  it('shows 200 alerts at the most, however large the limit', () => {
    const templates = withOwn({ 'dingtalk/default.hbs': '{{#each alerts}}{{name}}{{/each}}' });

    const composed = compose([group(500)], { target: makeTarget(10_000_000) }, { templates });

    expect([composed.shown, composed.omitted]).toEqual([200, 300]);
  });

  it('shows as many as the template asks for, in the shape it asks for', () => {
    const templates = withOwn({
      'dingtalk/default.hbs': '---\nmax_alerts: 3\n---\n{{#each alerts}}{{name}};{{/each}}',
    });

    const composed = compose([group(5)], {}, { templates });

    expect([composed.shown, composed.omitted]).toEqual([3, 2]);
    expect(composed.card.body).toContain('+2 more');
  });

  it('cuts long texts rather than leaving nearly all alerts out', () => {
    const many = group(12, () => ({ annotations: makeLabels([['summary', '很'.repeat(5_000)]]) }));

    const composed = compose([many]);

    expect(composed.shown).toBe(12);
    expect(composed.card.body).toContain('很…');
  });

  it('falls to the text rung, then to bare, when a card cannot be that small', () => {
    const roomy = makeTarget(18_000);
    const richIsLarge: Target = {
      ...roomy,
      requestBytes: (message, isSigned) =>
        message.rung === 'card' ? 18_001 : roomy.requestBytes(message, isSigned),
    };

    const text = compose([SINGLE], { target: richIsLarge });
    const bare = compose([SINGLE], { target: makeTarget(500) });

    expect([text.message.rung, text.template]).toEqual(['text', 'text']);
    expect([bare.message.rung, bare.template, bare.shown]).toEqual(['bare', 'bare', 0]);
  });

  it('makes the same card of the same input', () => {
    const first = compose([fixture('v13-group-120')]);
    const second = compose([fixture('v13-group-120')]);

    expect(second.message).toEqual(first.message);
  });
});

describe('the size of a group', () => {
  it('decides how much is told of each: all, a line, a line of the worst', () => {
    const rows = (count: number): number =>
      compose([group(count)]).card.body.match(/^- 🔴 .* · 4m ago$/gmu)?.length ?? 0;

    expect([1, 5, 6, 20, 21, 120].map(rows)).toEqual([0, 0, 6, 20, 20, 20]);
  });

  it('is told by severity, the worst first, when it is a long one', () => {
    const severities = ['info', 'critical', ''];
    const many = group(120, (index) => ({
      labels: makeLabels([
        ['alertname', 'Pod'],
        ['pod', `pod-${index}`],
        ['severity', severities[index % 3] ?? ''],
      ]),
    }));

    expect(compose([many]).card.body.split('\n\n').slice(0, 2)).toEqual([
      '🔴 critical **40** · 🟡 other **40** · 🔵 info **40**',
      'Firing since: 2026-03-02 16:20:30 +08:00 (4m ago)',
    ]);
  });
});

describe('a group of which Grafana shows only what is resolved', () => {
  it('begins with what may still fire', () => {
    const { card } = compose([fixture('v13-truncated-hides-firing')]);

    expect(card.body).toMatch(
      /^⚠️ Grafana left out 9 alerts of this group \(maxAlerts\); they may be firing\n/u,
    );
    expect(card.body.match(/maxAlerts/gu)).toHaveLength(1);
  });
});

describe('a resolved alert', () => {
  it('that was not measured again says that its text is an old one', () => {
    const [stale, measured] = ['v13-resolved-missing-series', 'v13-resolved-single'].map(
      (name) => compose([fixture(name)]).card.body,
    );

    expect(stale).toContain('**Last known: 5xx rate on api-9.example.com:8080 is 12.5%**');
    expect(measured).not.toContain('Last known');
  });
});

describe('a test', () => {
  it('of Grafana’s button says so first', () => {
    expect(compose([fixture('v13-test-button')]).card.body).toMatch(/^A test sent from Grafana by a person/u);
  });
});

describe('a reminder', () => {
  it('says for how long it has been firing', () => {
    const state = {
      fingerprint: SINGLE.alerts[0]?.fingerprint ?? '',
      status: 'firing' as const,
      episodeStartedAt: NOW - 4 * 3_600_000,
      lastEndedAt: null,
      changedSeq: 1,
    };
    const marks = { late: undefined, isReplay: false, isPossibleRepeat: false, deaths: 0 };
    const { group: folded } = requestOf([SINGLE], {}, { alertStates: [state], oldestSeq: 2 });

    const { body } = compose([SINGLE], { group: folded, marks }).card;

    expect(body).toMatch(/^Still firing, for 4h; nothing new since the last card\n/u);
  });
});

describe('the text rung', () => {
  it('is plain text made by our own code', () => {
    const { message, card } = compose([fixture('v13-mixed-firing-resolved-5')], { rung: 'text' });

    expect(message.rung).toBe('text');
    expect(card.body).toContain(
      '[FIRING] 5xx rate on api-1.example.com:8080 is 12.5%\ninstance: api-1.example.com:8080\n',
    );
    expect(card.body).not.toContain('**');
  });
});

describe('the bare rung', () => {
  it('holds our own words and numbers, nothing that came with the alerts', () => {
    const { card } = compose([SINGLE], { rung: 'bare' }, { publicUrl: 'https://alertcard.example.com' });

    expect(card.title).toBe('[FIRING:1] critical');
    expect(card.body.split('\n')).toEqual([
      'Firing 1, resolved 0',
      'The content of this alert could not be shown here. Open Grafana to read it.',
      `alertcard ${NTF}`,
      `https://alertcard.example.com/api/notifications/${NTF}`,
    ]);
    expect(card.buttons).toEqual([]);
  });

  it('does not repeat a severity label that is not in the configuration', () => {
    const labels = makeLabels([['severity', 'http://evil.example.com']]);

    expect(compose([withAlert({ labels })], { rung: 'bare' }).card.title).toBe('[FIRING:1]');
  });
});

describe('a template that fails', () => {
  it('at load gives way to the built-in one, and the card says so', () => {
    const templates = withOwn({ 'dingtalk/default.hbs': 'a\n{{#if x}}' });

    const { card, template, failed } = compose([SINGLE], {}, { templates });

    expect(template).toBe('dingtalk/default');
    expect(failed).toBeUndefined();
    expect(card.body).toContain('Template dingtalk/default is broken, another one served this card: 2:');
    expect(card.body).toContain('5xx rate on');
  });

  it('at run time gives way to the built-in one, says so and reports it', () => {
    const templates = withOwn({ 'dingtalk/default.hbs': '{{#each}}x{{/each}}' });

    const { card, failed } = compose([SINGLE], {}, { templates });

    expect(failed?.template).toBe('dingtalk/default');
    expect(card.body).toContain('is broken');
    expect(card.body).toContain('5xx rate on');
  });

  it('together with the built-in one leaves our plain card', () => {
    const templates = withOwn({}, '/nowhere');

    const { card, template, message } = compose([SINGLE], {}, { templates });

    expect([template, message.rung]).toEqual(['plain', 'card']);
    expect(card.title).toBe('[FIRING:1] API error rate high');
    expect(card.body).toContain('5xx rate on api-1.example.com:8080');
  });

  it('that writes nothing still gives a card with the alerts on it', () => {
    const templates = withOwn({
      'dingtalk/default.hbs': '---\ntitle: "{{nothing}}"\ntone: "{{nothing}}"\n---\n{{nothing}}',
    });

    const { card } = compose([SINGLE], {}, { templates });

    expect(card).toMatchObject({ title: '[FIRING:1] API error rate high', tone: 'critical' });
    expect(card.body).toContain('5xx rate on api-1.example.com:8080');
  });
});

describe('a notification that could not be read', () => {
  it('arrives as text, inert', () => {
    const { card, template } = compose([textNotification('unreadable', '**bold** @all <b>\nnext')]);

    expect(template).toBe('unreadable');
    expect(card.title).toBe('Unreadable notification from grafana');
    expect(card.body).toContain('\\*\\*bold\\*\\* @\u200Ball &lt;b>  \nnext');
  });

  it('is cut to what fits', () => {
    const composed = compose([textNotification('unreadable', '很*'.repeat(20_000))]);

    expect(composed.bytes).toBeLessThanOrEqual(18_000);
    expect(composed.card.body).toContain('…');
  });

  it('as a stub says how large it was and what to set', () => {
    const stub = textNotification('stub', 'A notification of 15.6 MiB could not be read: set maxAlerts …');

    expect(compose([stub]).card.body).toContain(
      'A notification of 15.6 MiB was too large to read: set maxAlerts',
    );
    expect(compose([stub], { channel: channelOf('feishu') }).card.body).toContain('15.6 MiB 的通知过大');
  });
});

describe('times', () => {
  it('are in the zone of the channel', () => {
    const channel = { ...EN, timezone: 'America/New_York' };

    expect(compose([SINGLE], { channel }).card.body).toContain('Started: 2026-03-02 03:20:30 -05:00');
    expect(NOW).toBeGreaterThan(SINGLE.alerts[0]?.startsAt ?? 0);
  });
});
