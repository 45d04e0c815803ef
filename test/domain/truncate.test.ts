import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUT_MARK, cutToBytes, cutToGraphemes, utf8Bytes } from '../../src/domain/truncate.ts';

const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc
    .array(fc.constantFrom('a', ' ', '\n', '告', '👩‍🔧', '🇨🇳', 'e\u0301'), { maxLength: 200 })
    .map((parts) => parts.join('')),
);

function graphemes(text: string): readonly string[] {
  return [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment);
}

describe('cutting to bytes', () => {
  it('keeps what fits as it is', () => {
    expect(cutToBytes('磁盘', 6)).toEqual({ text: '磁盘', isCut: false, omittedBytes: 0 });
  });

  it('leaves a mark and says how much was left out', () => {
    expect(cutToBytes('abcdefgh', 6)).toEqual({ text: 'abc…', isCut: true, omittedBytes: 5 });
  });

  it.each([
    ['a Chinese character', '磁盘满', 8, '磁…'],
    ['a joined emoji', 'ab👩‍🔧cd', 10, 'ab…'],
    ['a flag', 'x🇨🇳🇨🇳', 14, 'x🇨🇳…'],
    ['an accent from its letter', 'ae\u0301bcd', 5, 'a…'],
  ])('never splits %s', (_what, text, maxBytes, expected) => {
    expect(cutToBytes(text, maxBytes).text).toBe(expected);
  });

  it('gives nothing when not even the mark fits', () => {
    expect(cutToBytes('abc', 2)).toEqual({ text: '', isCut: true, omittedBytes: 3 });
  });

  it('stays within the limit, is a prefix, ends between graphemes, and cutting again changes nothing', () => {
    fc.assert(
      fc.property(texts, fc.nat(600), (text, maxBytes) => {
        const cut = cutToBytes(text, maxBytes);
        const kept = cut.isCut && cut.text.endsWith(CUT_MARK) ? cut.text.slice(0, -1) : cut.text;

        expect(utf8Bytes(cut.text)).toBeLessThanOrEqual(Math.max(maxBytes, 0));
        expect(text.startsWith(kept)).toBe(true);
        expect(cutToBytes(cut.text, maxBytes).text).toBe(cut.text);
        expect(cut.omittedBytes).toBe(utf8Bytes(text) - utf8Bytes(kept));
        expect(graphemes(text).slice(0, graphemes(kept).length).join('')).toBe(kept);
      }),
    );
  });
});

describe('cutting to graphemes', () => {
  it('counts as a reader does', () => {
    expect(cutToGraphemes('👩‍🔧🇨🇳abc', 3).text).toBe('👩‍🔧🇨🇳…');
    expect(cutToGraphemes('👩‍🔧🇨🇳a', 3).text).toBe('👩‍🔧🇨🇳a');
    expect(cutToGraphemes('abc', 0).text).toBe('');
  });

  it('never shows more than asked for, is a prefix, and cutting again changes nothing', () => {
    fc.assert(
      fc.property(texts, fc.nat(50), (text, max) => {
        const cut = cutToGraphemes(text, max);
        const kept = cut.isCut && max > 0 ? cut.text.slice(0, -1) : cut.text;

        expect(text.startsWith(kept)).toBe(true);
        expect(graphemes(kept).length).toBeLessThanOrEqual(max);
        expect(cutToGraphemes(cut.text, max).text).toBe(cut.text);
      }),
    );
  });
});
