import { describe, expect, it } from 'vitest';
import { encode } from '../../../src/channels/dingtalk/encode.ts';
import { NO_MENTIONS } from '../../../src/domain/card.ts';
import { at, cardOf, textAt } from '../cards.ts';

const ALICE = { all: false, mobiles: ['13800000000'], userIds: ['user001'] };

describe('the card rung', () => {
  it('is an action card whose buttons open the system browser', () => {
    const { json } = encode(cardOf(), 'card', '');

    expect(json.msgtype).toBe('actionCard');
    expect(at(json, 'actionCard.btns.0')).toEqual({
      title: 'Open panel',
      actionURL:
        'dingtalk://dingtalkclient/page/link?url=https%3A%2F%2Fgrafana.example.com%2Fd%2Fabc%3FviewPanel%3D2&pc_slide=false',
    });
  });

  it('repeats the title as a heading, because the room does not show `title`', () => {
    const { json } = encode(cardOf(), 'card', '');

    expect(textAt(json, 'actionCard.text')).toMatch(/^### 🔴 \[FIRING:1\] disk full · critical\n/u);
  });

  it('becomes markdown when it mentions someone, with markers in a last paragraph of their own', () => {
    const { json, rung } = encode(cardOf({ mentions: ALICE }), 'card', '');

    expect(rung).toBe('card');
    expect(json.msgtype).toBe('markdown');
    expect(json.at).toEqual({ atMobiles: ['13800000000'], atUserIds: ['user001'], isAtAll: false });
    expect(textAt(json, 'markdown.text')).toMatch(/\n\n@13800000000 @user001$/u);
  });

  it('keeps its buttons as links when it mentions someone', () => {
    const { json } = encode(cardOf({ mentions: ALICE }), 'card', '');

    expect(textAt(json, 'markdown.text')).toContain(
      '[Open panel](dingtalk://dingtalkclient/page/link?url=https%3A',
    );
  });

  it('is markdown when there is no button to press', () => {
    expect(encode(cardOf({ buttons: [] }), 'card', '').json.msgtype).toBe('markdown');
  });

  it('holds five buttons at most and none that leads nowhere', () => {
    const buttons = [
      { text: 'bad', url: 'javascript:alert(1)' },
      ...Array.from({ length: 7 }, (_, index) => ({
        text: `b${index}`,
        url: `https://example.com/${index}`,
      })),
    ];

    const { json } = encode(cardOf({ buttons }), 'card', '');

    expect(at(json, 'actionCard.btns')).toHaveLength(5);
    expect(JSON.stringify(json)).not.toContain('javascript');
  });
});

describe('mentions', () => {
  it('of everyone need no marker', () => {
    const { json } = encode(cardOf({ mentions: { ...NO_MENTIONS, all: true } }), 'markdown', '');

    expect(json.at).toEqual({ atMobiles: [], atUserIds: [], isAtAll: true });
    expect(textAt(json, 'markdown.text')).not.toContain('@');
  });

  it('stop at fifty', () => {
    const mobiles = Array.from({ length: 40 }, (_, index) => `138000000${index + 10}`);
    const userIds = Array.from({ length: 40 }, (_, index) => `user${index}`);

    const { json } = encode(cardOf({ mentions: { all: false, mobiles, userIds } }), 'text', '');

    expect(at(json, 'at.atMobiles')).toHaveLength(40);
    expect(at(json, 'at.atUserIds')).toHaveLength(10);
  });

  it('are left out of a message that has none', () => {
    expect(encode(cardOf(), 'text', '').json).not.toHaveProperty('at');
  });
});

describe('the plain rungs', () => {
  it('write title, body and buttons as lines', () => {
    const { json } = encode(cardOf({ body: 'db-1: 2% left' }), 'text', '');

    expect(textAt(json, 'text.content')).toBe(
      '🔴 [FIRING:1] disk full · critical\n\ndb-1: 2% left\n\nOpen panel: https://grafana.example.com/d/abc?viewPanel=2\nSilence: https://grafana.example.com/alerting/silence/new?matcher=a%3Db',
    );
  });

  it('carry no link on the bare rung', () => {
    expect(textAt(encode(cardOf(), 'bare', '').json, 'text.content')).not.toContain('http');
  });

  it('do not let a title mention anyone', () => {
    const { json } = encode(cardOf({ title: 'call @13800000000 now' }), 'text', '');

    expect(textAt(json, 'text.content')).not.toContain('@13800000000');
  });
});

describe('the keyword', () => {
  it.each(['card', 'markdown', 'text', 'bare'] as const)('stands in every text of the %s rung', (rung) => {
    const json = JSON.stringify(encode(cardOf({ tone: 'resolved' }), rung, '【告警】').json);

    expect(json).toContain('【告警】 [FIRING:1] disk full');
  });

  it('is not repeated when the title holds it', () => {
    const { json } = encode(cardOf({ title: '告警 disk full' }), 'markdown', '告警');

    expect(textAt(json, 'markdown.title')).toBe('🔴 告警 disk full');
  });

  it('becomes the first line when escaping the title takes it apart', () => {
    const { json } = encode(cardOf({ title: '*ALERT* disk full' }), 'markdown', '*ALERT*');

    expect(textAt(json, 'markdown.text')).toMatch(/^\*ALERT\*\n\n/u);
  });
});

describe('the mark of the tone', () => {
  it.each([
    ['critical', '🔴'],
    ['error', '🟠'],
    ['warning', '🟡'],
    ['info', '🔵'],
    ['resolved', '🟢'],
    ['mixed', '🟠'],
  ])('%s is %s', (tone, mark) => {
    expect(textAt(encode(cardOf({ tone }), 'card', '').json, 'actionCard.title')).toBe(
      `${mark} [FIRING:1] disk full`,
    );
  });

  it('gives way to a picture the template put first', () => {
    const { json } = encode(cardOf({ title: '🔥 disk full' }), 'card', '');

    expect(textAt(json, 'actionCard.title')).toBe('🔥 disk full');
  });

  it('is missing for a colour nobody knows', () => {
    expect(textAt(encode(cardOf({ tone: 'mauve' }), 'card', '').json, 'actionCard.title')).toBe(
      '[FIRING:1] disk full',
    );
  });
});

it('a blank title gives way to the beginning of the body', () => {
  expect(textAt(encode(cardOf({ title: ' \n', tone: '' }), 'card', '').json, 'actionCard.title')).toBe(
    'db-1 has **2%** left',
  );
});
