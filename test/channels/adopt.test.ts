import { describe, expect, it } from 'vitest';
import { dingtalk } from '../../src/channels/dingtalk/provider.ts';
import { feishu } from '../../src/channels/feishu/provider.ts';
import type { Provider } from '../../src/channels/provider.ts';
import { type Additions, NO_MENTIONS } from '../../src/domain/card.ts';
import { startRobots } from '../../src/sandbox/robots.ts';

const NOTHING: Additions = { keyword: '', mentions: NO_MENTIONS, above: () => '', below: () => '' };
const ALL: Additions = {
  keyword: '【告警】',
  mentions: { all: false, mobiles: [], userIds: ['ou_1'] },
  above: (dialect) => dialect.escape('late *again*'),
  below: (dialect) => dialect.link('+3 more', 'https://grafana.example.com/list'),
};

const DINGTALK = [
  { msgtype: 'text', text: { content: 'own' } },
  { msgtype: 'markdown', markdown: { title: 'own', text: '**own**' } },
  { msgtype: 'link', link: { title: 'own', text: 'own', messageUrl: 'https://e.example/(1)' } },
  {
    msgtype: 'actionCard',
    actionCard: { title: 'own', text: 'own', btns: [{ title: 'Go', actionURL: 'dingtalk://x?(1)' }] },
  },
  {
    msgtype: 'actionCard',
    actionCard: { title: 'own', text: 'own', singleTitle: 'Go', singleURL: 'https://e.example' },
  },
];

const ELEMENT = { tag: 'markdown', content: 'own' };
const HEADER = { title: { tag: 'plain_text', content: 'own' } };
const FEISHU = [
  { msg_type: 'text', content: { text: 'own' } },
  {
    msg_type: 'post',
    content: { post: { zh_cn: { title: 'own', content: [[{ tag: 'text', text: 'own' }]] } } },
  },
  { msg_type: 'interactive', card: { schema: '2.0', header: HEADER, body: { elements: [ELEMENT] } } },
  { msg_type: 'interactive', card: { schema: '2.0', body: { elements: [ELEMENT] } } },
  { msg_type: 'interactive', card: { header: HEADER, elements: [ELEMENT] } },
];

const GOOD = [
  ...DINGTALK.map((json) => [dingtalk, json] as const),
  ...FEISHU.map((json) => [feishu, json] as const),
];

function adopted(provider: Provider, json: unknown, additions: Additions) {
  const result = provider.adopt(json, provider.name === 'dingtalk' ? 'card' : 'card2', additions);
  if (result.kind === 'problem') throw new Error(result.problem);
  return result.message;
}

function problemOf(provider: Provider, json: unknown): string {
  const result = provider.adopt(json, 'text', NOTHING);
  return result.kind === 'problem' ? result.problem : '';
}

describe('a message that a template wrote', () => {
  it.each(GOOD)('is left as it is when there is nothing to put in: %#', (provider, json) => {
    expect(adopted(provider, json, NOTHING).json).toEqual(json);
  });

  it.each(GOOD)('holds everything that had to be put in: %#', (provider, json) => {
    const text = JSON.stringify(adopted(provider, json, ALL).json);

    for (const part of ['own', '【告警】', 'late', '+3 more', 'grafana.example.com', 'ou_1'])
      expect(text).toContain(part);
  });

  it('is taken by robots that check signature, shape and keyword', async () => {
    const robots = await startRobots({ clock: { now: () => 0 } });
    try {
      const codes = await Promise.all(
        GOOD.map(async ([provider, json], index) => {
          const url =
            provider === dingtalk
              ? robots.dingtalkUrl(`t${index}`, { keyword: ALL.keyword })
              : robots.feishuUrl(`t${index}`, { keyword: ALL.keyword });
          const answer = await fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json; charset=utf-8' },
            body: JSON.stringify(adopted(provider, json, ALL).json),
          });
          return answer.json();
        }),
      );

      expect(codes).toEqual(
        GOOD.map(([provider]) =>
          expect.objectContaining(provider === dingtalk ? { errcode: 0 } : { code: 0 }),
        ),
      );
    } finally {
      await robots.close();
    }
  });

  it('mentions whom the template mentions, and whom we do', () => {
    const own = { ...DINGTALK[0], at: { atMobiles: ['1'], isAtAll: true } };

    const { json } = adopted(dingtalk, own, ALL);

    expect(json.at).toEqual({ atMobiles: ['1'], atUserIds: ['ou_1'], isAtAll: true });
  });

  it('becomes markdown when its type cannot mention', () => {
    const types = DINGTALK.map((json) => adopted(dingtalk, json, ALL).json.msgtype);

    expect(types).toEqual(['text', 'markdown', 'markdown', 'markdown', 'markdown']);
  });

  it.each([
    [dingtalk, {}, 'msgtype: must be text, markdown, link or actionCard'],
    [dingtalk, [], 'must be text'],
    [dingtalk, { msgtype: 'feedCard' }, 'msgtype: must be'],
    [dingtalk, { msgtype: 'markdown', markdown: { title: ' ', text: 'x' } }, 'markdown.title: is blank'],
    [dingtalk, { msgtype: 'actionCard', actionCard: { title: 'x', text: 'x' } }, 'actionCard: needs btns'],
    [
      dingtalk,
      {
        msgtype: 'actionCard',
        actionCard: { title: 'x', text: 'x', btns: [{ title: 'x', actionURL: 'javascript:x' }] },
      },
      'actionCard.btns.0.actionURL: is neither http(s) nor dingtalk://',
    ],
    [feishu, { msgtype: 'text' }, 'msg_type: must be interactive, text or post'],
    [feishu, { msg_type: 'text', content: { text: '' } }, 'content.text: is blank'],
    [
      feishu,
      { msg_type: 'interactive', card: { schema: '2.0', body: { elements: [] } } },
      'card.body.elements: is empty',
    ],
    [feishu, { msg_type: 'interactive', card: { type: 'template', data: {} } }, 'card.header: '],
    [feishu, { msg_type: 'post', content: { post: {} } }, 'content.post: is empty'],
  ])('is refused with the place of what is wrong: %#', (provider, json, problem) => {
    expect(problemOf(provider, json)).toContain(problem);
  });
});
