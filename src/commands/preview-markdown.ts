/** How a chat reads markdown where chats differ. */
export interface MarkdownHabits {
  /** Feishu breaks a line at each newline, DingTalk only after two spaces. */
  readonly breaksAtNewline: boolean;
}

const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*$/u;
const ITEM = /^ {0,3}(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/u;
const QUOTE = /^ {0,3}>\s?(.*)$/u;
const FENCE = /^\s*(?:```|~~~)/u;
const RULE = /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/u;

/** The subset of markdown the chats draw, as HTML. Whatever is not in it stands there as text. */
export function markdownToHtml(text: string, habits: MarkdownHabits): string {
  const lines = text.split('\n');
  const html: string[] = [];
  while (lines.length > 0) html.push(takeBlock(lines, habits));
  return html.join('\n');
}

/** Takes the lines of one block off the front. */
function takeBlock(lines: string[], habits: MarkdownHabits): string {
  const first = lines[0] ?? '';
  if (first.trim() === '') return drop(lines, '');
  if (FENCE.test(first)) return takeFence(lines);
  if (RULE.test(first)) return drop(lines, '<hr>');
  const heading = HEADING.exec(first);
  if (heading !== null) {
    const level = heading[1]?.length ?? 1;
    return drop(lines, `<h${level}>${inline(heading[2] ?? '', habits)}</h${level}>`);
  }
  if (QUOTE.test(first)) {
    const quoted = takeWhile(lines, (line) => QUOTE.test(line)).map((line) => QUOTE.exec(line)?.[1] ?? '');
    return `<blockquote>${markdownToHtml(quoted.join('\n'), habits)}</blockquote>`;
  }
  if (ITEM.test(first)) return takeList(lines, habits);
  const paragraph = takeWhile(lines, (line, index) => index === 0 || !startsBlock(line));
  return `<p>${inline(paragraph.join('\n'), habits)}</p>`;
}

function startsBlock(line: string): boolean {
  return line.trim() === '' || [HEADING, ITEM, QUOTE, FENCE, RULE].some((pattern) => pattern.test(line));
}

function drop(lines: string[], html: string): string {
  lines.shift();
  return html;
}

function takeWhile(lines: string[], goesOn: (line: string, index: number) => boolean): readonly string[] {
  const end = lines.findIndex((line, index) => !goesOn(line, index));
  return lines.splice(0, end === -1 ? lines.length : end);
}

function takeFence(lines: string[]): string {
  lines.shift();
  const code = takeWhile(lines, (line) => !FENCE.test(line));
  lines.shift();
  return `<pre><code>${escapeHtml(code.join('\n'))}</code></pre>`;
}

function takeList(lines: string[], habits: MarkdownHabits): string {
  const isNumbered = ITEM.exec(lines[0] ?? '')?.[1] !== undefined;
  const items = takeWhile(lines, (line) => ITEM.test(line)).map(
    (line) => `<li>${inline((ITEM.exec(line)?.[2] ?? '').trimEnd(), habits)}</li>`,
  );
  const tag = isNumbered ? 'ol' : 'ul';
  return `<${tag}>${items.join('')}</${tag}>`;
}

/** In this order: what a backslash or an entity made harmless, code, links, emphasis, the chats' own tags. */
const INLINE = new RegExp(
  [
    /\\(?<literal>[!-/:-@[-`{-~])/u,
    /(?<entity>&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});)/iu,
    /`(?<code>[^`\n]+)`/u,
    /!?\[(?<label>(?:\\.|[^\]\\\n])*)\]\((?<url>[^\s()]*)\)/u,
    /\*\*(?<bold>(?:\\.|[^\\])+?)\*\*/u,
    /\*(?<italic>(?:\\.|[^*\\\n])+?)\*/u,
    /<font color=['"]?(?<colour>[a-z]+)['"]?>(?<coloured>.*?)<\/font>/u,
    /<at id=["']?(?<at>[\w-]+)["']?\s*><\/at>/u,
    /(?<line> {2,}\n|\n)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

function inline(text: string, habits: MarkdownHabits): string {
  let html = '';
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    html += escapeHtml(text.slice(from, match.index)) + inlineOf(match.groups ?? {}, habits);
    from = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(from));
}

function inlineOf(found: Readonly<Record<string, string | undefined>>, habits: MarkdownHabits): string {
  const { literal, entity, code, label, url, bold, italic, colour, coloured, at, line } = found;
  if (literal !== undefined) return escapeHtml(literal);
  if (entity !== undefined) return entity;
  if (code !== undefined) return `<code>${escapeHtml(code)}</code>`;
  if (label !== undefined) return `<a title="${escapeHtml(url ?? '')}">${inline(label, habits)}</a>`;
  if (bold !== undefined) return `<b>${inline(bold, habits)}</b>`;
  if (italic !== undefined) return `<i>${inline(italic, habits)}</i>`;
  if (coloured !== undefined) return `<span class="${colour ?? ''}">${inline(coloured, habits)}</span>`;
  if (at !== undefined) return `<a>@${escapeHtml(at)}</a>`;
  return line !== undefined && (line.length > 1 || habits.breaksAtNewline) ? '<br>' : ' ';
}

/** Text as it stands in HTML, also inside an attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
