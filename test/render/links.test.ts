import { describe, expect, it } from 'vitest';
import { makeLabels } from '../../src/domain/alert.ts';
import { commonSilence, makeLinks } from '../../src/render/links.ts';
import { LINKS } from '../support/card-input.ts';

const REWRITES = [
  { from: 'http://grafana.monitoring.svc:3000', to: 'https://grafana.example.com' },
  { from: 'http://localhost:3000/', to: 'https://sub.example.com/grafana' },
];

describe('a usable link', () => {
  const links = makeLinks({ ...LINKS, rewrites: REWRITES });

  it.each([
    ['http://grafana.monitoring.svc:3000/d/x?a=1', 'https://grafana.example.com/d/x?a=1'],
    ['http://grafana.monitoring.svc:3000', 'https://grafana.example.com/'],
    ['http://localhost:3000/d/x', 'https://sub.example.com/grafana/d/x'],
    ['https://other.example.com/a b', 'https://other.example.com/a%20b'],
  ])('%s becomes %s', (sent, expected) => {
    expect(links.usable(sent)).toBe(expected);
  });

  it('is not rewritten when the prefix ends inside a name', () => {
    expect(links.usable('http://grafana.monitoring.svc:30001/d')).toBe(
      'http://grafana.monitoring.svc:30001/d',
    );
  });

  it.each([
    '',
    'ftp://example.com',
    'javascript:alert(1)',
    'http://',
    '?orgId=1',
    'http://localhost:8080/x',
    'http://127.0.0.1/x',
    'http://[::1]:3000/',
    'https://grafana.localhost/',
    'http://0.0.0.0/',
  ])('%s is none', (sent) => {
    expect(links.usable(sent)).toBe('');
  });
});

describe('one silence link for several alerts', () => {
  const page = 'https://grafana.example.com/alerting/silence/new?alertmanager=grafana';

  it('keeps the matchers they share', () => {
    const urls = ['a', 'b'].map(
      (pod) => `${page}&matcher=__alert_rule_uid__%3Dx&matcher=pod%3D${pod}&orgId=1`,
    );

    expect(commonSilence(urls)).toBe(`${page}&matcher=__alert_rule_uid__%3Dx&orgId=1`);
  });

  it('is not offered when it would silence more than one rule', () => {
    const urls = ['a', 'b'].map(
      (uid) => `${page}&matcher=__alert_rule_uid__%3D${uid}&matcher=severity%3Dcritical`,
    );

    expect(commonSilence(urls)).toBe('');
  });

  it('is not offered when one of them has none', () => {
    expect(commonSilence([`${page}&matcher=alertname%3Dx`, ''])).toBe('');
    expect(commonSilence([])).toBe('');
  });
});

describe('the logs link', () => {
  const query = {
    root: 'https://grafana.example.com/',
    org: '1',
    labels: makeLabels([
      ['app', 'a"b\\c'],
      ['namespace', 'checkout'],
    ]),
    names: [],
    startedAt: 1_772_439_630_000,
    endedAt: undefined,
  };

  function panes(url: string): unknown {
    return JSON.parse(new URL(url).searchParams.get('panes') ?? '');
  }

  it('opens Explore on the configured labels the alert has, quoted', () => {
    const links = makeLinks({
      ...LINKS,
      logs: { datasourceUid: 'loki', labels: ['namespace', 'app', 'pod'], grafana: 10 },
    });

    const url = links.logs(query);

    expect(url).toContain('https://grafana.example.com/explore?schemaVersion=1&panes=');
    expect(new URL(url).searchParams.get('orgId')).toBe('1');
    expect(panes(url)).toEqual({
      alc: {
        datasource: 'loki',
        queries: [
          {
            refId: 'A',
            expr: '{namespace="checkout", app="a\\"b\\\\c"}',
            queryType: 'range',
            datasource: { type: 'loki', uid: 'loki' },
          },
        ],
        range: { from: '1772438730000', to: 'now' },
      },
    });
  });

  it('speaks the form of Grafana 8 and 9 when told', () => {
    const links = makeLinks({ ...LINKS, logs: { datasourceUid: 'loki', labels: ['app'], grafana: 9 } });

    const left: unknown = JSON.parse(
      new URL(links.logs({ ...query, endedAt: 1_772_440_000_000 })).searchParams.get('left') ?? '',
    );

    expect(left).toMatchObject({ datasource: 'loki', range: { from: '1772438730000', to: '1772440900000' } });
  });

  it('is none without configuration, without such labels, or without a root', () => {
    const links = makeLinks({ ...LINKS, logs: { datasourceUid: 'loki', labels: ['pod'], grafana: 10 } });

    expect([
      makeLinks(LINKS).logs(query),
      links.logs(query),
      links.logs({ ...query, root: '', names: ['app'] }),
    ]).toEqual(['', '', '']);
  });
});
