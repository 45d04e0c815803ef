import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { Secret } from '../domain/secret.ts';
import type {
  ChannelSettings,
  EgressSettings,
  LinkSettings,
  MentionRule,
  Pacing,
  RobotSettings,
  RouteSettings,
  ServerSettings,
  Settings,
  SourceAuth,
  SourceSettings,
  StoreSettings,
} from '../domain/settings.ts';
import { CHANNEL_RULES } from './providers.ts';
import type { Config } from './schema.ts';

/** 64 bits: enough that two robots never share a name, short enough to read in a log line. */
const ROBOT_KEY_DIGITS = 16;

type ChannelConfig = Config['channels'][string];
type SourceConfig = Config['sources'][string];

/** Turns a checked configuration into what the program reads. Relative paths start at `cwd`. */
export function toSettings(config: Config, cwd: string): Settings {
  return {
    server: toServer(config.server),
    store: toStore(config.store, cwd),
    defaults: config.defaults,
    templatesDir: config.templates_dir === '' ? undefined : resolve(cwd, config.templates_dir),
    severity: {
      label: config.severity.label,
      ranks: Object.entries(config.severity.ranks).map(([name, values]) => ({ name, values })),
    },
    links: toLinks(config.links),
    egress: toEgress(config.egress, cwd),
    sources: new Map(Object.entries(config.sources).map(([name, source]) => [name, toSource(name, source)])),
    channels: new Map(
      Object.entries(config.channels).map(([name, channel]) => [name, toChannel(name, channel, config)]),
    ),
    routes: config.routes.map(toRoute),
    mentions: config.mentions.map(toMentionRule),
    sandbox: false,
  };
}

function toServer(server: Config['server']): ServerSettings {
  return {
    host: server.listen.host,
    port: server.listen.port,
    publicUrl: server.public_url,
    adminToken: server.admin_token,
    bodyLimitBytes: server.body_limit,
    drainDelayMs: server.drain_delay,
  };
}

function toStore({ url, retention }: Config['store'], cwd: string): StoreSettings {
  return {
    path: resolve(cwd, url.slice('sqlite:'.length)),
    retention: {
      deliveredMs: retention.delivered,
      bodiesMs: retention.bodies,
      deadMs: retention.dead,
      maxSizeBytes: retention.max_size,
    },
  };
}

function toRoute(route: Config['routes'][number]): RouteSettings {
  return {
    matchers: route.match,
    channels: route.channels,
    mentionAll: route.mention.all,
    continue: route.continue,
  };
}

function toMentionRule({ match, dingtalk, feishu }: Config['mentions'][number]): MentionRule {
  return {
    matchers: match,
    dingtalk: { mobiles: dingtalk.mobiles, userIds: dingtalk.user_ids },
    feishu: { openIds: feishu.open_ids, userIds: feishu.user_ids },
  };
}

function toLinks({ rewrites, logs, images }: Config['links']): LinkSettings {
  return {
    rewrites,
    logs: logs && { datasourceUid: logs.datasource_uid, labels: logs.labels, grafana: logs.grafana },
    images,
  };
}

export function toEgress(egress: Config['egress'], cwd: string): EgressSettings {
  return {
    allowHosts: egress.allow_hosts,
    allowPrivate: egress.allow_private,
    proxy: egress.proxy === '' ? undefined : egress.proxy,
    caFile: egress.ca_file === '' ? '' : resolve(cwd, egress.ca_file),
  };
}

function toSource(name: string, source: SourceConfig): SourceSettings {
  return {
    name,
    auth: toAuth(source.auth),
    dedupWindowMs: source.dedup_window,
    channels: source.channels,
    allowChannels: source.allow_channels,
  };
}

function toAuth({ hmac, bearer, basic }: SourceConfig['auth']): SourceAuth {
  if (bearer !== undefined) return { kind: 'bearer', secrets: bearer.secrets };
  if (basic !== undefined) return { kind: 'basic', secrets: basic.secrets };
  if (hmac === undefined) return { kind: 'none' };
  return {
    kind: 'hmac',
    secrets: hmac.secrets,
    header: hmac.header,
    timestampHeaders: hmac.timestamp_header,
    toleranceMs: hmac.tolerance,
  };
}

function toChannel(name: string, channel: ChannelConfig, { defaults }: Config): ChannelSettings {
  const { defaultForm, defaultPacing } = CHANNEL_RULES[channel.provider];
  return {
    name,
    provider: channel.provider,
    robots: channel.robots.map(({ url, secret }) => toRobot(url, secret)),
    keyword: channel.keyword,
    form: channel.form ?? defaultForm,
    template: channel.template,
    locale: channel.locale ?? defaults.locale,
    timezone: channel.timezone ?? defaults.timezone,
    sendResolved: channel.send_resolved,
    group: channel.group,
    mention: channel.mention,
    fallback: channel.fallback,
    brokenAfterMs: channel.broken_after,
    lateAfterMs: channel.late_after,
    giveUpAfterMs: channel.give_up_after,
    pacing: toPacing(channel.pacing, defaultPacing),
    digestAbove: channel.digest.above,
  };
}

/** A robot with the name it bears in the store, in logs and in pacing: a hash of its URL. */
export function toRobot(url: string, secret: Secret | undefined): RobotSettings {
  const key = createHash('sha256').update(url).digest('hex').slice(0, ROBOT_KEY_DIGITS);
  return { url: new Secret(url), secret, key };
}

function toPacing(pacing: ChannelConfig['pacing'], fallback: Pacing): Pacing {
  const perSecond = pacing.per_second ?? fallback.perSecond;
  return {
    perSecond: perSecond === 0 ? undefined : perSecond,
    perMinute: pacing.per_minute ?? fallback.perMinute,
  };
}
