import { describe, expect, it } from 'vitest';
import { encode } from '../../../src/channels/feishu/encode.ts';
import { at, cardOf, textAt } from '../cards.ts';

const MENTIONS = { all: true, mobiles: [], userIds: ['ou_example1', 'bad id></at><at id=all'] };

describe('the card2 rung', () => {
  it('is a card of JSON 2.0 with title, preview, colour and tags', () => {
    const { json } = encode(cardOf(), 'card2', '');

    expect(json.msg_type).toBe('interactive');
    expect(json.card).toMatchObject({
      schema: '2.0',
      config: { width_mode: 'fill', summary: { content: '[FIRING:1] disk full' } },
      header: {
        template: 'red',
        title: { tag: 'plain_text', content: '[FIRING:1] disk full' },
        text_tag_list: [{ tag: 'text_tag', text: { tag: 'plain_text', content: 'critical' }, color: 'red' }],
      },
    });
  });

  it('puts the body first and the buttons in rows of three', () => {
    const buttons = Array.from({ length: 6 }, (_, index) => ({
      text: `b${index}`,
      url: `https://example.com/${index}`,
    }));

    const { json } = encode(cardOf({ buttons }), 'card2', '');

    expect(at(json, 'card.body.elements.0')).toEqual({ tag: 'markdown', content: 'db-1 has **2%** left' });
    expect(at(json, 'card.body.elements.1.columns')).toHaveLength(3);
    expect(at(json, 'card.body.elements.2.columns')).toHaveLength(2);
    expect(at(json, 'card.body.elements.1.columns.0.elements.0.behaviors')).toEqual([
      { type: 'open_url', default_url: 'https://example.com/0' },
    ]);
  });

  it('mentions in an element of its own, and drops an id that could leave its tag', () => {
    const { json } = encode(cardOf({ mentions: MENTIONS }), 'card2', '');

    expect(textAt(json, 'card.body.elements.1.content')).toBe('<at id=all></at> <at id=ou_example1></at>');
  });

  it('holds three tags at most, without a colour where tags have none', () => {
    const { json } = encode(cardOf({ tone: 'notice', tags: ['a', 'b', 'c', 'd'] }), 'card2', '');

    expect(at(json, 'card.header.text_tag_list')).toHaveLength(3);
    expect(at(json, 'card.header.text_tag_list.0')).not.toHaveProperty('color');
  });
});

describe('the colour of the header', () => {
  it.each([
    ['critical', 'red'],
    ['error', 'orange'],
    ['warning', 'yellow'],
    ['info', 'blue'],
    ['resolved', 'green'],
    ['mixed', 'orange'],
    ['notice', 'grey'],
    ['violet', 'violet'],
    ['mauve', 'default'],
  ])('of %s is %s', (tone, colour) => {
    expect(at(encode(cardOf({ tone }), 'card1', '').json, 'card.header.template')).toBe(colour);
  });
});

describe('the card1 rung', () => {
  it('writes what 1.0 cannot draw in what it can', () => {
    const body = '### db-1\n> `cpu` high\n\n| a | b |\n|---|---|\n| 1 | 2 |\n```\n# kept\n```';

    const { json } = encode(cardOf({ body, tags: [] }), 'card1', '');

    expect(textAt(json, 'card.elements.0.content')).toBe(
      '**db-1**\ncpu high\n\na | b\n1 | 2\n```\n# kept\n```',
    );
  });

  it('has tags as its first line, mentions in their own element and buttons as actions', () => {
    const { json } = encode(cardOf({ mentions: MENTIONS }), 'card1', '');

    expect(textAt(json, 'card.elements.0.content')).toBe('**critical**\ndb-1 has **2%** left');
    expect(textAt(json, 'card.elements.1.content')).toContain('<at id=ou_example1></at>');
    expect(at(json, 'card.elements.2.actions.0')).toMatchObject({
      tag: 'button',
      url: 'https://grafana.example.com/d/abc?viewPanel=2',
    });
  });
});

describe('the plain rungs', () => {
  it('mention with the attribute of text messages', () => {
    const { json } = encode(cardOf({ mentions: MENTIONS }), 'text', '');

    expect(textAt(json, 'content.text')).toMatch(
      /\n\n<at user_id="all">所有人<\/at> <at user_id="ou_example1"><\/at>$/u,
    );
  });

  it('do not let a title mention anyone', () => {
    const { json } = encode(cardOf({ title: '<at user_id="all"></at>' }), 'text', '');

    expect(textAt(json, 'content.text')).not.toContain('<at');
  });

  it('carry no link on the bare rung', () => {
    expect(textAt(encode(cardOf(), 'bare', '').json, 'content.text')).not.toContain('http');
  });
});

describe('the keyword', () => {
  it.each([
    ['card2', 'card.body.elements.0.content'],
    ['card1', 'card.elements.0.content'],
  ] as const)('stands in the header and in the first text of %s', (rung, path) => {
    const { json } = encode(cardOf(), rung, '告警');

    expect(textAt(json, 'card.header.title.content')).toBe('告警 [FIRING:1] disk full');
    expect(textAt(json, path)).toMatch(/^告警\n/u);
  });

  it.each(['text', 'bare'] as const)('stands first in %s', (rung) => {
    expect(textAt(encode(cardOf(), rung, '告警').json, 'content.text')).toMatch(/^告警 /u);
  });
});
