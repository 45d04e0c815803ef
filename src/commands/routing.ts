import { formatMatcher } from '../domain/matcher.ts';
import type { Settings, SourceAuth } from '../domain/settings.ts';
import { cell, table } from './table.ts';

/** The resolved routing for programs. */
export function routingView(settings: Settings) {
  return {
    sources: [...settings.sources.values()].map((source) => ({
      name: source.name,
      auth: source.auth.kind,
      has_timestamp: hasTimestamp(source.auth),
      channels: source.channels,
      allow_channels: source.allowChannels,
    })),
    channels: [...settings.channels.values()].map((channel) => ({
      name: channel.name,
      provider: channel.provider,
      robots: channel.robots.length,
      form: channel.form,
      template: channel.template,
      fallback: channel.fallback ?? null,
    })),
    routes: settings.routes.map((route) => ({
      match: route.matchers.map(formatMatcher),
      channels: route.channels,
      mention_all: route.mentionAll,
      continue: route.continue,
    })),
  };
}

/** The resolved routing for people, in the order an alert meets it. */
export function describeRouting(settings: Settings): string {
  const view = routingView(settings);
  const sources = view.sources.map((source) => [
    source.name,
    source.auth,
    source.has_timestamp ? 'yes' : 'no',
    source.channels.join(', '),
  ]);
  const routes = view.routes.map((route, index) => [
    String(index + 1),
    route.match.join(', ') || 'every alert',
    route.channels.join(', '),
    route.mention_all ? 'everyone' : '-',
    route.continue ? 'next route' : 'stop',
  ]);
  const channels = view.channels.map((channel) => [
    channel.name,
    channel.provider,
    String(channel.robots),
    channel.form,
    channel.template,
    cell(channel.fallback),
  ]);
  return [
    table(['SOURCE', 'AUTH', 'TIMESTAMP', 'DEFAULT CHANNELS'], sources),
    table(
      ['ROUTE', 'MATCH', 'CHANNELS', 'MENTIONS', 'THEN'],
      [...routes, ['-', 'no route matched', "the source's default channels", '-', 'stop']],
    ),
    table(['CHANNEL', 'PROVIDER', 'ROBOTS', 'FORM', 'TEMPLATE', 'FALLBACK'], channels),
  ]
    .map((text) => `${text}\n`)
    .join('');
}

function hasTimestamp(auth: SourceAuth): boolean {
  return auth.kind === 'hmac' && auth.timestampHeaders.length > 0;
}
