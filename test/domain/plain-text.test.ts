import { describe, expect, it } from 'vitest';
import { cleanText } from '../../src/channels/text.ts';
import { isPlainText } from '../../src/domain/plain-text.ts';
import { clean } from '../../src/render/text.ts';

const EVERY_UNIT = Array.from({ length: 0x1_00_00 }, (_, unit) => String.fromCharCode(unit));

describe('plain text', () => {
  it('holds no character that cleaning would take out or change', () => {
    const plain = EVERY_UNIT.filter(isPlainText);

    // Between others, and beside what is not plain, so that nothing is waved through as a whole.
    const changed = plain.filter((unit) => {
      const text = `a${unit}\u0000`;
      return cleanText(text) !== `a${unit}` || clean(text) !== `a${unit}`;
    });

    expect(plain.length).toBeGreaterThan(28_000);
    expect(changed).toEqual([]);
  });

  it.each(['', 'CPU of host-1 is above 90 %\n\tsee runbook', '严重：磁盘已满（90%）'])('is %j', (text) => {
    expect(isPlainText(text)).toBe(true);
  });

  it.each(['a\r\nb', '\u001b[31m', '\u202eabc', 'a\u2028b', '\ud83d', '\ufeff'])('is not %j', (text) => {
    expect(isPlainText(text)).toBe(false);
  });
});
