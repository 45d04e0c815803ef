import { isPlainText } from '../domain/plain-text.ts';
import { cutToGraphemes } from '../domain/truncate.ts';

/** Longest title and button, characters as a reader counts them; chats cut longer ones themselves. */
const MAX_TITLE_CHARACTERS = 150;
const MAX_BUTTON_CHARACTERS = 30;

/** Control characters, what turns the reading direction, and halves of surrogate pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it takes out.
const UNPRINTABLE = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069\p{Cs}]/gu;

/** Text without what no chat can show; line breaks become `\n`. */
export function clean(text: string): string {
  if (isPlainText(text)) return text;
  return text.replace(UNPRINTABLE, '').replace(/\r\n?|[\u2028\u2029]/gu, '\n');
}

/** Text on one line, runs of white space as one blank. */
export function oneLine(text: string): string {
  return clean(text)
    .replace(/[^\S ]+| {2,}/gu, ' ')
    .replace(/ {2,}/gu, ' ')
    .trim();
}

/** A title as every chat takes it: one line, not too long. */
export function toTitle(text: string): string {
  return cutToGraphemes(oneLine(text), MAX_TITLE_CHARACTERS).text;
}

/** A button's or tag's text. */
export function toButtonText(text: string): string {
  return cutToGraphemes(oneLine(text), MAX_BUTTON_CHARACTERS).text;
}

/** A number as people read it: no digits that only floating point has put there. */
export function writeNumber(value: number): string {
  if (!Number.isFinite(value)) return '';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return String(value);
  const integerDigits = Math.max(Math.floor(Math.log10(Math.abs(value))) + 1, 0);
  return String(Number(value.toPrecision(Math.min(Math.max(6, integerDigits + 2), 15))));
}
