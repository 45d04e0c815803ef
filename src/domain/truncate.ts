/** A text cut to a limit: `text` ends in the mark when something was left out. */
export interface Cut {
  readonly text: string;
  readonly isCut: boolean;
  /** What was left out, in UTF-8 bytes of the original; 0 when nothing was. */
  readonly omittedBytes: number;
}

/** Stands at the end of every text that was cut. */
export const CUT_MARK = '…';

const MARK_BYTES = Buffer.byteLength(CUT_MARK);

/** UTF-8 bytes that one UTF-16 unit makes at most. */
const MAX_BYTES_PER_UNIT = 3;

/** How far around the cut graphemes are looked for, UTF-16 units; longer joined emoji do not occur. */
const WINDOW = 128;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts a text to at most `maxBytes` of UTF-8, mark included, never inside what a reader sees as one character. */
export function cutToBytes(text: string, maxBytes: number): Cut {
  if (text.length * MAX_BYTES_PER_UNIT <= maxBytes) return uncut(text);
  const bytes = utf8Bytes(text);
  if (bytes <= maxBytes) return uncut(text);
  if (maxBytes < MARK_BYTES) return { text: '', isCut: true, omittedBytes: bytes };
  return cutAt(text, boundaryBefore(text, unitsWithin(text, maxBytes - MARK_BYTES)), bytes);
}

/** Cuts a text to at most `maxGraphemes` characters as a reader counts them, the mark among them. */
export function cutToGraphemes(text: string, maxGraphemes: number): Cut {
  if (text.length <= maxGraphemes) return uncut(text);
  let count = 0;
  let end = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === maxGraphemes - 1) end = index;
    count += 1;
    if (count > maxGraphemes) return cutAt(text, end, utf8Bytes(text), maxGraphemes > 0 ? CUT_MARK : '');
  }
  return uncut(text);
}

/** Length of a text in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text);
}

function uncut(text: string): Cut {
  return { text, isCut: false, omittedBytes: 0 };
}

function cutAt(text: string, end: number, bytes: number, mark: string = CUT_MARK): Cut {
  const kept = text.slice(0, end);
  return { text: `${kept}${mark}`, isCut: true, omittedBytes: bytes - utf8Bytes(kept) };
}

/** How many UTF-16 units from the start fit into so many bytes. */
function unitsWithin(text: string, maxBytes: number): number {
  let bytes = 0;
  let units = 0;
  for (const character of text) {
    bytes += bytesOf(character.codePointAt(0) ?? 0);
    if (bytes > maxBytes) return units;
    units += character.length;
  }
  return units;
}

function bytesOf(codePoint: number): number {
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x8_00) return 2;
  return codePoint < 0x1_00_00 ? 3 : 4;
}

/** The nearest grapheme boundary at or before an index; only the neighbourhood is segmented, texts may be long. */
function boundaryBefore(text: string, index: number): number {
  const from = sureBoundary(text, index);
  const containing = segmenter.segment(text.slice(from, index + WINDOW)).containing(index - from);
  return containing === undefined ? index : from + containing.index;
}

/** Close before the index, between two plain ASCII characters, where a grapheme surely begins; else the start. */
function sureBoundary(text: string, index: number): number {
  for (let at = Math.max(index - WINDOW, 1); at <= index; at += 1) {
    if (isPlain(text.charCodeAt(at - 1)) && isPlain(text.charCodeAt(at))) return at;
  }
  return 0;
}

function isPlain(unit: number): boolean {
  return unit >= 0x20 && unit < 0x7f;
}
