import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatMatcher } from '../../src/domain/matcher.ts';
import { Secret } from '../../src/domain/secret.ts';
import { DINGTALK_URL, FEISHU_URL, load, MINIMAL, minimalWith } from './support.ts';

const DAY_MS = 86_400_000;

describe('the least configuration', () => {
  it('takes every default', () => {
    const { settings } = load({ yaml: MINIMAL });

    expect({ ...settings, sources: undefined, channels: undefined }).toEqual({
      server: {
        host: '0.0.0.0',
        port: 9095,
        publicUrl: '',
        adminToken: undefined,
        bodyLimitBytes: 10 * 1024 * 1024,
        drainDelayMs: 5_000,
      },
      store: {
        path: '/srv/data/alertcard.db',
        retention: {
          deliveredMs: 7 * DAY_MS,
          bodiesMs: 3 * DAY_MS,
          deadMs: 30 * DAY_MS,
          maxSizeBytes: 2 * 1024 ** 3,
        },
      },
      defaults: { locale: 'zh-CN', timezone: 'Asia/Shanghai' },
      templatesDir: undefined,
      severity: {
        label: 'severity',
        ranks: [
          { name: 'critical', values: ['critical', 'crit', 'P0', '严重'] },
          { name: 'error', values: ['error', 'high', 'P1'] },
          { name: 'warning', values: ['warning', 'warn', 'P2'] },
          { name: 'info', values: ['info', 'low', 'P3'] },
        ],
      },
      links: { rewrites: [], logs: undefined, images: 'link' },
      egress: { allowHosts: [], allowPrivate: false, proxy: undefined, caFile: '' },
      sources: undefined,
      channels: undefined,
      routes: [],
      mentions: [],
      sandbox: false,
    });
  });

  it('takes every default of a source', () => {
    const { settings } = load({ yaml: MINIMAL });

    expect(settings.sources.get('grafana')).toEqual({
      name: 'grafana',
      auth: {
        kind: 'hmac',
        secrets: [expect.any(Secret)],
        header: 'x-grafana-alerting-signature',
        timestampHeaders: ['x-grafana-alerting-timestamp', 'x-grafana-alerting-signature-timestamp'],
        toleranceMs: 300_000,
      },
      dedupWindowMs: 120_000,
      channels: ['ops'],
      allowChannels: [],
    });
  });

  it('takes every default of a dingtalk channel', () => {
    const { settings } = load({ yaml: MINIMAL });

    expect(settings.channels.get('ops')).toEqual({
      name: 'ops',
      provider: 'dingtalk',
      robots: [{ url: expect.any(Secret), secret: undefined, key: '9071052ead4cd21e' }],
      keyword: '',
      form: 'card',
      template: 'default',
      locale: 'zh-CN',
      timezone: 'Asia/Shanghai',
      sendResolved: true,
      group: 'together',
      mention: { all: false, on: ['firing'] },
      fallback: undefined,
      brokenAfterMs: 120_000,
      lateAfterMs: 300_000,
      giveUpAfterMs: DAY_MS,
      pacing: { perSecond: undefined, perMinute: 18 },
      digestAbove: 6,
    });
  });

  it('starts a feishu channel with the second card form and its own pace', () => {
    const yaml = minimalWith({ 'channels.ops': { provider: 'feishu', robots: [{ url: FEISHU_URL }] } });

    const { settings } = load({ yaml });

    expect(settings.channels.get('ops')).toMatchObject({
      form: 'card2',
      pacing: { perSecond: 4, perMinute: 90 },
    });
  });
});

describe('a full configuration', () => {
  it('is the example, read as written', () => {
    const yaml = readFileSync(resolve(import.meta.dirname, '../../alertcard.example.yaml'), 'utf8');
    const env = {
      GRAFANA_HMAC_SECRET: 'hmac',
      DING_TOKEN: 'd',
      DING_SECRET: 'SECd',
      FEISHU_TOKEN: 'f',
      FEISHU_SECRET: 'fs',
    };

    const { settings, warnings, watchedFiles } = load({ yaml, env });

    const robot = settings.channels.get('ops')?.robots[0];
    expect(robot?.url.reveal()).toBe('https://oapi.dingtalk.com/robot/send?access_token=d');
    expect(robot?.secret?.reveal()).toBe('SECd');
    expect(settings.routes.map(({ matchers }) => matchers.map(formatMatcher))).toEqual([
      ['severity="critical"'],
    ]);
    expect(settings.mentions).toMatchObject([
      {
        dingtalk: { mobiles: ['13800000000'], userIds: [] },
        feishu: { openIds: ['ou_example1'], userIds: [] },
      },
    ]);
    expect(warnings).toEqual([]);
    expect(watchedFiles).toEqual(['/etc/alertcard.yaml']);
  });

  it.each([
    ['server.listen', '[::1]:80', { server: { host: '::1', port: 80 } }],
    ['server.listen', ':9000', { server: { host: '0.0.0.0', port: 9000 } }],
    ['server.public_url', 'https://a.example.com/', { server: { publicUrl: 'https://a.example.com' } }],
    ['server.body_limit', '512KiB', { server: { bodyLimitBytes: 524_288 } }],
    ['server.drain_delay', 0, { server: { drainDelayMs: 0 } }],
    ['store.url', 'sqlite:/var/lib/a.db', { store: { path: '/var/lib/a.db' } }],
    ['store.retention.dead', '90d', { store: { retention: { deadMs: 90 * DAY_MS } } }],
    ['defaults.locale', 'en', { defaults: { locale: 'en' } }],
    ['templates_dir', './templates', { templatesDir: '/srv/templates' }],
    [
      'severity.ranks',
      { worst: ['P0', 1] },
      { severity: { ranks: [{ name: 'worst', values: ['P0', '1'] }] } },
    ],
    [
      'links.rewrites',
      [{ from: 'http://a:3000/', to: 'https://b/' }],
      { links: { rewrites: [{ from: 'http://a:3000', to: 'https://b' }] } },
    ],
    [
      'links.logs',
      { datasource_uid: 'loki', labels: ['app'] },
      { links: { logs: { datasourceUid: 'loki', labels: ['app'], grafana: 10 } } },
    ],
    ['links.images', 'public', { links: { images: 'public' } }],
    ['egress.allow_hosts', ['chat.example.com'], { egress: { allowHosts: ['chat.example.com'] } }],
    ['egress.allow_private', true, { egress: { allowPrivate: true } }],
    ['egress.proxy', 'http://user:pw@proxy:3128', { egress: { proxy: expect.any(Secret) } }],
    ['egress.ca_file', 'ca.pem', { egress: { caFile: '/srv/ca.pem' } }],
  ])('sets %s to %j', (path, value, expected) => {
    const { settings } = load({
      yaml: minimalWith({ [path]: value }),
      files: { '/srv/ca.pem': '' },
    });

    expect(settings).toMatchObject(expected);
  });

  it.each([
    ['form', 'markdown', { form: 'markdown' }],
    ['keyword', '告警', { keyword: '告警' }],
    ['template', 'my-team', { template: 'my-team' }],
    ['locale', 'en', { locale: 'en' }],
    ['timezone', 'UTC', { timezone: 'UTC' }],
    ['send_resolved', false, { sendResolved: false }],
    ['group', 'each', { group: 'each' }],
    [
      'mention',
      { all: true, on: ['firing', 'reminder'] },
      { mention: { all: true, on: ['firing', 'reminder'] } },
    ],
    ['mention', { on: [] }, { mention: { all: false, on: [] } }],
    ['broken_after', '90s', { brokenAfterMs: 90_000 }],
    ['late_after', '1.5m', { lateAfterMs: 90_000 }],
    ['give_up_after', '2h', { giveUpAfterMs: 7_200_000 }],
    ['pacing', { per_minute: 0 }, { pacing: { perSecond: undefined, perMinute: 0 } }],
    ['pacing', { per_second: 2 }, { pacing: { perSecond: 2, perMinute: 18 } }],
    ['digest', { above: 10 }, { digestAbove: 10 }],
  ])('sets %s of a channel to %j', (key, value, expected) => {
    const { settings } = load({ yaml: minimalWith({ [`channels.ops.${key}`]: value }) });

    expect(settings.channels.get('ops')).toMatchObject(expected);
  });

  it.each([
    [{ bearer: { secrets: ['t'] } }, { kind: 'bearer', secrets: [expect.any(Secret)] }],
    [{ basic: { secrets: ['user:pa:ss'] } }, { kind: 'basic', secrets: [expect.any(Secret)] }],
    ['none', { kind: 'none' }],
    [{ none: true }, { kind: 'none' }],
    [{ none: {} }, { kind: 'none' }],
    [{ none: null }, { kind: 'none' }],
    [
      { hmac: { secrets: ['a', 'b'], header: 'X-Sig', timestamp_header: '', tolerance: '1m' } },
      { kind: 'hmac', header: 'x-sig', timestampHeaders: [], toleranceMs: 60_000 },
    ],
    [{ hmac: { secrets: ['a'], timestamp_header: 'X-Ts' } }, { kind: 'hmac', timestampHeaders: ['x-ts'] }],
  ])('reads the authentication %j', (auth, expected) => {
    const { settings } = load({ yaml: minimalWith({ 'sources.grafana.auth': auth }) });

    expect(settings.sources.get('grafana')?.auth).toMatchObject(expected);
  });

  it('follows anchors and merge keys', () => {
    const yaml = `${MINIMAL.replace('channels: [ops]', 'channels: [ops, two]')}    keyword: &word alert
  two:
    <<: { template: shared }
    provider: dingtalk
    robots: [{ url: "${DINGTALK_URL}" }]
    keyword: *word
`;

    const { settings } = load({ yaml });

    expect(settings.channels.get('two')).toMatchObject({ template: 'shared', keyword: 'alert' });
  });

  it('prints no secret in any form', () => {
    const yaml = minimalWith({
      'server.admin_token': 'canary-admin',
      'egress.proxy': 'http://u:canary-proxy@p:1',
      'sources.grafana.auth': { basic: { secrets: ['u:canary-basic'] } },
      'channels.ops.robots': [{ url: `${DINGTALK_URL}canary-url`, secret: 'canary-robot' }],
    });

    const { settings } = load({ yaml });

    const printed = JSON.stringify([
      settings,
      [...settings.sources.values()],
      [...settings.channels.values()],
    ]);
    expect(printed).toContain('[redacted]');
    expect(printed).not.toContain('canary');
  });
});
