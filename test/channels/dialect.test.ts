import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerOf } from '../../src/channels/registry.ts';
import type { Dialect } from '../../src/domain/card.ts';
import { activeMarkup, HOSTILE_PARTS } from './markup.ts';

const hostile = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE_PARTS), fc.string({ unit: 'binary', maxLength: 6 })), {
    maxLength: 12,
  })
  .map((parts) => parts.join(''));

const RICH: readonly (readonly [string, Dialect])[] = [
  ['dingtalk', providerOf('dingtalk').dialect('markdown')],
  ['feishu', providerOf('feishu').dialect('card2')],
];
const PLAIN: readonly (readonly [string, Dialect])[] = [
  ['dingtalk', providerOf('dingtalk').dialect('text')],
  ['feishu', providerOf('feishu').dialect('text')],
];
const MENTION = /@[\p{L}\p{N}+_]/u;

describe.each(RICH)('the markdown of %s', (name, dialect) => {
  it('never lets an escaped value act, wherever it lands', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        expect(activeMarkup(dialect.escape(value))).toEqual([]);
      }),
    );
  });

  it('never lets a value mention anyone', () => {
    const written = fc.property(hostile, (value) => {
      const texts = [dialect.escape(value), dialect.markdown(value), dialect.neutralise(value)];

      for (const text of texts) {
        expect(text).not.toMatch(/<\/?at\b/iu);
        if (name === 'dingtalk') expect(text.replace(/dingtalk:\/\/\S*/gu, '')).not.toMatch(MENTION);
      }
    });

    fc.assert(written);
  });

  it('keeps words and identifiers as they are', () => {
    const value = 'node_exporter on db-1: 90.5% > 80%, eth0/10.0.0.1 (2 of 3)';

    expect(dialect.escape(value).replaceAll('&gt;', '>')).toBe(value);
  });

  it('makes a link with an inert text', () => {
    expect(dialect.link('a]b', 'https://example.com/x')).toMatch(
      /^\[a(?:\\\]|&#93;)\u200B?b\]\([^()\s]+\)$/u,
    );
  });

  it('never lets a target leave its link', () => {
    fc.assert(
      fc.property(hostile, (tail) => {
        const link = dialect.link('x', `https://example.com/${tail}`);

        expect(link).toMatch(/^\[x\]\([^()\s"'<>[\]]+\)$/u);
      }),
    );
  });

  it.each(['javascript:alert(1)', 'dingtalk://x', 'ftp://x', 'not a url', ''])(
    'gives the text alone for %j',
    (url) => {
      expect(dialect.link('text', url)).toBe('text');
    },
  );

  it('drops credentials from a target', () => {
    expect(dialect.link('x', 'https://user:hunter2@example.com/')).not.toContain('hunter2');
  });

  it('keeps the markdown of an annotation and checks its links', () => {
    const text = dialect.markdown(
      '**bold** [run](https://wiki.example.com/a) [bad](javascript:x) ![i](https://x.example/i.png) <b>raw</b>',
    );

    expect(text).toContain('**bold**');
    expect(text).toMatch(/\[run\]\(\S*wiki\.example\.com/u);
    expect(text).not.toMatch(/javascript|!\[|<b>/u);
  });

  it('breaks up links in forms it does not check', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const targets = [...dialect.markdown(value).matchAll(/\]\(([^)]*)\)?/gu)].map(
          (match) => match[1] ?? '',
        );

        expect(targets.filter((target) => !/^(?:https?|dingtalk):\/\//u.test(target))).toEqual([]);
      }),
    );
  });

  it('leaves what is already inert alone when a template is neutralised', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const inert = dialect.escape(value);

        expect(dialect.neutralise(inert)).toBe(inert);
      }),
    );
  });
});

describe.each(PLAIN)('the plain text of %s', (name, dialect) => {
  it('mentions nobody and holds no control character', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const text = dialect.escape(value);

        expect(text).not.toMatch(/(?![\n\t])\p{Cc}/u);
        expect(text).not.toMatch(name === 'dingtalk' ? MENTION : /<\s*\/?\s*at\b/iu);
      }),
    );
  });

  it('writes markup as it came', () => {
    expect(dialect.escape('**a** [b](c) # d < 5')).toBe('**a** [b](c) # d < 5');
  });

  it('writes a link as text and address', () => {
    expect(dialect.link('panel', 'https://example.com/a_b')).toBe('panel: https://example.com/a_b');
    expect(dialect.link('', 'https://example.com/')).toBe('https://example.com/');
    expect(dialect.link('panel', 'javascript:x')).toBe('panel');
  });
});

describe('line breaks', () => {
  it('are two spaces or an empty line for DingTalk', () => {
    const text = providerOf('dingtalk').dialect('card').escape('a\r\nb\u2028c\n\n\nd\n');

    expect(text).toBe('a  \nb  \nc\n\nd');
  });

  it('stay for Feishu', () => {
    expect(providerOf('feishu').dialect('card1').escape('a\r\nb\u2028c')).toBe('a\nb\nc');
  });

  it('keep the indentation of a stack trace without making it code', () => {
    const text = providerOf('feishu').dialect('card2').escape('Error\n    at main');

    expect(text).toBe('Error\n\u00A0\u00A0\u00A0\u00A0at main');
  });
});
