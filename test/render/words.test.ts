import { describe, expect, it } from 'vitest';
import { REASONS } from '../../src/domain/outcome.ts';
import { say, sayReason, wordsOf } from '../../src/render/words.ts';

const en = wordsOf('en');
const zh = wordsOf('zh-CN');

function parameters(text: string | undefined): readonly string[] {
  return [...(text ?? '').matchAll(/\{\w+\}/gu)].map(([name]) => name).sort();
}

describe('the words', () => {
  it('are the same in both languages, with the same parameters', () => {
    expect(Object.keys(zh.texts)).toEqual(Object.keys(en.texts));
    for (const key of Object.keys(en.texts)) {
      expect([key, parameters(zh.texts[key])]).toEqual([key, parameters(en.texts[key])]);
    }
  });

  it('explain every reason, and advise in one language where they advise in the other', () => {
    for (const reason of REASONS) {
      expect(sayReason(en, reason).text).not.toBe('');
      expect([reason, zh.reasons[reason].hint === '']).toEqual([reason, en.reasons[reason].hint === '']);
    }
  });

  it('say an unknown key or reason as it stands', () => {
    expect(say(en, 'constructor')).toBe('constructor');
    expect(sayReason(en, 'toString')).toEqual({ text: 'toString', hint: '' });
  });

  it('fill in each parameter once, whatever it holds', () => {
    expect(say(en, 'late', { duration: '{reason}', reason: '$&' })).toBe('Sent {reason} late: $&');
  });
});
