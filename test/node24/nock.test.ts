import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningApp, startApp } from './app.ts';
import type { RobotExample } from './settings.ts';

const DINGTALK: RobotExample = {
  provider: 'dingtalk',
  url: 'https://oapi.dingtalk.com/robot/send?access_token=dtoken',
  secret: 'SECnode24',
};
const FEISHU: RobotExample = {
  provider: 'feishu',
  url: 'https://open.feishu.cn/open-apis/bot/v2/hook/ftoken',
  secret: 'feishu-node24',
};
const FEISHU_PATH = '/open-apis/bot/v2/hook/ftoken';
const DINGTALK_OK = { errcode: 0, errmsg: 'ok' };
const FEISHU_OK = { StatusCode: 0, StatusMessage: 'success', code: 0, data: {}, msg: 'success' };
const FIRING = readFileSync(resolve(import.meta.dirname, '../../fixtures/grafana/v13-firing-single.json'));

/** Where the application itself listens. */
const LOOPBACK = '127.0.0.1';

/** Every request that no recorded answer was waiting for; must stay empty. */
const strangers: string[] = [];
nock.emitter.on('no match', (request) => {
  const { hostname, origin } = new URL(request.url);
  if (hostname !== LOOPBACK) strangers.push(origin);
});

let app: RunningApp | undefined;

async function startWith(robots: Readonly<Record<string, RobotExample>>): Promise<RunningApp> {
  app = await startApp(robots);
  return app;
}

beforeEach(() => {
  nock.disableNetConnect();
  nock.enableNetConnect(/^127\.0\.0\.1:/);
});

afterEach(async () => {
  await app?.close();
  app = undefined;
  const unused = nock.pendingMocks();
  nock.cleanAll();
  expect({ strangers: strangers.splice(0), unused }).toEqual({ strangers: [], unused: [] });
});

afterAll(() => {
  nock.restore();
});

describe('delivering to the vendors’ own addresses', () => {
  it('signs a DingTalk request in its query and believes errcode 0', async () => {
    const running = await startWith({ ding: DINGTALK });
    nock('https://oapi.dingtalk.com')
      .post('/robot/send', (message) => typeof message.msgtype === 'string')
      .query(isSignedForDingTalk)
      .reply(200, DINGTALK_OK);

    const result = await running.notify('ding', FIRING);

    expect(result).toMatchObject({ status: 202, answer: { outcomes: { ding: 'delivered' } } });
  });

  it('signs a Feishu request in its body and believes code 0', async () => {
    const running = await startWith({ lark: FEISHU });
    nock('https://open.feishu.cn').post(FEISHU_PATH, isSignedForFeishu).reply(200, FEISHU_OK);

    const result = await running.notify('lark', FIRING);

    expect(result).toMatchObject({ status: 202, answer: { outcomes: { lark: 'delivered' } } });
  });

  it('does not take HTTP 200 for success when DingTalk refuses the signature', async () => {
    const running = await startWith({ ding: DINGTALK });
    nock('https://oapi.dingtalk.com')
      .post('/robot/send')
      .query(() => true)
      .reply(200, { errcode: 310000, errmsg: 'sign not match, more: [https://ding-doc.dingtalk.com]' });

    const result = await running.notify('ding', FIRING);

    expect(result).toMatchObject({ status: 502, answer: { code: 'test_not_delivered' } });
    expect(JSON.stringify(result.answer)).toContain('310000');
  });

  it('does not take an HTML page with status 200 for success', async () => {
    const running = await startWith({ lark: FEISHU });
    nock('https://open.feishu.cn').post(FEISHU_PATH).reply(200, '<!doctype html><title>gateway</title>');

    const result = await running.notify('lark', FIRING);

    expect(result).toMatchObject({ status: 502, answer: { code: 'test_not_delivered' } });
  });

  it('sends nothing to a host that is neither a vendor’s nor allowed', async () => {
    const running = await startWith({ other: { ...DINGTALK, url: 'https://robots.example.com/robot/send' } });

    const result = await running.notify('other', FIRING);

    expect(result.status).toBe(502);
    expect(strangers).toEqual([]);
  });
});

function isSignedForDingTalk(query: Record<string, string>): boolean {
  const { access_token: token, timestamp = '', sign } = query;
  const expected = createHmac('sha256', DINGTALK.secret)
    .update(`${timestamp}\n${DINGTALK.secret}`)
    .digest('base64');
  return token === 'dtoken' && /^\d{13}$/.test(timestamp) && sign === expected;
}

function isSignedForFeishu(message: Record<string, unknown>): boolean {
  const { timestamp, sign, msg_type: kind } = message;
  const expected = createHmac('sha256', `${String(timestamp)}\n${FEISHU.secret}`).digest('base64');
  return /^\d{10}$/.test(String(timestamp)) && sign === expected && typeof kind === 'string';
}
