import type { Button, Card, Mentions, Message } from '../../domain/card.ts';
import type { Rung } from '../../domain/settings.ts';
import { cleanText, oneLine, webUrl } from '../text.ts';
import { dialectOf, openInBrowser } from './dialect.ts';
import { MAX_BUTTON_CHARS, MAX_BUTTONS, MAX_MENTIONS, MAX_TITLE_CHARS } from './limits.ts';

/** DingTalk has no card colours: the tone is a mark before the title. Colour names are what a template may give. */
const MARKS: Readonly<Record<string, string>> = {
  critical: '🔴',
  error: '🟠',
  warning: '🟡',
  info: '🔵',
  resolved: '🟢',
  mixed: '🟠',
  red: '🔴',
  orange: '🟠',
  yellow: '🟡',
  blue: '🔵',
  green: '🟢',
  purple: '🟣',
  grey: '⚪',
};

/**
 * Builds the message of a rung. Only text and markdown messages can mention, so a card that mentions
 * someone, or has no button to press, goes out as markdown.
 * https://open.dingtalk.com/document/development/robot-message-type
 */
export function encode(card: Card, rung: Rung, keyword: string): Message {
  const title = titleOf(card, keyword);
  if (rung === 'text' || rung === 'bare') return { rung, json: textMessage(card, rung, title, keyword) };
  const buttons = buttonsOf(card);
  const isMarkdown = rung === 'markdown' || buttons.length === 0 || isMentioning(card.mentions);
  const json = isMarkdown
    ? markdownMessage(card, buttons, title, keyword)
    : actionCardMessage(card, buttons, title, keyword);
  return { rung, json };
}

function actionCardMessage(
  card: Card,
  buttons: readonly Button[],
  title: string,
  keyword: string,
): Message['json'] {
  return {
    msgtype: 'actionCard',
    actionCard: {
      title,
      text: withKeyword(paragraphs(headingOf(title, card), card.body), keyword),
      btnOrientation: '0',
      // Also for a single one: with singleURL the whole card is one link, over the links in its text.
      btns: buttons.map(({ text, url }) => ({ title: text, actionURL: openInBrowser(url) })),
    },
  };
}

function markdownMessage(
  card: Card,
  buttons: readonly Button[],
  title: string,
  keyword: string,
): Message['json'] {
  const links = buttons.map(({ text, url }) => dialectOf('markdown').link(text, url)).join(' | ');
  const text = paragraphs(headingOf(title, card), card.body, links, markersOf(card.mentions));
  return {
    msgtype: 'markdown',
    markdown: { title, text: withKeyword(text, keyword) },
    ...atOf(card.mentions),
  };
}

function textMessage(card: Card, rung: Rung, title: string, keyword: string): Message['json'] {
  const dialect = dialectOf('text');
  const buttons = rung === 'bare' ? [] : buttonsOf(card);
  const links = buttons.map(({ text, url }) => dialect.link(text, url)).join('\n');
  const content = paragraphs(
    dialect.escape(withTags(title, card)),
    card.body,
    links,
    markersOf(card.mentions),
  );
  return { msgtype: 'text', text: { content: withKeyword(content, keyword) }, ...atOf(card.mentions) };
}

/** Never blank, with the tone's mark (unless the template put a picture there itself) and the keyword. */
function titleOf(card: Card, keyword: string): string {
  const given = oneLine(card.title, MAX_TITLE_CHARS);
  const title = given === '' ? oneLine(card.body, MAX_TITLE_CHARS) : given;
  const said = title.includes(keyword) ? title : `${keyword} ${title}`;
  const mark = /^\p{Extended_Pictographic}/u.test(title) ? undefined : MARKS[card.tone];
  return mark === undefined ? said : `${mark} ${said}`;
}

/** The title again: the chat shows `title` in the list of chats only, not in the message. */
function headingOf(title: string, card: Card): string {
  return `### ${dialectOf('markdown').escape(withTags(title, card))}`;
}

/** DingTalk has no tags: they end the heading. */
function withTags(title: string, { tags }: Card): string {
  const texts = tags.map((tag) => oneLine(tag, MAX_BUTTON_CHARS));
  return [title, ...texts.filter((text) => text !== '')].join(' · ');
}

export function withKeyword(text: string, keyword: string): string {
  return text.includes(keyword) ? text : paragraphs(keyword, text);
}

export function paragraphs(...parts: readonly string[]): string {
  return parts.filter((part) => part.trim() !== '').join('\n\n');
}

function buttonsOf(card: Card): readonly Button[] {
  const buttons = card.buttons.flatMap(({ text, url }) => {
    const target = webUrl(url);
    if (target === undefined) return [];
    const label = oneLine(text, MAX_BUTTON_CHARS);
    return [{ text: label === '' ? new URL(target).hostname : label, url: target }];
  });
  return buttons.slice(0, MAX_BUTTONS);
}

export function isMentioning(mentions: Mentions): boolean {
  return mentions.all || mentions.mobiles.length + mentions.userIds.length > 0;
}

function mentionedOf(mentions: Mentions): {
  readonly mobiles: readonly string[];
  readonly userIds: readonly string[];
} {
  const mobiles = mentions.mobiles.slice(0, MAX_MENTIONS);
  return { mobiles, userIds: mentions.userIds.slice(0, MAX_MENTIONS - mobiles.length) };
}

/** The markers without which `at` has no effect, as the last paragraph; everyone needs none. */
export function markersOf(mentions: Mentions): string {
  const { mobiles, userIds } = mentionedOf(mentions);
  return [...mobiles, ...userIds].map((id) => `@${cleanText(id)}`).join(' ');
}

export function atOf(mentions: Mentions): Message['json'] {
  if (!isMentioning(mentions)) return {};
  const { mobiles, userIds } = mentionedOf(mentions);
  return { at: { atMobiles: mobiles, atUserIds: userIds, isAtAll: mentions.all } };
}
