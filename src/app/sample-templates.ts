import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { providerOf } from '../channels/registry.ts';
import type { SampleReport } from '../commands/context.ts';
import { NO_MENTIONS } from '../domain/card.ts';
import type { ChannelSettings, Settings } from '../domain/settings.ts';
import type { ComposedCard } from '../render/card-input.ts';
import { BUILT_IN_TEMPLATES, buildLive, type Live } from './live.ts';
import { groupOfOne } from './one-group.ts';

/** Names written out before the rest is only counted. */
const MAX_NAMES = 3;

interface Sample {
  readonly name: string;
  readonly body: Uint8Array;
}

/** Something a sample showed about a template. */
interface Finding {
  readonly level: 'problem' | 'warning';
  readonly text: string;
}

/**
 * Renders each template that a channel names, in that channel's language and form, with each body in
 * `templates/samples`: what Grafana, Alertmanager and Grafana 7 send for every kind of group.
 */
export function sampleTemplates(settings: Settings, now: number): SampleReport {
  const live = buildLive(settings);
  const samples = readSamples(join(BUILT_IN_TEMPLATES, 'samples'));
  const channels = distinct([...settings.channels.values()]);
  const found = channels.flatMap((channel) => findingsOf(live, channel, samples, now));
  const texts = (level: Finding['level']): readonly string[] =>
    found.flatMap((finding) => (finding.level === level ? [finding.text] : []));
  return {
    templates: channels.length,
    samples: samples.length,
    problems: texts('problem'),
    warnings: texts('warning'),
  };
}

function readSamples(directory: string): readonly Sample[] {
  return readdirSync(directory)
    .sort()
    .map((file) => ({ name: basename(file, '.json'), body: readFileSync(join(directory, file)) }));
}

/** Channels that render alike are tried once. */
function distinct(channels: readonly ChannelSettings[]): readonly ChannelSettings[] {
  const byWay = new Map(channels.map((channel) => [`${titleOf(channel)} ${channel.form}`, channel]));
  return [...byWay.values()];
}

function titleOf({ provider, template, locale }: ChannelSettings): string {
  return `${provider}/${template} (${locale})`;
}

function findingsOf(
  live: Live,
  channel: ChannelSettings,
  samples: readonly Sample[],
  now: number,
): readonly Finding[] {
  const seen = new Map<string, { level: Finding['level']; names: string[] }>();
  for (const { name, body } of samples) {
    for (const { level, text } of judge(render(live, channel, body, now), channel)) {
      const one = seen.get(text) ?? { level, names: [] };
      one.names.push(name);
      seen.set(text, one);
    }
  }
  return [...seen].map(([text, { level, names }]) => ({
    level,
    text: `${titleOf(channel)} with ${listed(names)}: ${text}`,
  }));
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ');
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more samples` : shown;
}

function render(live: Live, channel: ChannelSettings, body: Uint8Array, now: number): ComposedCard {
  return live.compose({
    group: groupOfOne({ body, source: 'check', format: undefined, receivedAt: now }),
    channel,
    rung: channel.form,
    marks: { late: undefined, isReplay: false, isPossibleRepeat: false, deaths: 0 },
    mentions: NO_MENTIONS,
    target: providerOf(channel.provider),
    isSigned: true,
    now,
  });
}

function judge({ failed, blank, message }: ComposedCard, { form }: ChannelSettings): readonly Finding[] {
  return [
    ...(failed === undefined ? [] : [{ level: 'problem' as const, text: failed.message }]),
    ...blank.map((part) => ({
      level: 'warning' as const,
      text: `the ${part} comes out blank, our own words stand in for it`,
    })),
    ...(message.rung === form
      ? []
      : [
          {
            level: 'warning' as const,
            text: `not even one alert fits the form ${form}: it goes out as ${message.rung}`,
          },
        ]),
  ];
}
