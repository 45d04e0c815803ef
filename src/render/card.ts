import type { Button, Card, Dialect, Mentions, Tone } from '../domain/card.ts';
import type { FoldedGroup } from '../domain/fold.ts';
import { utf8Bytes } from '../domain/truncate.ts';
import type { Part } from './card-input.ts';
import type { Context } from './context.ts';
import { type Frame, footLines, headLines } from './frame.ts';
import type { Env } from './helpers.ts';
import { bodyLeaf, PLAIN_LEAF, URL_LEAF } from './leaf.ts';
import { webLink } from './links.ts';
import { plainText } from './plain.ts';
import type { PreparedGroup } from './prepare.ts';
import type { Template } from './template.ts';
import { toButtonText, toTitle } from './text.ts';
import type { ZoneClock } from './time.ts';
import { say, type Words } from './words.ts';

/** What every card of one rung is rendered with. */
export interface Press {
  readonly prepared: PreparedGroup;
  readonly dialect: Dialect;
  readonly zone: ZoneClock;
  readonly frame: Frame;
  readonly mentions: Mentions;
  readonly maxButtons: number;
}

/** Tags a card may carry. */
const MAX_TAGS = 3;

/** A button's link past this is nothing a chat takes. */
const MAX_URL_BYTES = 4_096;

/** A card, and what of it the template left blank. */
export interface Rendered {
  readonly card: Card;
  readonly blank: readonly Part[];
}

/** A card by a template. Throws what the template throws. */
export function renderTemplate(template: Template, context: Context, press: Press): Rendered {
  const env = (leaf: Env['leaf']): Env => envOf(leaf, context, press);
  const plain = env(PLAIN_LEAF);
  const body = tidy(template.body(context, env(bodyLeaf(press.dialect))));
  const title = toTitle(template.title(context, plain));
  const tags = template.tags?.map((tag) => toButtonText(tag(context, plain)));
  const card = {
    title: title === '' ? defaultTitle(context, press.prepared.words) : title,
    tone: givenTone(template.tone?.(context, plain)) ?? toneOf(press.prepared),
    tags: (tags ?? defaultTags(context)).filter((tag) => tag !== '').slice(0, MAX_TAGS),
    body: framed(
      body === '' ? plainText(context, press.dialect, press.zone, press.prepared.words) : body,
      context,
      press,
      '\n\n',
    ),
    buttons: buttonsOf(template, context, env, press.maxButtons),
    mentions: press.mentions,
  };
  return {
    card,
    blank: [...(title === '' ? ['title' as const] : []), ...(body === '' ? ['body' as const] : [])],
  };
}

/** A card by our own code alone: the text rung, and what stands in for templates that fail. */
export function renderPlain(context: Context, press: Press, paragraph: '\n' | '\n\n'): Card {
  const { prepared, dialect, zone } = press;
  return {
    title: toTitle(defaultTitle(context, prepared.words)),
    tone: toneOf(prepared),
    tags: defaultTags(context),
    body: framed(plainText(context, dialect, zone, prepared.words), context, press, paragraph),
    buttons: defaultButtons(context, press),
    mentions: press.mentions,
  };
}

/** Firing by the worst severity, unless what fires is not the whole story. */
export function toneOf({ input, ordered, ranker }: PreparedGroup): Tone {
  const { counts, truncatedAlerts, status }: FoldedGroup = input.group;
  const [worst] = ordered;
  if (worst === undefined) return status === 'firing' ? 'warning' : 'resolved';
  if (counts.firing === 0) return counts.noLongerReported + truncatedAlerts > 0 ? 'mixed' : 'resolved';
  // Nearly every digest holds something resolved: its colour is that of the worst that fires.
  return counts.resolved > 0 && input.digest === undefined ? 'mixed' : ranker.toneOf(worst.alert.labels);
}

/** A colour the template names itself; undefined for none, `auto`, or what cannot be one. */
function givenTone(rendered: string | undefined): Tone | undefined {
  const tone = rendered?.trim() ?? '';
  return tone !== 'auto' && /^[a-z][\w-]{0,29}$/u.test(tone) ? tone : undefined;
}

function defaultTitle({ badge, name, state, isDigest, groupCounts }: Context, words: Words): string {
  if (isDigest) return `[${badge}] ${say(words, 'digest_title', { count: groupCounts.total })}: ${name}`;
  return `[${badge}] ${name}${state === '' ? '' : ` (${state})`}`;
}

function defaultTags({ severity }: Context): readonly string[] {
  const tag = toButtonText(severity);
  return tag === '' ? [] : [tag];
}

export function envOf(leaf: Env['leaf'], context: Context, { prepared, zone }: Press): Env {
  const { input, words, linkMaker, ordered } = prepared;
  const [worst] = ordered;
  return {
    leaf,
    words,
    zone,
    now: context.now,
    inlineImages: input.links.images === 'public' && input.channel.provider === 'dingtalk',
    logs: (names) =>
      linkMaker.logs({
        root: input.group.newest.externalUrl,
        org: input.group.newest.org,
        labels: worst?.alert.labels ?? {},
        names,
        startedAt: worst?.startedAt,
        endedAt: worst?.alert.status === 'resolved' ? worst.alert.endsAt : undefined,
      }),
  };
}

/** Without those whose link is blank or no link at all. */
function buttonsOf(
  template: Template,
  context: Context,
  env: (leaf: Env['leaf']) => Env,
  maxButtons: number,
): readonly Button[] {
  const buttons = template.buttons.flatMap(({ text, url }) => {
    const link = webLink(url(context, env(URL_LEAF)));
    if (link === '' || utf8Bytes(link) > MAX_URL_BYTES) return [];
    return [{ text: toButtonText(text(context, env(PLAIN_LEAF))), url: link }];
  });
  return distinct(buttons.filter(({ text }) => text !== '')).slice(0, maxButtons);
}

/** The same link twice (rule and panel are one in Grafana 7) needs one button. */
function distinct(buttons: readonly Button[]): readonly Button[] {
  return buttons.filter(({ url }, index) => buttons.findIndex((other) => other.url === url) === index);
}

function defaultButtons({ links }: Context, { prepared, maxButtons }: Press): readonly Button[] {
  const { texts } = prepared.words;
  const offered = [
    { text: texts.open_panel, url: links.panel === '' ? links.dashboard : links.panel },
    { text: texts.silence, url: links.silence },
    { text: texts.open_rule, url: links.rule },
    { text: texts.open_runbook, url: links.runbook },
    { text: texts.open_logs, url: links.logs },
  ];
  return distinct(offered.flatMap(({ text = '', url }) => (url === '' ? [] : [{ text, url }]))).slice(
    0,
    maxButtons,
  );
}

function framed(body: string, context: Context, press: Press, paragraph: string): string {
  const leaf = bodyLeaf(press.dialect);
  const { words } = press.prepared;
  const head = headLines(context, press.frame, words, leaf);
  const foot = footLines(context, press.frame, words, leaf);
  return [...head, body, ...foot].join(paragraph);
}

/** Blank lines that conditions leave behind are one. */
function tidy(body: string): string {
  return body.replace(/\n(?:[ \t]*\n){2,}/gu, '\n\n').trim();
}
