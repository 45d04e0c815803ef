import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Answered,
  dingtalkOps,
  feishuOps,
  HMAC_SECRET,
  notification,
  type PostOptions,
  type Service,
  START,
  startService,
} from '../support/app.ts';

const BODY = notification([{ name: 'disk' }]);
const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');
const fixture = (name: string): Buffer => readFileSync(join(FIXTURES, name));
const at = (offsetSeconds: number): string => String(START / 1_000 + offsetSeconds);

describe('the answers of the hook', () => {
  it.each<[number, string, string | Buffer, PostOptions]>([
    [401, 'signature_missing', BODY, { headers: { 'x-grafana-alerting-signature': '' } }],
    [401, 'signature_mismatch', BODY, { secret: 'another' }],
    [401, 'timestamp_missing', BODY, { headers: { 'x-grafana-alerting-timestamp': '' } }],
    [401, 'timestamp_out_of_window', BODY, { headers: { 'x-grafana-alerting-timestamp': at(-301) } }],
    [401, 'timestamp_out_of_window', BODY, { headers: { 'x-grafana-alerting-timestamp': at(301) } }],
    [404, 'unknown_source', BODY, { path: '/hooks/nobody' }],
    [404, 'unknown_channel', BODY, { path: '/hooks/grafana/nowhere' }],
    [401, 'signature_mismatch', BODY, { path: '/hooks/grafana/nowhere', secret: 'another' }],
    [400, 'empty_body', '', {}],
    [415, 'content_encoding_unsupported', BODY, { headers: { 'content-encoding': 'gzip' } }],
  ])('%i %s', async (status, code, body, options) => {
    const service = await startService({ config: dingtalkOps() });

    const answer = await service.post(body, options);

    expect([answer.status, answer.json.code]).toEqual([status, code]);
    expect((await service.api('GET', '/api/notifications')).json.items).toEqual([]);
  });

  it('take PUT, any content type and a path that names the channel', async () => {
    const service = await startService({
      config: (robots) => ({
        channels: {
          ops: { provider: 'dingtalk', robots: [{ url: robots.dingtalkUrl('ding') }] },
          side: { provider: 'feishu', robots: [{ url: robots.feishuUrl('fei') }] },
        },
      }),
    });

    const put = await service.post(BODY, { method: 'PUT', headers: { 'content-type': '?!' } });
    const path = await service.post(BODY, { path: '/hooks/grafana/side' });
    const unknown = await service.post(BODY, { path: '/hooks/grafana/sidee' });
    await service.idle();

    expect([put.status, path.status]).toEqual([202, 202]);
    expect([service.shown('ding').length, service.shown('fei').length]).toEqual([1, 1]);
    expect(unknown.json.detail).toContain('ops, side');
  });

  it('refuse other methods and other paths', async () => {
    const service = await startService({ config: dingtalkOps() });

    const method = await service.get('/hooks/grafana');
    const path = await service.get('/hook');

    expect([method.status, method.json.code]).toEqual([405, 'method_not_allowed']);
    expect([path.status, path.json.code]).toEqual([404, 'not_found']);
  });

  it('refuse a request that was overheard and sent again', async () => {
    const service = await startService({
      config: (robots) => ({
        ...dingtalkOps()(robots),
        sources: {
          grafana: { auth: { hmac: { secrets: [HMAC_SECRET] } }, channels: ['ops'], dedup_window: '0' },
        },
      }),
    });

    const answers = [await service.post(BODY), await service.post(BODY)];
    await service.idle();

    expect(answers.map(({ status }) => status)).toEqual([202, 200]);
    expect(service.shown('ding')).toHaveLength(1);
  });

  it('know bearer, basic and none', async () => {
    const service = await startService({
      config: (robots) => ({
        ...dingtalkOps()(robots),
        sources: {
          bearer: { auth: { bearer: { secrets: ['old', 'new'] } }, channels: ['ops'] },
          basic: { auth: { basic: { secrets: ['grafana:pa:ss'] } }, channels: ['ops'] },
          open: { auth: 'none', channels: ['ops'] },
        },
      }),
    });
    const with_ = (path: string, authorization: string): Promise<Answered> =>
      service.post(BODY, { path, headers: { authorization } });

    const answers = [
      await with_('/hooks/bearer', 'Bearer new'),
      await with_('/hooks/bearer', 'Bearer newer'),
      await with_('/hooks/basic', `Basic ${Buffer.from('grafana:pa:ss').toString('base64')}`),
      await with_('/hooks/basic', `Basic ${Buffer.from('grafana:pass').toString('base64')}`),
      await service.post(BODY, { path: '/hooks/open' }),
    ];

    expect(answers.map(({ status, json }) => `${status} ${json.code ?? json.status}`)).toEqual([
      '202 accepted',
      '401 credentials_wrong',
      '202 accepted',
      '401 credentials_wrong',
      '202 accepted',
    ]);
  });

  it('keep a body past the limit as a stub and tell of it', async () => {
    const service = await startService({
      config: (robots) => ({
        ...dingtalkOps()(robots),
        server: { listen: '127.0.0.1:0', body_limit: '64KiB', admin_token: 'service-test-admin-token' },
      }),
    });
    const long = JSON.stringify({ alerts: [], filler: 'x'.repeat(100_000) });

    const kept = await service.post(long);
    const refused = await service.post(long, { secret: 'another' });
    await service.idle();

    expect(kept.status).toBe(202);
    expect([refused.status, refused.json.code]).toEqual([413, 'body_too_large']);
    expect(service.shown('ding')[0]?.all).toContain('A notification of 0.1 MiB was too large');
  });
});

describe('a body that cannot be read', () => {
  it.each<[string, Buffer]>([
    ['an array', fixture('v12-custom-payload-array.json')],
    ['plain text', fixture('v12-custom-payload-not-json.txt')],
    ['broken JSON', fixture('v12-custom-payload-broken.txt')],
    ['bad UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x20, 0x68, 0x69, 0x22])],
    ['an array 400,000 deep', Buffer.from('['.repeat(400_000))],
  ])('is delivered as text: %s', async (_name, body) => {
    const service = await startService({ config: feishuOps() });

    const answer = await service.post(body);
    await service.idle();

    expect(answer.status).toBe(202);
    expect(service.shown('fei')).toHaveLength(1);
    const { json } = await service.api('GET', '/api/notifications');
    expect(json.items).toMatchObject([{ format: 'unreadable' }]);
  });
});

describe("Grafana's test button", () => {
  it('is answered with what the robot said', async () => {
    const service = await startService({ config: dingtalkOps() });

    const answer = await service.post(fixture('v13-test-button.json'));
    const again = await service.post(fixture('v13-test-button.json'), signedLater(service));

    expect(answer.status).toBe(202);
    expect(answer.json.outcomes).toEqual({ ops: 'delivered' });
    expect(again.json.outcomes).toEqual({ ops: 'delivered' });
  });

  it.each([
    ['dingtalk', 'ding', dingtalkOps(), { errcode: 300005, errmsg: 'token is not exist' }, '300005'],
    ['feishu', 'fei', feishuOps(), { code: 19001, msg: 'param invalid: access token invalid' }, '19001'],
  ] as const)(
    'hears the refusal of %s in its first 1,024 bytes',
    async (platform, robot, config, body, code) => {
      const service = await startService({ config });
      service.robots.script(platform, robot, { kind: 'answer', body });

      const answer = await service.post(fixture('v13-test-button.json'));

      expect([answer.status, answer.json.code]).toEqual([502, 'test_not_delivered']);
      const start = Buffer.from(answer.text).subarray(0, 1_024).toString();
      expect(start).toContain(code);
      expect(start).toContain(Object.values(body)[1]);
      expect(start).toContain('copy its webhook URL anew');
      expect(answer.json.status).toBe(502);
    },
  );

  it('says that no answer came yet when none came in time', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.robots.script('dingtalk', 'ding', { kind: 'hang' });

    const answering = service.post(fixture('v13-test-button.json'));
    while (service.robots.received.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    service.clock.advance(10_000);
    const answer = await answering;
    service.clock.advance(10_000);

    expect(answer.status).toBe(502);
    expect(answer.json.outcomes).toEqual({ ops: 'scheduled' });
  });
});

describe('a request that prefers to wait', () => {
  it('hears every channel', async () => {
    const service = await startService({ config: dingtalkOps() });

    const answer = await service.post(BODY, { headers: { prefer: 'wait=10' } });

    expect([answer.status, answer.json.outcomes]).toEqual([202, { ops: 'delivered' }]);
  });

  it('hears a failure as 502 while the notification stays kept', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.robots.script('dingtalk', 'ding', { kind: 'answer', status: 503, body: '' });

    const answer = await service.post(BODY, { headers: { prefer: 'wait=10' } });
    await service.pass(5_000);

    expect([answer.status, answer.json.outcomes]).toEqual([502, { ops: 'unavailable' }]);
    const { json } = await service.api('GET', answer.json.status_url);
    expect(json.deliveries).toMatchObject([{ state: 'delivered' }]);
  });
});

/** The same body a second later: another signature, so no replay. */
function signedLater({ clock }: Service): PostOptions {
  clock.advance(1_000);
  const timestamp = String(clock.now() / 1_000);
  const body = fixture('v13-test-button.json');
  const hmac = createHmac('sha256', HMAC_SECRET).update(`${timestamp}:`).update(body);
  return {
    headers: {
      'x-grafana-alerting-timestamp': timestamp,
      'x-grafana-alerting-signature': hmac.digest('hex'),
    },
  };
}
