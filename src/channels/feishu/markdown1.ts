const HEADING = /^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$/u;
const QUOTE = /^ {0,3}>\s?/u;
const TABLE_RULE = /^\s*\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?\s*)?$/u;
const TABLE_ROW = /^\s*\|(.*)\|\s*$/u;
const FENCE = /^\s*(?:```|~~~)/u;

/**
 * Rewrites what only cards of JSON 2.0 can draw: headings become bold, quotes and inline code plain,
 * table rows cells between bars. Fenced code stays, because 1.0 draws it.
 * https://open.feishu.cn/document/feishu-cards/card-components/content-components/rich-text
 */
export function toMarkdown1(text: string): string {
  let isCode = false;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (isFence || isCode) lines.push(line);
    else if (!TABLE_RULE.test(line)) lines.push(lineOf(line));
  }
  return lines.join('\n');
}

function lineOf(line: string): string {
  const bare = line.replace(QUOTE, '').replace(/`([^`]+)`/gu, '$1');
  const heading = HEADING.exec(bare)?.[1];
  if (heading !== undefined) return heading === '' ? '' : `**${heading.replaceAll('**', '')}**`;
  const row = TABLE_ROW.exec(bare)?.[1];
  return row === undefined
    ? bare
    : row
        .split(/(?<!\\)\|/u)
        .map((cell) => cell.trim())
        .join(' | ');
}
