import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { asObject } from '../../src/sandbox/exchange.ts';
import { handClock, useRobots } from '../support/robots.ts';

const NOW = Date.UTC(2026, 0, 1);
const SECRET = 'SEC-example';
const robots = useRobots();

async function post(url: string, body: unknown): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return asObject(await response.json()) ?? {};
}

function dingtalkSigned(url: string, secret: string, timestampMs: number): string {
  const sign = createHmac('sha256', secret).update(`${timestampMs}\n${secret}`).digest('base64');
  return `${url}&timestamp=${timestampMs}&sign=${encodeURIComponent(sign)}`;
}

function feishuSigned(message: object, secret: string, timestampSeconds: number): object {
  const sign = createHmac('sha256', `${timestampSeconds}\n${secret}`).digest('base64');
  return { timestamp: String(timestampSeconds), sign, ...message };
}

const dingtalkText = (content: string): object => ({ msgtype: 'text', text: { content } });
const feishuText = (text: string): object => ({ msg_type: 'text', content: { text } });
const feishuCard = (card: object): object => ({ msg_type: 'interactive', card });
const title = { title: { tag: 'plain_text', content: 'x' } };

describe('a look-alike DingTalk robot', () => {
  it('takes a signed message', async () => {
    const sandbox = await robots({ clock: handClock(NOW) });
    const url = dingtalkSigned(sandbox.dingtalkUrl('t', { secret: SECRET }), SECRET, NOW);

    expect(await post(url, dingtalkText('hello'))).toEqual({ errcode: 0, errmsg: 'ok' });
    expect(sandbox.received[0]).toMatchObject({
      platform: 'dingtalk',
      robot: 't',
      at: NOW,
      isShown: true,
      code: 0,
    });
  });

  it.each([
    ['no signature', (url: string) => url, /签名不匹配/u],
    ['another secret', (url: string) => dingtalkSigned(url, 'other', NOW), /签名不匹配/u],
    [
      'a signature more than an hour old',
      (url: string) => dingtalkSigned(url, SECRET, NOW - 3_600_001),
      /签名过期/u,
    ],
  ])('refuses %s with 310000', async (_, sign, text) => {
    const sandbox = await robots({ clock: handClock(NOW) });
    const url = sign(sandbox.dingtalkUrl('t', { secret: SECRET }));

    expect(await post(url, dingtalkText('hello'))).toMatchObject({
      errcode: 310000,
      errmsg: expect.stringMatching(text),
    });
    expect(sandbox.received[0]?.isShown).toBe(false);
  });

  it('refuses a message without its keyword', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t', { keyword: '告警' });

    expect((await post(url, dingtalkText('hello'))).errcode).toBe(310000);
    expect((await post(url, dingtalkText('告警 hello'))).errcode).toBe(0);
  });

  it.each([
    ['not json', 40035],
    [{}, 300001],
    [{ msgtype: 'video' }, 400105],
    [{ msgtype: 'text' }, 400402],
    [{ msgtype: 'markdown', markdown: { title: 'x', text: ' ' } }, 400402],
    [{ msgtype: 'actionCard', actionCard: { title: 'x', text: 'y' } }, 400402],
    [{ msgtype: 'actionCard', actionCard: { title: 'x', text: 'y', btns: [{ title: 'z' }] } }, 400402],
    [{ ...dingtalkText('x'), at: { atMobiles: '138' } }, 400403],
    [dingtalkText('x'.repeat(20_000)), 460101],
  ])('refuses %j with %i', async (message, errcode) => {
    const sandbox = await robots();

    expect((await post(sandbox.dingtalkUrl('t'), message)).errcode).toBe(errcode);
  });

  it('knows no robot by another token, and wants a POST', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');

    expect((await post(url.replace('=t', '=u'), dingtalkText('x'))).errcode).toBe(300005);
    expect(await (await fetch(url)).json()).toMatchObject({ errcode: 43002 });
  });

  it('mutes itself for ten minutes after twenty messages in a minute', async () => {
    const clock = handClock(NOW);
    const sandbox = await robots({ clock });
    const url = sandbox.dingtalkUrl('t');
    for (let sent = 0; sent < 20; sent += 1) await post(url, dingtalkText('x'));

    const over = await post(url, dingtalkText('x'));
    clock.advance(599_000);
    const stillMute = await post(url, dingtalkText('x'));
    clock.advance(1_000);
    const again = await post(url, dingtalkText('x'));

    expect([over.errcode, stillMute.errcode, again.errcode]).toEqual([130101, 130101, 0]);
  });

  it('mentions only who stands in the text and in the list', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');
    const list = { atMobiles: ['13800000000', '13900000000'], isAtAll: true };

    await post(url, { ...dingtalkText('@13800000000 @13700000000'), at: list });

    expect(sandbox.received[0]?.mentions).toEqual(['all', '13800000000']);
  });
});

describe('a look-alike Feishu bot', () => {
  it('takes a signed message', async () => {
    const sandbox = await robots({ clock: handClock(NOW) });
    const url = sandbox.feishuUrl('t', { secret: SECRET });

    const answer = await post(url, feishuSigned(feishuText('hello'), SECRET, NOW / 1_000));

    expect(answer).toEqual({ StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' });
  });

  it.each([
    ['no signature', feishuText('x')],
    ['another secret', feishuSigned(feishuText('x'), 'other', NOW / 1_000)],
    ['a signature more than an hour old', feishuSigned(feishuText('x'), SECRET, NOW / 1_000 - 3_601)],
  ])('refuses %s with 19021', async (_, message) => {
    const sandbox = await robots({ clock: handClock(NOW) });

    expect((await post(sandbox.feishuUrl('t', { secret: SECRET }), message)).code).toBe(19021);
  });

  it('looks for its keyword in texts and titles, not in addresses', async () => {
    const sandbox = await robots();
    const url = sandbox.feishuUrl('t', { keyword: 'alarm' });
    const button = {
      tag: 'button',
      text: { tag: 'plain_text', content: 'x' },
      behaviors: [{ type: 'open_url', default_url: 'https://alarm' }],
    };

    expect((await post(url, feishuCard({ schema: '2.0', body: { elements: [button] } }))).code).toBe(19024);
    expect((await post(url, feishuText('an alarm'))).code).toBe(0);
  });

  it.each([
    ['not json', 9499, /Bad Request/u],
    [feishuText('x'.repeat(20_480)), 9499, /Bad Request/u],
    [{}, 19002, /msg_type need/u],
    [{ msg_type: 'interactive', card: 'text' }, 19002, /card value/u],
    [feishuText(' '), 10002, /text is nil/u],
    [feishuCard({ elements: [{ tag: 'hr' }] }), 11246, /header\.title/u],
    [feishuCard({ header: title, elements: [] }), 11246, /elements is empty/u],
    [feishuCard({ header: title, elements: [{ tag: 'divider' }] }), 11246, /11310.*unsupported.*divider/u],
    [feishuCard({ schema: '2.0', body: { elements: [] } }), 11246, /body\.elements/u],
    [
      feishuCard({ schema: '2.0', extra: 1, body: { elements: [{ tag: 'hr' }] } }),
      11246,
      /unknown property extra/u,
    ],
    [
      feishuCard({
        schema: '2.0',
        body: { elements: [{ tag: 'markdown', content: 'x', text_color: 'red' }] },
      }),
      11246,
      /200621.*unknown property text_color/u,
    ],
    [feishuCard({ schema: '2.0', body: { elements: [{ tag: 'note' }] } }), 11246, /unknown tag note/u],
    [
      feishuCard({
        schema: '2.0',
        header: { ...title, template: '#f00' },
        body: { elements: [{ tag: 'hr' }] },
      }),
      11246,
      /unknown value/u,
    ],
  ])('refuses %j with %i', async (message, code, msg) => {
    const sandbox = await robots();

    expect(await post(sandbox.feishuUrl('t'), message)).toMatchObject({
      code,
      msg: expect.stringMatching(msg),
    });
  });

  it('ignores an unknown property of a card of JSON 1.0', async () => {
    const sandbox = await robots();
    const card = { header: title, whatever: 1, elements: [{ tag: 'markdown', content: 'x' }] };

    expect((await post(sandbox.feishuUrl('t'), feishuCard(card))).code).toBe(0);
  });

  it('knows no bot by another token, whatever the content', async () => {
    const sandbox = await robots();

    expect((await post(`${sandbox.feishuUrl('t')}u`, 'not json')).code).toBe(19001);
  });

  it('takes five messages a second and a hundred a minute', async () => {
    const clock = handClock(NOW);
    const sandbox = await robots({ clock });
    const url = sandbox.feishuUrl('t');
    const codes: unknown[] = [];
    for (let sent = 0; sent < 6; sent += 1) codes.push((await post(url, feishuText('x'))).code);
    clock.advance(1_000);
    for (let sent = 0; sent < 96; sent += 1) {
      clock.advance(300);
      codes.push((await post(url, feishuText('x'))).code);
    }

    expect(codes.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 11232]);
    expect(codes.filter((code) => code === 0)).toHaveLength(100);
    expect(codes.at(-1)).toBe(11232);
  });

  it('mentions by the tag of the message it is in', async () => {
    const sandbox = await robots();
    const url = sandbox.feishuUrl('t');
    const both = '<at id=ou_a></at> <at user_id="ou_b">b</at> &lt;at id=ou_c&gt;';

    await post(url, feishuText(both));
    await post(url, feishuCard({ schema: '2.0', body: { elements: [{ tag: 'markdown', content: both }] } }));

    expect(sandbox.received.map(({ mentions }) => mentions)).toEqual([['ou_b'], ['ou_a']]);
  });
});

describe('a script', () => {
  it('answers once in place of the robot, which then judges again by itself', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t');
    sandbox.script('dingtalk', 't', { kind: 'answer', body: { errcode: -1 }, isShown: true });

    const answers = [await post(url, dingtalkText('x')), await post(url, dingtalkText('x'))];

    expect(answers).toEqual([{ errcode: -1 }, { errcode: 0, errmsg: 'ok' }]);
    expect(sandbox.received).toMatchObject([
      { isShown: true, code: undefined },
      { isShown: true, code: 0 },
    ]);
  });

  it('needs a robot that exists', async () => {
    const sandbox = await robots();

    expect(() => sandbox.script('feishu', 'nobody', { kind: 'hang' })).toThrow('ask for its URL first');
  });
});

it('tells a listener of every message', async () => {
  const heard: string[] = [];
  const sandbox = await robots({ onReceived: ({ robot }) => heard.push(robot) });

  await post(sandbox.feishuUrl('a'), feishuText('x'));

  expect(heard).toEqual(['a']);
});

it('answers 404 where no robot can be', async () => {
  const sandbox = await robots();

  expect((await fetch(`http://127.0.0.1:${sandbox.port}/`)).status).toBe(404);
});
