/** How a dialect takes the meaning from one character: a backslash before it, an entity instead of it. */
export type MakeInert = (char: string) => string;

/** Not a space for Markdown, so an indented line of a stack trace is no code block. */
const NO_BREAK_SPACE = '\u00A0';
const TAB_COLUMNS = 4;
const ZERO_WIDTH_SPACE = '\u200B';

/** Acts anywhere in a line. An underscore inside a word (`node_exporter`) does not, and stays readable. */
const INLINE_MARK = /[\\*`[\]|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|!(?=\[|$)/gu;
/** Acts as the first thing of a line: heading, quote, list item, rule, underlined heading. */
const LINE_MARK = /^(?:[#>]|[-+=](?=\s|$|[-+=]))/u;
const NUMBERED_ITEM = /^(\d{1,9})([.)])(?=\s|$)/u;
/** `[text](target "title")`, with or without the `!` of an image. */
const LINK = /!?\[([^\]\n]*)\]\(\s*<?([^\s()<>]*)>?(?:\s+(?:"[^"\n]*"|'[^'\n]*'))?\s*\)/gu;
const HEADING = /^ {0,3}#{1,6}\s+(\S.*?)\s*#*\s*$/u;
const FENCE = /^\s*(?:```|~~~)/u;
/** What HTML and the vendors' tags start with. `a < b` is no tag and stays as it is. */
const TAG_START = /<(?=[\p{L}/!?]|$)/gu;

/** Takes the meaning from every markdown character of a clean text. The text may land anywhere in a line. */
export function escapeMarks(text: string, makeInert: MakeInert): string {
  return text
    .split('\n')
    .map((line) => escapeLine(line, makeInert))
    .join('\n');
}

function escapeLine(line: string, makeInert: MakeInert): string {
  const indent = /^[ \t]*/u.exec(line)?.[0] ?? '';
  const rest = line.slice(indent.length).trimEnd();
  const first = LINE_MARK.exec(rest)?.[0] ?? '';
  const inert = rest.slice(first.length).replace(INLINE_MARK, makeInert);
  const lead = first === '' ? '' : makeInert(first);
  return widthOf(indent) + lead + inert.replace(NUMBERED_ITEM, (_, digits, dot) => digits + makeInert(dot));
}

function widthOf(indent: string): string {
  return indent.replaceAll('\t', ' '.repeat(TAB_COLUMNS)).replaceAll(' ', NO_BREAK_SPACE);
}

/** A heading of an annotation would stand out above the card's own title: bold is enough. */
export function boldHeadings(text: string): string {
  let isCode = false;
  const lines = text.split('\n').map((line) => {
    if (FENCE.test(line)) isCode = !isCode;
    const words = isCode ? undefined : HEADING.exec(line)?.[1];
    return words === undefined ? line : `**${words.replaceAll('**', '')}**`;
  });
  return lines.join('\n');
}

/** Replaces what could open a tag; `a < b` is left alone. */
export function escapeTags(text: string, lessThan: string): string {
  return text.replace(TAG_START, lessThan);
}

/**
 * Rewrites every link and image of a markdown text by `link`, the text between by `other`. A link in a
 * form not recognised here (nested, by reference) is broken up, because its target was not checked.
 */
export function mapLinks(
  text: string,
  link: (label: string, url: string) => string,
  other: (text: string) => string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const match of text.matchAll(LINK)) {
    parts.push(breakLinks(other(text.slice(from, match.index))));
    parts.push(link(match[1] ?? '', match[2] ?? ''));
    from = match.index + match[0].length;
  }
  parts.push(breakLinks(other(text.slice(from))));
  return parts.join('');
}

function breakLinks(text: string): string {
  return text.replace(/\](?=[([:])/gu, `]${ZERO_WIDTH_SPACE}`).replace(/!$/u, `!${ZERO_WIDTH_SPACE}`);
}
