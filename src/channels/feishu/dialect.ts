import type { Dialect } from '../../domain/card.ts';
import type { Rung } from '../../domain/settings.ts';
import { boldHeadings, escapeMarks, escapeTags, mapLinks } from '../markdown.ts';
import { cleanText, linkTarget, trimmed, webUrl } from '../text.ts';
import { MAX_TITLE_CHARS } from './limits.ts';

/** How values and links are written on a rung. */
export function dialectOf(rung: Rung): Dialect {
  return rung === 'text' || rung === 'bare' ? PLAIN : MARKDOWN;
}

const MARKDOWN: Dialect = { escape: escapeValue, link, markdown, neutralise: neutraliseRich };

const PLAIN: Dialect = {
  escape: breakMentions,
  link: plainLink,
  markdown: breakMentions,
  neutralise: breakMentions,
};

/**
 * Takes entities, as the vendor asks, because they cannot act: a label such as `<at id=all></at>`
 * would otherwise call the whole room.
 * https://open.feishu.cn/document/feishu-cards/card-components/content-components/rich-text
 */
function escapeValue(value: string): string {
  const clean = trimmed(value).replace(/&(?=[\p{L}#])/gu, '&amp;');
  return escapeMarks(clean, entity).replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function entity(char: string): string {
  return char === '>' ? char : `&#${char.codePointAt(0) ?? 0};`;
}

function link(text: string, url: string): string {
  const target = linkTarget(url);
  const label = escapeValue(text.replace(/\s+/gu, ' ').trim().slice(0, MAX_TITLE_CHARS));
  if (target === undefined) return label;
  return `[${label === '' ? escapeValue(target) : label}](${target})`;
}

/** Images become links: Feishu shows only pictures uploaded to it, and refuses the card for another. */
function markdown(value: string): string {
  return mapLinks(boldHeadings(cleanText(value)), link, neutraliseRich);
}

function neutraliseRich(value: string): string {
  return escapeTags(cleanText(value), '&lt;');
}

/** A text message knows one tag, `<at>`; full-width, it is only a picture of one. */
function breakMentions(value: string): string {
  return cleanText(value).replace(/<(?=\s*\/?\s*at\b)/giu, '＜');
}

function plainLink(text: string, url: string): string {
  const target = webUrl(url);
  const label = breakMentions(text);
  if (target === undefined) return label;
  return label === '' ? target : `${label}: ${target}`;
}
