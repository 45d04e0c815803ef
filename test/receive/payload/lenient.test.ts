import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Notification } from '../../../src/domain/notification.ts';
import { MAX_ALERTS } from '../../../src/receive/payload/group.ts';
import { parseNotification } from '../../../src/receive/payload/parse.ts';
import { toInstant } from '../../../src/receive/payload/time.ts';

function parse(body: unknown, id = 'ntf_1'): Notification {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(JSON.stringify(body));
  return parseNotification(bytes, { source: 'grafana', id });
}

function grafana(alerts: unknown, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    version: '1',
    orgId: 1,
    groupKey: '{}:{}',
    externalURL: 'https://g.example.com/',
    alerts,
    ...change,
  };
}

describe('any body', () => {
  it('becomes a notification, whatever its bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const notification = parseNotification(bytes, { source: 's', id: 'ntf_1' });

        expect(notification.alerts.length > 0 || notification.groupKey === 'unreadable:ntf_1').toBe(true);
      }),
    );
  });

  it('becomes a notification, whatever JSON stands in the fields of a known form', () => {
    const fields = [
      'status',
      'labels',
      'annotations',
      'startsAt',
      'endsAt',
      'fingerprint',
      'values',
      'generatorURL',
    ];
    const around = [
      'version',
      'orgId',
      'groupKey',
      'receiver',
      'truncatedAlerts',
      'commonLabels',
      'externalURL',
    ];
    const record = (keys: string[]) =>
      fc.record(Object.fromEntries(keys.map((key) => [key, fc.jsonValue()])), { requiredKeys: [] });
    const alert = fc.oneof(
      record(fields),
      fc.jsonValue().filter((value) => value !== null),
    );
    fc.assert(
      fc.property(record(around), fc.array(alert, { minLength: 1, maxLength: 4 }), (group, alerts) => {
        const notification = parse({ ...group, alerts });

        expect(['grafana', 'alertmanager']).toContain(notification.format);
        expect(notification.alerts).toHaveLength(alerts.length);
        expect(notification.alerts.every(({ fingerprint }) => fingerprint !== '')).toBe(true);
      }),
    );
  });

  it('becomes a notification, whatever JSON stands in a dashboard alert of Grafana 7', () => {
    const keys = ['ruleId', 'ruleName', 'ruleUrl', 'evalMatches', 'tags', 'orgId', 'message', 'imageUrl'];
    const fields = fc.record(Object.fromEntries(keys.map((key) => [key, fc.jsonValue()])));
    fc.assert(
      fc.property(fields, fc.jsonValue(), (body, state) => {
        const notification = parse({ ...body, state });

        expect(notification.format).toBe('legacy');
        expect(notification.alerts.length).toBeGreaterThan(0);
      }),
    );
  });
});

describe('a hostile body', () => {
  it.each([
    ['nested 400,000 deep', '['.repeat(400_000)],
    ['nested 65 deep in objects', `${'{"alerts":'.repeat(65)}1${'}'.repeat(65)}`],
    [
      'nested too deep beside alerts',
      JSON.stringify(grafana([{}])).replace('}', `,"x":${'['.repeat(65)}${']'.repeat(65)}}`),
    ],
    ['with no alerts', JSON.stringify(grafana([]))],
    ['with only null for alerts', JSON.stringify(grafana([null]))],
    ['that is a bare number', '1'],
    ['that is null', 'null'],
    ['with a NUL in the text', '{"alerts":[{"status":"firing\u0000"}]}'],
  ])('%s is kept as text', (_what, body) => {
    const notification = parse(body);

    expect(notification).toMatchObject({ format: 'unreadable', status: 'firing', alerts: [] });
    expect(notification.text).not.toBe('');
  });

  it('nested 64 deep is still read', () => {
    const deep = `${'['.repeat(62)}${']'.repeat(62)}`;

    const notification = parse(`{"alerts":[{"status":"firing"}],"x":${deep}}`);

    expect(notification.format).toBe('alertmanager');
  });

  it('may hold any brackets, quotes and backslashes inside its texts', () => {
    const texts = ['\\', '['.repeat(100), '\\"', '{'.repeat(100), '\\\\', `"${'['.repeat(100)}`];

    const notification = parse(grafana(texts.map((summary) => ({ annotations: { summary } }))));

    expect(notification.alerts.map(({ annotations }) => annotations.summary)).toEqual(texts);
  });

  it('may open and close any number of brackets side by side', () => {
    const values = Array.from({ length: 100 }, () => ({ a: [] }));

    const notification = parse({ ...grafana([{}]), values });

    expect(notification.format).toBe('grafana');
  });

  it('in bad UTF-8 is shown with replacement characters and without control characters', () => {
    const body = Buffer.concat([
      Buffer.from('a\u0000\u001b[31m\tb\r\nc'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('好'),
    ]);

    const notification = parseNotification(body, { source: 's', id: 'ntf_1' });

    expect(notification.text).toBe('a[31m\tb\nc\ufffd\ufffd好');
  });

  it('of many megabytes of text is cut between characters, with a mark', () => {
    const notification = parse(`x${'好'.repeat(1_000_000)}`);

    expect(notification.text).toMatch(/^x好+…$/);
    expect(Buffer.byteLength(notification.text)).toBeLessThanOrEqual(65_536 + 3);
  });

  it('cannot reach a prototype through names', () => {
    const body =
      '{"alerts":[{"labels":{"__proto__":"p","constructor":"c","a.b/c":"d"},"annotations":{"toString":"t"},"values":{"__proto__":1}}],"version":"1","orgId":1,"__proto__":{"isTest":true}}';

    const [alert] = parse(body).alerts;

    expect(Object.entries(alert?.labels ?? {})).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['a.b/c', 'd'],
    ]);
    expect(Object.getPrototypeOf(alert?.labels)).toBeNull();
    expect(alert?.annotations.constructor).toBeUndefined();
    expect(alert?.values).toEqual([['__proto__', 1]]);
    expect({}).not.toHaveProperty('p');
  });

  it('with lone surrogates has them replaced, in names and in texts, and emoji kept', () => {
    const notification = parse(
      String.raw`{"alerts":[{"labels":{"a\ud800":"b\udc00c","e":"\ud83d\ude00"}}],"title":"\ud83d","version":"1"}`,
    );

    expect(Object.entries(notification.alerts[0]?.labels ?? {})).toEqual([
      ['a\ufffd', 'b\ufffdc'],
      ['e', '😀'],
    ]);
    expect(notification.title).toBe('\ufffd');
  });

  it('of empty shells is read up to a number, and the rest counted', () => {
    const notification = parse(
      grafana(
        Array.from({ length: MAX_ALERTS + 5 }, () => ({})),
        { truncatedAlerts: 2 },
      ),
    );

    expect(notification.alerts).toHaveLength(MAX_ALERTS);
    expect(notification.truncatedAlerts).toBe(7);
  });
});

describe('an alert', () => {
  it('keeps what can be kept of odd values', () => {
    const [alert] = parse(
      grafana([
        {
          status: 'FIRING',
          labels: { n: 1, b: true, nothing: null, empty: '', o: { a: [1] } },
          annotations: null,
          startsAt: 'yesterday',
          endsAt: '2026-03-02T08:20:30Z',
          values: { A: 1, B: 'x', C: null },
        },
      ]),
    ).alerts;

    expect(alert).toMatchObject({
      status: 'firing',
      startsAt: undefined,
      endsAt: undefined,
      values: [['A', 1]],
    });
    expect({ ...alert?.labels }).toEqual({ n: '1', b: 'true', o: '{"a":[1]}' });
    expect(Object.keys(alert?.annotations ?? {})).toEqual([]);
  });

  it('without a status has that of its group, and fires without either', () => {
    const statusOf = (change: Record<string, unknown>) => parse(grafana([{}], change)).alerts[0]?.status;

    expect([statusOf({ status: 'resolved' }), statusOf({}), statusOf({ status: 'weird' })]).toEqual([
      'resolved',
      'firing',
      'firing',
    ]);
  });

  it('that is no object is shown as a summary, beside the others', () => {
    const notification = parse(grafana(['disk full', { labels: { alertname: 'A' } }, null]));

    expect(
      notification.alerts.map(({ annotations, labels }) => annotations.summary ?? labels.alertname),
    ).toEqual(['disk full', 'A']);
  });

  it.each([
    ['javascript:alert(1)', ''],
    ['ftp://g.example.com/', ''],
    ['data:text/html,x', ''],
    ['not a link', ''],
    ['https://', ''],
    ['https://g.example.com/a?b=c d', 'https://g.example.com/a?b=c%20d'],
    ['HTTPS://G.example.com/', 'HTTPS://G.example.com/'],
    ['?orgId=1', 'https://g.example.com/?orgId=1'],
    ['/alerting/list', 'https://g.example.com/alerting/list'],
  ])('with the link %j shows %j', (sent, shown) => {
    const [alert] = parse(grafana([{ generatorURL: sent }])).alerts;

    expect(alert?.generatorUrl).toBe(shown);
  });

  it('with a relative link and no root to resolve it against shows none', () => {
    expect(parse(grafana([{ generatorURL: '?orgId=1' }], { externalURL: '' })).alerts[0]?.generatorUrl).toBe(
      '',
    );
  });
});

describe('an identity', () => {
  const identities = (alerts: unknown[]) =>
    parse(grafana(alerts)).alerts.map(({ fingerprint }) => fingerprint);

  it('is the fingerprint as sent, also when the same alert stands twice', () => {
    const alert = { fingerprint: 'abcd', labels: { a: '1', b: '2' } };
    const turned = { fingerprint: 'abcd', labels: { b: '2', a: '1' } };

    expect(identities([alert, turned])).toEqual(['abcd', 'abcd']);
  });

  it('is computed for the alerts that share one fingerprint over different labels, and for no other', () => {
    const [first, second, third] = identities([
      { fingerprint: 'abcd', labels: { a: '1' } },
      { fingerprint: 'abcd', labels: { a: '2' } },
      { fingerprint: 'ef01', labels: { a: '3' } },
    ]);

    expect(first).not.toBe('abcd');
    expect(second).not.toBe(first);
    expect(third).toBe('ef01');
  });

  it('is computed from labels and annotations where none was sent, in whatever order they stand', () => {
    const [one, same, other] = identities([
      { labels: { a: '1', b: '2' } },
      { labels: { b: '2', a: '1' } },
      { labels: { a: '1', b: '2' }, annotations: { x: 'y' } },
    ]);

    expect(same).toBe(one);
    expect(other).not.toBe(one);
  });

  it('that is too long to be one is shortened to a hash', () => {
    const [identity] = identities([{ fingerprint: 'x'.repeat(100_000), labels: { a: '1' } }]);

    expect(identity).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('a body from another sender', () => {
  it('is read as alerts, without a version, status, times or fingerprints', () => {
    const notification = parse({
      alerts: [{ labels: { alertname: 'A', pod: 'p' } }, { labels: { alertname: 'A' } }],
    });

    expect(notification).toMatchObject({ format: 'alertmanager', status: 'firing', org: '' });
    expect({ ...notification.commonLabels }).toEqual({ alertname: 'A' });
  });

  it('without a group key is grouped by its group labels, else by which alerts it holds', () => {
    const keyOf = (body: Record<string, unknown>) => parse(body).groupKey;
    const alert = (pod: string, status: string) => ({ status, labels: { alertname: 'A', pod } });

    const firing = keyOf({ alerts: [alert('p', 'firing')] });
    const resolved = keyOf({ alerts: [alert('p', 'resolved')] });
    const another = keyOf({ alerts: [alert('q', 'firing')] });
    const labelled = ['p', 'q'].map((pod) =>
      keyOf({ groupLabels: { a: 'b' }, alerts: [alert(pod, 'firing')] }),
    );

    expect(resolved).toBe(firing);
    expect(another).not.toBe(firing);
    expect(labelled[1]).toBe(labelled[0]);
  });

  it.each([
    [{ ruleName: 'CPU', state: 'alerting' }, 'legacy', 'firing'],
    [{ ruleId: 5, state: 'paused' }, 'legacy', 'resolved'],
    [{ ruleId: 5, state: 'pending', evalMatches: null }, 'legacy', 'firing'],
    [{ ruleName: 'CPU', state: 'unknown' }, 'legacy', 'firing'],
    [{ rule: 'CPU', state: 'alerting' }, 'unreadable', 'firing'],
    [{ ruleName: 'CPU', state: 'constructor' }, 'legacy', 'firing'],
  ])('such as %j is read as %s, %s', (body, format, status) => {
    expect(parse(body)).toMatchObject({ format, status });
  });

  it('in a state that is the name of something built in gets no reason from it', () => {
    const [alert] = parse({ ruleName: 'CPU', state: 'constructor', message: 'm' }).alerts;

    expect(Object.entries(alert?.annotations ?? {})).toEqual([['summary', 'm']]);
  });

  it('such as Grafana 4 has its links under their old names', () => {
    const link = 'https://g.example.com/dashboard/db/x?panelId=2';

    const notification = parse({
      ruleName: 'CPU',
      state: 'alerting',
      rule_url: link,
      image_url: `${link}.png`,
    });

    expect(notification.alerts[0]).toMatchObject({
      generatorUrl: link,
      panelUrl: link,
      imageUrl: `${link}.png`,
    });
    expect(notification.externalUrl).toBe('https://g.example.com');
  });
});

describe("Grafana's test button", () => {
  const alert = { labels: { alertname: 'TestAlert' } };

  it.each([
    ['webhook-57c6d9296de2ad39-1772439671', [alert], true],
    ['{alertname="TestAlert"}2023-05-24', [alert], true],
    ['{}:{alertname="TestAlert"}', [alert], false],
    ['{}/{a="b"}:{}', [alert], false],
    ['webhook-57c6d9296de2ad39-1772439671', [alert, { labels: { alertname: 'Other' } }], false],
    ['', [alert], false],
  ])('with the group key %j is told from a rule of that name', (groupKey, alerts, isTest) => {
    expect(parse(grafana(alerts, { groupKey })).isTest).toBe(isTest);
  });
});

describe('what Alertcard wrote itself', () => {
  it('for a body too large to read says how large it was and what to do', () => {
    const stub = parseNotification(Buffer.from('{"bytes":16357785}'), {
      source: 's',
      id: 'ntf_1',
      format: 'stub',
    });

    expect(stub.text).toContain('15.6 MiB');
    expect(stub.text).toContain('maxAlerts');
    expect(stub).toMatchObject({ format: 'stub', groupKey: 'stub:ntf_1', status: 'firing' });
  });

  it('for a stub that lost its number still speaks', () => {
    const stub = parseNotification(Buffer.from('oops'), { source: 's', id: 'ntf_1', format: 'stub' });

    expect(stub.text).toContain('could not be read');
  });

  it('as a notice is handed on as it is', () => {
    const body = '{"title":"Channel ops is broken","kind":"broken"}';

    const notice = parseNotification(Buffer.from(body), {
      source: 'alertcard',
      id: 'ntf_1',
      format: 'notice',
    });

    expect(notice).toMatchObject({
      format: 'notice',
      text: body,
      title: 'Channel ops is broken',
      alerts: [],
    });
  });
});

describe('a time', () => {
  it.each<[unknown, string | undefined]>([
    ['2026-03-02T08:20:30Z', '2026-03-02T08:20:30.000Z'],
    ['2026-03-02T08:21:11.01428915Z', '2026-03-02T08:21:11.014Z'],
    ['2026-03-02T16:20:30.5+08:00', '2026-03-02T08:20:30.500Z'],
    ['2026-03-02 03:20:30,123456789-0500', '2026-03-02T08:20:30.123Z'],
    ['2026-03-02T13:50:30+05:30', '2026-03-02T08:20:30.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    [1_772_439_630, '2026-03-02T08:20:30.000Z'],
    [1_772_439_630_000, '2026-03-02T08:20:30.000Z'],
    ['0001-01-01T00:00:00Z', undefined],
    ['0001-01-01T08:05:43+08:05', undefined],
    ['2026-02-29T00:00:00Z', undefined],
    ['2026-13-01T00:00:00Z', undefined],
    ['2026-03-02T24:00:00Z', undefined],
    ['2026-03-02', undefined],
    ['', undefined],
    [0, undefined],
    [1e300, undefined],
    [null, undefined],
  ])('sent as %j is %s', (sent, instant) => {
    const at = toInstant(sent);

    expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(instant);
  });
});
