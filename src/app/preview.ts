import { providerOf } from '../channels/registry.ts';
import type { PreviewedMessage, PreviewInput } from '../domain/preview.ts';
import { type ChannelSettings, LADDERS, PROVIDER_NAMES, type ProviderName } from '../domain/settings.ts';
import { mentionsFor } from '../route/mention.ts';
import type { Live } from './live.ts';
import { groupOfOne } from './one-group.ts';

/** The messages a template makes of a payload, by the very code that makes live ones; nothing is sent. */
export function previewMessages(live: Live, input: PreviewInput, now: number): readonly PreviewedMessage[] {
  const providers = input.provider === undefined ? PROVIDER_NAMES : [input.provider];
  return providers.map((provider) => preview(live, input, provider, now));
}

function preview(live: Live, input: PreviewInput, providerName: ProviderName, now: number): PreviewedMessage {
  const channel = channelFor(live, providerName, input.template);
  const provider = providerOf(providerName);
  const [first = 'preview'] = live.settings.sources.keys();
  const { source, format } = input.stored ?? { source: first, format: undefined };
  const body = Buffer.from(input.payload);
  const group = groupOfOne({ body, source, format, receivedAt: now });
  const composed = live.compose({
    group,
    channel,
    rung: channel.form,
    marks: { late: undefined, isReplay: false, isPossibleRepeat: false, deaths: 0 },
    mentions: mentionsFor(group, channel, live.settings.mentions, provider.limits.maxMentions),
    target: provider,
    isSigned: true,
    now,
  });
  const broken = live.templates.find(providerName, input.template, channel.locale)?.broken;
  return {
    provider: providerName,
    rung: composed.message.rung,
    message: composed.message.json,
    bytes: composed.bytes,
    shown: composed.shown,
    omitted: composed.omitted,
    warnings: [broken, composed.failed].flatMap((problem) =>
      problem === undefined ? [] : [problem.message],
    ),
  };
}

/** A configured channel of that provider lends its locale, zone, keyword and mentions; else the defaults do. */
function channelFor({ settings }: Live, provider: ProviderName, template: string): ChannelSettings {
  const channels = [...settings.channels.values()].filter((channel) => channel.provider === provider);
  const found = channels.find((channel) => channel.template === template) ?? channels[0];
  const { locale, timezone } = settings.defaults;
  return { ...BLANK, locale, timezone, provider, form: LADDERS[provider][0] ?? 'text', ...found, template };
}

const BLANK: Omit<ChannelSettings, 'provider' | 'form' | 'template' | 'locale' | 'timezone'> = {
  name: 'preview',
  robots: [],
  keyword: '',
  sendResolved: true,
  group: 'together',
  mention: { all: false, on: ['firing'] },
  fallback: undefined,
  brokenAfterMs: 0,
  lateAfterMs: 0,
  giveUpAfterMs: 0,
  pacing: { perSecond: undefined, perMinute: 0 },
  digestAbove: 0,
};
