import { describe, expect, it } from 'vitest';
import { dingtalkChannel } from '../../src/channels/dingtalk/config.ts';
import { feishuChannel } from '../../src/channels/feishu/config.ts';

const CANARY = 'canary-token-51f0';

describe("a DingTalk robot's URL", () => {
  it.each([
    'https://oapi.dingtalk.com/robot/send?access_token=abc',
    'https://robots.example.com/any/path',
    'http://127.0.0.1:8080/robot/send?access_token=abc',
  ])('may be %s', (url) => {
    expect(dingtalkChannel.robotUrl.safeParse(url).success).toBe(true);
  });

  it.each([
    ['', /has no URL/u],
    [CANARY, /not a URL/u],
    [`ftp://oapi.dingtalk.com/${CANARY}`, /https/u],
    [`https://oapi.dingtalk.com/robot/send?token=${CANARY}`, /access_token is missing/u],
    [`https://oapi.dingtalk.com/robot?access_token=${CANARY}`, /path must be \/robot\/send/u],
    [`https://oapi.dingtalk.com/robot/sendBySession?session=${CANARY}`, /expires/u],
    [`https://open.feishu.cn/open-apis/bot/v2/hook/${CANARY}`, /provider to feishu/u],
  ])('may not be %s, and the message does not repeat it', (url, message) => {
    const { error } = dingtalkChannel.robotUrl.safeParse(url);

    expect(error?.issues[0]?.message).toMatch(message);
    expect(JSON.stringify(error?.issues)).not.toContain(CANARY);
  });
});

describe("a Feishu bot's URL", () => {
  it.each([
    'https://open.feishu.cn/open-apis/bot/v2/hook/abc-def',
    'https://open.larksuite.com/open-apis/bot/v2/hook/abc-def',
    'http://sandbox:8080/x',
  ])('may be %s', (url) => {
    expect(feishuChannel.robotUrl.safeParse(url).success).toBe(true);
  });

  it.each([
    [`https://open.feishu.cn/open-apis/bot/hook/${CANARY}`, /old kind of bot/u],
    [`https://open.feishu.cn/open-apis/bot/v2/hook/${CANARY}/more`, /path must be/u],
    [`https://www.feishu.cn/flow/api/trigger-webhook/${CANARY}`, /workflow/u],
    [`https://oapi.dingtalk.com/robot/send?access_token=${CANARY}`, /provider to dingtalk/u],
  ])('may not be %s', (url, message) => {
    const { error } = feishuChannel.robotUrl.safeParse(url);

    expect(error?.issues[0]?.message).toMatch(message);
    expect(JSON.stringify(error?.issues)).not.toContain(CANARY);
  });
});

describe('whom a channel may mention', () => {
  it.each([
    ['13800000000', true],
    ['+852-12345678', true],
    ['1234', true],
    ['+85212345678', false],
    ['alice', false],
  ])('%s as a DingTalk mobile: %s', (text, isMobile) => {
    expect(dingtalkChannel.isMobile(text)).toBe(isMobile);
  });

  it.each([
    ['manager1234', true],
    ['a.b-c_d@example.com', true],
    ['two words', false],
    ['', false],
  ])('%j as a DingTalk user id: %s', (text, isUserId) => {
    expect(dingtalkChannel.isUserId(text)).toBe(isUserId);
  });

  it.each(['ou_example1', 'ab12cd34'])('%s in Feishu', (id) => {
    expect(feishuChannel.mentionProblem(id)).toBeUndefined();
    expect(feishuChannel.isUserId(id)).toBe(true);
  });

  it.each([
    ['alice@example.com', /by email/u],
    ['+8613800000000', /by phone/u],
    ['on_abc', /union_id/u],
    ['<at id=all>', /not an open_id/u],
  ])('not %s in Feishu', (id, message) => {
    expect(feishuChannel.mentionProblem(id)).toMatch(message);
    expect(feishuChannel.isUserId(id)).toBe(false);
  });

  it('tells open ids from user ids', () => {
    expect(feishuChannel.isOpenId('ou_example1')).toBe(true);
    expect(feishuChannel.isOpenId('ab12cd34')).toBe(false);
  });
});

it('names forms and pacing of each provider', () => {
  expect(dingtalkChannel).toMatchObject({
    forms: ['card', 'markdown', 'text'],
    defaultForm: 'card',
    defaultPacing: { perSecond: undefined, perMinute: 18 },
  });
  expect(feishuChannel).toMatchObject({
    forms: ['card2', 'card1', 'text'],
    defaultForm: 'card2',
    defaultPacing: { perSecond: 4, perMinute: 90 },
  });
});
