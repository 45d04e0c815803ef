import type { ChannelSettings, Settings, SourceSettings } from '../domain/settings.ts';

/** What is allowed but leaves a gap that somebody should know of, in one sentence each. */
export function settingsWarnings(settings: Settings): string[] {
  const used = new Set(
    [...settings.sources.values(), ...settings.routes].flatMap(({ channels }) => channels),
  );
  return [
    ...[...settings.sources.values()].flatMap(sourceWarnings),
    ...[...settings.channels.values()].flatMap((channel) => channelWarnings(channel, settings)),
    ...[...settings.channels.keys()]
      .filter((name) => !used.has(name) && !isFallback(name, settings))
      .map(
        (name) => `channel ${name}: no source and no route leads to it; only /hooks/{source}/${name} does`,
      ),
  ];
}

function sourceWarnings({ name, auth }: SourceSettings): string[] {
  if (auth.kind === 'none') return [`source ${name}: auth is none, so anyone who reaches the port may post`];
  if (auth.kind !== 'hmac')
    return [
      `source ${name}: no timestamp with auth ${auth.kind}, so a request that was overheard can be repeated`,
    ];
  if (auth.timestampHeaders.length > 0) return [];
  return [`source ${name}: no timestamp header, so a request that was overheard can be repeated`];
}

function channelWarnings(channel: ChannelSettings, settings: Settings): string[] {
  const warnings: string[] = [];
  if (channel.fallback === undefined)
    warnings.push(`channel ${channel.name}: no fallback, so nobody hears of it in a chat when it is broken`);
  if (channel.pacing.perMinute === 0)
    warnings.push(`channel ${channel.name}: pacing is off, so the vendor may mute its robots`);
  if (channel.provider === 'dingtalk' && channel.form === 'card' && mentionsAnyone(channel, settings))
    warnings.push(
      `channel ${channel.name}: DingTalk promises mentions in markdown and text only; use form: markdown where people must be called`,
    );
  return warnings;
}

function mentionsAnyone(channel: ChannelSettings, { mentions, routes }: Settings): boolean {
  if (channel.mention.on.length === 0) return false;
  return (
    channel.mention.all ||
    routes.some((route) => route.mentionAll && route.channels.includes(channel.name)) ||
    mentions.some(({ dingtalk }) => dingtalk.mobiles.length + dingtalk.userIds.length > 0)
  );
}

function isFallback(name: string, { channels }: Settings): boolean {
  return [...channels.values()].some(({ fallback }) => fallback === name);
}
