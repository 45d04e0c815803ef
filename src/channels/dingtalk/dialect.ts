import type { Dialect } from '../../domain/card.ts';
import type { Rung } from '../../domain/settings.ts';
import { boldHeadings, escapeMarks, escapeTags, mapLinks } from '../markdown.ts';
import { cleanText, linkTarget, trimmed, webUrl } from '../text.ts';
import { MAX_TITLE_CHARS } from './limits.ts';

const ZERO_WIDTH_SPACE = '\u200B';

/** `@` before anything a name or a phone number could start with. */
const MENTION = /@(?=[\p{L}\p{N}+_]|$)/gu;

/** How values and links are written on a rung. */
export function dialectOf(rung: Rung): Dialect {
  return rung === 'text' || rung === 'bare' ? PLAIN : MARKDOWN;
}

/**
 * Opens a link in the system browser: DingTalk's desktop client would use its narrow side panel.
 * https://open.dingtalk.com/document/development/robot-message-type
 */
export function openInBrowser(url: string): string {
  return `dingtalk://dingtalkclient/page/link?url=${encodeURIComponent(url)}&pc_slide=false`;
}

/** How characters lose their meaning without a backslash. */
const INERT: Readonly<Record<string, string>> = {
  '>': '&gt;',
  '[': '[',
  ']': ']',
  '!': `!${ZERO_WIDTH_SPACE}`,
};

const MARKDOWN: Dialect = { escape: escapeValue, link, markdown, neutralise: neutraliseRich };

const PLAIN: Dialect = {
  escape: breakMentions,
  link: plainLink,
  markdown: breakMentions,
  neutralise: breakMentions,
};

/** Some clients show a backslash as it is, so it stands only before what nothing else makes harmless. */
function escapeValue(value: string): string {
  return escapeBy(value, (char) => INERT[char] ?? `\\${char}`);
}

/** Inside a link's text a bracket would end it. */
function escapeLabel(text: string): string {
  return escapeBy(text, (char) => (char === '>' ? '&gt;' : `\\${char}`));
}

function escapeBy(value: string, makeInert: (char: string) => string): string {
  const plain = breakMentions(trimmed(value)).replace(/&(?=#?[\p{L}\p{N}]+;)/gu, '&amp;');
  const inert = escapeMarks(plain, makeInert);
  // A bracket alone is only a bracket: what follows would make it a link.
  const unlinked = inert.replace(/\](?=\s*(?:[([:]|$))/gmu, `]${ZERO_WIDTH_SPACE}`);
  return breakLines(escapeTags(unlinked, '&lt;'));
}

function link(text: string, url: string): string {
  const target = linkTarget(url);
  const label = escapeLabel(text.replace(/\s+/gu, ' ').trim().slice(0, MAX_TITLE_CHARS));
  if (target === undefined) return label;
  return `[${label === '' ? escapeLabel(target) : label}](${openInBrowser(target)})`;
}

function markdown(value: string): string {
  return breakLines(mapLinks(boldHeadings(cleanText(value)), link, neutraliseRich));
}

function neutraliseRich(value: string): string {
  return escapeTags(breakMentions(value), '&lt;');
}

function breakMentions(value: string): string {
  return cleanText(value).replace(MENTION, `@${ZERO_WIDTH_SPACE}`);
}

/** A single `\n` is no line break for DingTalk; two spaces before it, or an empty line, are. */
function breakLines(text: string): string {
  return trimmed(text)
    .replace(/[ \t]*\n(?:[ \t]*\n)+/gu, '\n\n')
    .replace(/(?<!\n)(?: {2})?\n(?!\n)/gu, '  \n');
}

function plainLink(text: string, url: string): string {
  const target = webUrl(url);
  const label = breakMentions(text);
  if (target === undefined) return label;
  return label === '' ? target : `${label}: ${target}`;
}
