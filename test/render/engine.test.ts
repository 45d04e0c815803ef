import { describe, expect, it } from 'vitest';
import { makeLabels } from '../../src/domain/alert.ts';
import { makeEngine } from '../../src/render/engine.ts';
import type { Env } from '../../src/render/helpers.ts';
import { bodyLeaf, type Leaf, PLAIN_LEAF, URL_LEAF } from '../../src/render/leaf.ts';
import { TemplateError } from '../../src/render/template-error.ts';
import { makeZoneClock } from '../../src/render/time.ts';
import { wordsOf } from '../../src/render/words.ts';
import { NOW } from '../support/card-input.ts';
import { makeTarget } from '../support/targets.ts';

const engine = makeEngine();
const BODY = bodyLeaf(makeTarget(18_000).dialect('card'));

function env(leaf: Leaf = BODY): Env {
  return {
    leaf,
    words: wordsOf('en'),
    zone: makeZoneClock('Asia/Shanghai'),
    now: NOW,
    inlineImages: false,
    logs: (names) => `https://logs.example.com/?${names.join('+')}`,
  };
}

function render(text: string, context: object = {}, leaf: Leaf = BODY): string {
  return engine.compile({ text, file: 'x.hbs', source: text, line: 1, column: 0 })(context, env(leaf));
}

function failure(text: string): TemplateError {
  try {
    render(text);
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('the template compiled');
}

describe('escaping', () => {
  it('makes {{x}} inert in the body, and leaves the markup of the template alone', () => {
    expect(render('**{{x}}** {{{y}}}', { x: '*[a](b)*', y: '**z** <b> @all' })).toBe(
      '**\\*\\[a\\](b)\\*** **z** &lt;b> @\u200Ball',
    );
  });

  it('knows the place it writes to', () => {
    const context = { x: 'a_b\n<c>' };

    expect(render('{{x}}', context, PLAIN_LEAF)).toBe('a_b <c>');
    expect(render('https://e.example/{{x}}', { x: 'a_b?q=1&r=*' }, URL_LEAF)).toBe(
      'https://e.example/a_b?q=1&r=*',
    );
  });

  it('escapes what helpers pass on from values', () => {
    expect(render('{{default missing x}} {{upper x}} {{truncate x 2}}', { x: '*a' })).toBe('\\*a \\*A \\*a');
    expect(render("{{t 'more' count=x}}", { x: '*' })).toBe('+\\* more');
  });

  it('keeps our own words, dates and links as they are', () => {
    expect(render("{{t 'lasted' duration=(duration 125000)}}")).toBe('lasted 2m 5s');
    expect(render('{{date at}}', { at: NOW })).toBe('2026-03-02 16:25:00 +08:00');
    expect(render("{{link x 'https://e.example/a_b'}}", { x: '*' })).toBe('[\\*](https://e.example/a_b)');
    expect(render("{{link x 'javascript:alert(1)'}}", { x: 'go' })).toBe('go');
  });

  it('closes a code fence that a text leaves open', () => {
    expect(render('{{md x}}', { x: '```bash\nls' })).toBe('```bash\nls\n```');
  });

  it('writes nothing for what is no text', () => {
    expect(render('[{{x}}{{y}}{{z}}]', { x: {}, y: null, z: ['a'] })).toBe('[]');
  });
});

describe('looking up', () => {
  it('reaches labels with dots, dashes and slashes', () => {
    const labels = makeLabels([
      ['app.kubernetes.io/name', 'api'],
      ['pod-template-hash', '5f'],
    ]);

    expect(render('{{labels.[app.kubernetes.io/name]}} {{labels.pod-template-hash}}', { labels })).toBe(
      'api 5f',
    );
  });

  it('sees nothing of a prototype, but a label of that name', () => {
    const plain = { x: 'text' };
    const labels = makeLabels([
      ['constructor', 'mine'],
      ['__proto__', 'too'],
    ]);

    expect(
      render('{{x.constructor}}{{constructor.name}}{{__proto__}}{{lookup this "toString"}}', plain),
    ).toBe('');
    expect(render('{{labels.constructor}} {{labels.__proto__}}', { labels })).toBe('mine too');
  });

  it('supports partials written in the same file', () => {
    expect(
      render('{{#*inline "row"}}<{{x}}>{{/inline}}{{#each list}}{{> row}}{{/each}}', {
        list: [{ x: 1 }, { x: '*' }],
      }),
    ).toBe('<1><\\*>');
  });
});

describe('helpers', () => {
  it.each([
    ['{{#if (eq a "x")}}yes{{else}}no{{/if}}', 'yes'],
    ['{{#if (ne a "x")}}yes{{else}}no{{/if}}', 'no'],
    ['{{#if (and a b)}}yes{{else}}no{{/if}}', 'no'],
    ['{{or b a}}', 'x'],
    ['{{#if (not b)}}yes{{/if}}', 'yes'],
    ['{{#if (lt 2 n)}}yes{{/if}}{{#if (gt 2 n)}}no{{/if}}', 'yes'],
    ['{{join list}} {{join list "/"}}', 'p, q p/q'],
    ['{{lower "AB"}}', 'ab'],
    ['{{time at}} {{ago at}}', '16:24:00 1m ago'],
    ['{{pairs nameless "="}}', '12.5'],
    ['{{pairs rows}} {{pairs rows "=" ";"}}', 'k: v · l: 2 k=v;l=2'],
    ['{{default blank "-"}}', '-'],
    ['{{urlencode "a b/ü"}}', 'a%20b%2F%C3%BC'],
    ['{{explore "app" "pod"}}', 'https://logs.example.com/?app+pod'],
    ['{{date nothing}}{{duration nothing}}', ''],
  ])('%s gives %s', (template, expected) => {
    const context = {
      a: 'x',
      b: '',
      n: 3,
      blank: '  ',
      at: NOW - 60_000,
      nameless: [{ name: '', value: '12.5' }],
      list: ['p', 'q'],
      rows: [
        { name: 'k', value: 'v' },
        { name: 'l', value: 2 },
      ],
    };

    expect(render(template, context)).toBe(expected);
  });
});

describe('a template that does not compile', () => {
  it.each([
    ['unclosed block', 'a\n  {{#if x}}\nb', 3, 'does not parse'],
    ['wrong end', '{{#if a}}x{{/each}}', 1, "doesn't match"],
    ['unknown helper', 'a\nb {{nope x}}', 2, 'no helper "nope"'],
    ['unknown helper inside', '{{#if (nope x)}}{{/if}}', 1, 'no helper "nope"'],
    ['unknown block', '{{#nope x}}{{/nope}}', 1, 'no helper "nope"'],
    ['partial of another file', '{{> other}}', 1, 'partials live in the same file'],
    ['decorator', '{{* x}}', 1, 'inline'],
    ['log', '{{log x}}', 1, 'no helper "log"'],
  ])('says the line for an %s', (_what, text, line, problem) => {
    const error = failure(text);

    expect(error.code).toBe('template_invalid');
    expect(error.place).toMatchObject({ file: 'x.hbs', line });
    expect(error.message).toContain(problem);
    expect(error.message).toContain(`x.hbs:${line}:`);
  });

  it('shows the line with a caret beneath', () => {
    const error = failure('fine\nabc {{b!}} rest');

    expect(error.place).toEqual({ file: 'x.hbs', line: 2, column: 7 });
    expect(error.message.split('\n').slice(1)).toEqual(['  abc {{b!}} rest', '        ^']);
  });

  it('accepts text only, never a parsed tree', () => {
    const tree: unknown = { type: 'Program', body: [], strip: {}, loc: {} };

    expect(() =>
      engine.compile(Object.assign({ file: 'x', source: '', line: 1, column: 0 }, { text: tree as string })),
    ).toThrow('a template is a text');
  });
});
