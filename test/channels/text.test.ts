import { describe, expect, it } from 'vitest';
import { cleanText, oneLine, webUrl } from '../../src/channels/text.ts';

describe('a clean text', () => {
  it('has one kind of line break, no control characters and whole characters only', () => {
    expect(cleanText('a\r\nb\rc\u2029d\u0000e\u001b[31m\u202ef\ud800g\th')).toBe(
      'a\nb\nc\nde[31mf\uFFFDg\th',
    );
  });

  it('on one line is cut between characters, with a mark', () => {
    expect(oneLine(' 告警\n🔥🔥🔥 ', 5)).toBe('告警 🔥…');
    expect(oneLine('short', 5)).toBe('short');
  });
});

describe('a link people can follow', () => {
  it.each([
    ['https://example.com/a b', 'https://example.com/a%20b'],
    ['HTTPS://EXAMPLE.com', 'https://example.com/'],
    ['http://[::1]:3000/d?x=1#y', 'http://[::1]:3000/d?x=1#y'],
    ['javascript:alert(1)', undefined],
    ['/relative', undefined],
    [`https://example.com/${'x'.repeat(5_000)}`, undefined],
  ])('of %s is %s', (text, expected) => {
    expect(webUrl(text)).toBe(expected);
  });
});
