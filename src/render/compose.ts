import type { Card } from '../domain/card.ts';
import { readNotice } from '../domain/notice.ts';
import { type ChannelSettings, LADDERS, type Rung } from '../domain/settings.ts';
import {
  type CardInput,
  type CardRequest,
  type CardSettings,
  type ComposedCard,
  encodeCard,
} from './card-input.ts';
import { composeAlerts } from './compose-alerts.ts';
import type { Frame } from './frame.ts';
import { noticeCard } from './notice-card.ts';
import { bareCard, stubCard, unreadableCard } from './own-card.ts';
import { type PreparedGroup, prepareGroup } from './prepare.ts';
import { makeZoneClock, type ZoneClock } from './time.ts';
import { wordsOf } from './words.ts';

/** How much of a text nobody could read is shown, tried in this order; bytes. */
const UNREADABLE_LIMITS = [16_384, 12_000, 9_000, 6_000, 4_000, 2_500, 1_500, 800, 300] as const;

/**
 * Makes the function that renders, fits and encodes one card. It is total: a template that fails gives
 * way to the built-in one and then to our plain card, a card that does not fit to a lower rung, and
 * the bare rung always fits.
 */
export function makeComposer(settings: CardSettings): (request: CardRequest) => ComposedCard {
  const zones = new Map<string, ZoneClock>();
  return (request) => {
    const { timezone } = request.channel;
    const zone = zones.get(timezone) ?? makeZoneClock(timezone);
    zones.set(timezone, zone);
    return compose({ ...settings, ...request, zone });
  };
}

function compose(input: CardInput): ComposedCard {
  const prepared = prepareGroup(input);
  for (const rung of rungsFrom(input.rung, input.channel)) {
    const composed = composeRung({ ...input, rung }, prepared);
    if (composed !== undefined) return composed;
  }
  return composeBare({ ...input, rung: 'bare' }, prepared);
}

/** The rung wanted, then the one made by our own code alone. */
function rungsFrom(rung: Rung, { provider }: ChannelSettings): readonly Rung[] {
  const below = LADDERS[provider].slice(LADDERS[provider].indexOf(rung) + 1);
  return rung === 'bare' ? [] : [rung, ...below.filter((each) => each === 'text')];
}

function composeRung(input: CardInput, prepared: PreparedGroup): ComposedCard | undefined {
  switch (input.group.newest.format) {
    case 'grafana':
    case 'alertmanager':
    case 'legacy':
      return composeAlerts(input, prepared);
    case 'unreadable':
      return composeUnreadable(input);
    case 'stub':
    case 'notice':
      return within(input, ownCard(input), 'own');
  }
}

function composeUnreadable(input: CardInput): ComposedCard | undefined {
  const { group, channel, target, rung, mentions } = input;
  for (const maxTextBytes of UNREADABLE_LIMITS) {
    const words = wordsOf(channel.locale);
    const card = unreadableCard(group, words, target.dialect(rung), frameOf(input), mentions, maxTextBytes);
    const composed = within(input, card, 'unreadable');
    if (composed !== undefined) return composed;
  }
  return undefined;
}

/** Of alerts and unreadable notifications nothing that came in; notices and stubs are our own words anyway. */
function composeBare(input: CardInput, prepared: PreparedGroup): ComposedCard {
  const { format } = input.group.newest;
  const isOwn = format === 'notice' || format === 'stub';
  const card = isOwn ? ownCard(input) : bareCard(prepared, frameOf(input), input.mentions);
  return {
    ...encodeCard(card, input),
    shown: 0,
    omitted: input.group.counts.total,
    template: 'bare',
    failed: undefined,
  };
}

function ownCard(input: CardInput): Card {
  const { group, channel, target, rung, mentions, zone } = input;
  const words = wordsOf(channel.locale);
  const dialect = target.dialect(rung);
  if (group.newest.format === 'stub') return stubCard(group, words, dialect, frameOf(input), mentions);
  const frame = frameOf(input);
  return noticeCard(readNotice(group.newest.text), {
    words,
    zone,
    dialect,
    frame,
    mentions,
    isBare: rung === 'bare',
  });
}

function within(input: CardInput, card: Card, template: string): ComposedCard | undefined {
  const encoded = encodeCard(card, input);
  if (encoded.bytes > input.target.limits.maxRequestBytes) return undefined;
  return { ...encoded, shown: 0, omitted: 0, template, failed: undefined };
}

function frameOf({ isSandbox, publicUrl, marks }: CardInput): Frame {
  return { isSandbox, broken: undefined, publicUrl, marks };
}
