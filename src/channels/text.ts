import { isPlainText } from '../domain/plain-text.ts';

/** Longer targets are not links a person could follow, and would eat the room of the card. */
const MAX_URL_CHARS = 4_096;
const MARK_OF_CUT = '…';

/**
 * Makes a text safe to show anywhere: every kind of line break becomes `\n`, control and direction
 * characters go (a log line may hold ESC or a right-to-left override), half a surrogate pair becomes U+FFFD.
 */
export function cleanText(value: string): string {
  if (isPlainText(value)) return value;
  return value
    .replace(/\r\n?|[\u2028\u2029\u0085\v\f]/gu, '\n')
    .replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\uFEFF]/gu, '')
    .replace(/\p{Surrogate}/gu, '\uFFFD');
}

/** A clean text without empty lines before it and blanks after it. */
export function trimmed(value: string): string {
  return cleanText(value).replace(/^\n+|\s+$/gu, '');
}

/** A clean text on one line, cut to `maxChars` code points with a mark. */
export function oneLine(value: string, maxChars: number): string {
  const line = cleanText(value).replace(/\s+/gu, ' ').trim();
  const chars = [...line];
  return chars.length <= maxChars ? line : `${chars.slice(0, maxChars - 1).join('')}${MARK_OF_CUT}`;
}

/** The URL in normal form and without credentials, or undefined when it is not a usable http(s) one. */
export function webUrl(text: string): string | undefined {
  if (text.length > MAX_URL_CHARS || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  return `${url.origin}${url.pathname}${url.search}${url.hash}`;
}

/** As `webUrl`, with every character percent-encoded that could end or restyle a markdown link. */
export function linkTarget(text: string): string | undefined {
  const href = webUrl(text);
  if (href === undefined) return undefined;
  const { origin } = new URL(href);
  return origin + href.slice(origin.length).replace(/[()'"<>\\^`{|}[\]*;\s]/gu, percentEncode);
}

function percentEncode(char: string): string {
  return [...Buffer.from(char, 'utf8')]
    .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    .join('');
}
