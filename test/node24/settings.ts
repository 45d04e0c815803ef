import { createHash } from 'node:crypto';
import { Secret } from '../../src/domain/secret.ts';
import type { ChannelSettings, ProviderName, Settings } from '../../src/domain/settings.ts';

export const HMAC_SECRET = 'node24-hmac-secret';

export interface RobotExample {
  readonly provider: ProviderName;
  readonly url: string;
  readonly secret: string;
}

/** Settings as a configuration file with these robots would give them: one channel each, default egress rules. */
export function settingsWith(robots: Readonly<Record<string, RobotExample>>, folder: string): Settings {
  const channels = Object.entries(robots).map(([name, robot]) => channelOf(name, robot));
  return {
    server: {
      host: '127.0.0.1',
      port: 0,
      publicUrl: '',
      adminToken: new Secret('node24-admin-token'),
      bodyLimitBytes: 10 * 1024 * 1024,
      drainDelayMs: 0,
    },
    store: {
      path: `${folder}/alertcard.db`,
      retention: { deliveredMs: 6e8, bodiesMs: 6e8, deadMs: 6e8, maxSizeBytes: 2 ** 31 },
    },
    defaults: { locale: 'zh-CN', timezone: 'Asia/Shanghai' },
    templatesDir: undefined,
    severity: { label: 'severity', ranks: [{ name: 'critical', values: ['critical'] }] },
    links: { rewrites: [], logs: undefined, images: 'link' },
    egress: { allowHosts: [], allowPrivate: false, proxy: undefined, caFile: '' },
    sources: new Map([['grafana', grafanaSource(channels.map(({ name }) => name))]]),
    channels: new Map(channels.map((channel) => [channel.name, channel])),
    routes: [],
    mentions: [],
    sandbox: false,
  };
}

function grafanaSource(channels: readonly string[]) {
  return {
    name: 'grafana',
    auth: {
      kind: 'hmac' as const,
      secrets: [new Secret(HMAC_SECRET)],
      header: 'x-grafana-alerting-signature',
      timestampHeaders: ['x-grafana-alerting-timestamp'],
      toleranceMs: 300_000,
    },
    dedupWindowMs: 120_000,
    channels,
    allowChannels: [],
  };
}

function channelOf(name: string, robot: RobotExample): ChannelSettings {
  return {
    name,
    provider: robot.provider,
    robots: [
      {
        url: new Secret(robot.url),
        secret: new Secret(robot.secret),
        key: createHash('sha256').update(robot.url).digest('hex').slice(0, 16),
      },
    ],
    keyword: '',
    form: robot.provider === 'dingtalk' ? 'card' : 'card2',
    template: 'default',
    locale: 'zh-CN',
    timezone: 'Asia/Shanghai',
    sendResolved: true,
    group: 'together',
    mention: { all: false, on: ['firing'] },
    fallback: undefined,
    brokenAfterMs: 120_000,
    lateAfterMs: 300_000,
    giveUpAfterMs: 86_400_000,
    pacing: { perSecond: undefined, perMinute: 0 },
    digestAbove: 6,
  };
}
