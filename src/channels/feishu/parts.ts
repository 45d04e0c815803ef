import type { Button, Card, Mentions } from '../../domain/card.ts';
import { oneLine, webUrl } from '../text.ts';
import {
  MAX_BUTTON_CHARS,
  MAX_BUTTONS,
  MAX_MENTIONS,
  MAX_TAG_CHARS,
  MAX_TAGS,
  MAX_TITLE_CHARS,
} from './limits.ts';

/** Never blank, and with the keyword: the bot looks for it in titles and texts. */
export function titleOf(card: Card, keyword: string): string {
  const given = oneLine(card.title, MAX_TITLE_CHARS);
  const title = given === '' ? oneLine(card.body, MAX_TITLE_CHARS) : given;
  return title.includes(keyword) ? title : `${keyword} ${title}`;
}

/** The text with the keyword as its first line when it does not hold it. */
export function withKeyword(text: string, keyword: string): string {
  return text.includes(keyword) ? text : `${keyword}\n${text}`;
}

/** Buttons that lead somewhere, each with a text. */
export function buttonsOf(card: Card): readonly Button[] {
  const buttons = card.buttons.flatMap(({ text, url }) => {
    const target = webUrl(url);
    if (target === undefined) return [];
    const label = oneLine(text, MAX_BUTTON_CHARS);
    return [{ text: label === '' ? new URL(target).hostname : label, url: target }];
  });
  return buttons.slice(0, MAX_BUTTONS);
}

export function tagsOf(card: Card): readonly string[] {
  const tags = card.tags.map((tag) => oneLine(tag, MAX_TAG_CHARS)).filter((tag) => tag !== '');
  return tags.slice(0, MAX_TAGS);
}

/** Ids to mention, without what could leave the tag's attribute; `all` for everyone. */
export function mentionedOf(mentions: Mentions): readonly string[] {
  const ids = mentions.userIds.filter((id) => /^[\w.$:-]+$/u.test(id)).slice(0, MAX_MENTIONS);
  return mentions.all ? ['all', ...ids] : ids;
}
