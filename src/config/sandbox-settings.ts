import { Secret } from '../domain/secret.ts';
import type { ChannelSettings, ProviderName, Settings } from '../domain/settings.ts';
import { build } from './build.ts';
import { ConfigError } from './problems.ts';
import { toRobot } from './to-settings.ts';

export interface SandboxRequest {
  /** The configuration to try out; undefined: source `grafana`, channels `dingtalk` and `feishu`. */
  readonly base: Settings | undefined;
  /** The look-alike robot that stands in for a channel's own. */
  readonly robotFor: (
    channel: string,
    provider: ProviderName,
  ) => { readonly url: string; readonly secret: string };
  /** Secret of source `grafana`, where there is no base. */
  readonly hmacSecret: string;
  /** `host:port`, where there is no base. */
  readonly listen?: string;
  /** Where the sandbox keeps its own inbox: never the real one. */
  readonly storePath: string;
  readonly cwd: string;
}

/** Settings in which every robot is a look-alike on loopback, and nothing else can be called. */
export function sandboxSettings(request: SandboxRequest): Settings {
  const base = request.base ?? defaultSettings(request);
  const channels = [...base.channels.values()].map((channel): [string, ChannelSettings] => {
    const { url, secret } = request.robotFor(channel.name, channel.provider);
    return [channel.name, { ...channel, robots: [toRobot(url, new Secret(secret))] }];
  });
  return {
    ...base,
    store: { ...base.store, path: request.storePath },
    egress: { allowHosts: [], allowPrivate: true, proxy: undefined, caFile: '' },
    channels: new Map(channels),
    sandbox: true,
  };
}

function defaultSettings({ robotFor, hmacSecret, listen, cwd }: SandboxRequest): Settings {
  const channel = (provider: ProviderName, fallback: ProviderName) => ({
    provider,
    robots: [{ url: robotFor(provider, provider).url }],
    fallback,
  });
  const tree = {
    server: listen === undefined ? {} : { listen },
    sources: { grafana: { auth: { hmac: { secrets: [hmacSecret] } }, channels: ['dingtalk', 'feishu'] } },
    channels: { dingtalk: channel('dingtalk', 'feishu'), feishu: channel('feishu', 'dingtalk') },
  };
  const { settings, issues } = build(tree, cwd, undefined);
  if (settings !== undefined) return settings;
  throw new ConfigError(issues.map(({ message }) => ({ origin: 'sandbox', path: '', message })));
}
