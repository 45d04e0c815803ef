import { describe, expect, it } from 'vitest';
import type { Robots } from '../../src/sandbox/robots.ts';
import { dingtalkOps, notification, type Service, startService, type Tree } from '../support/app.ts';

const MINUTE = 60_000;
const THROTTLED = { kind: 'answer', body: { errcode: 130101, errmsg: 'send too fast' } } as const;
const DOWN = { kind: 'answer', status: 503, body: '' } as const;

async function channel(service: Service, name = 'ops') {
  const { json } = await service.api('GET', '/api/channels');
  return json.items.find((item: { name: string }) => item.name === name);
}

/** `ops` on DingTalk with `side` on Feishu to fall back on. */
function withFallback(more: Tree = {}): (robots: Robots) => Tree {
  return (robots) => ({
    channels: {
      ops: { provider: 'dingtalk', robots: [{ url: robots.dingtalkUrl('ding') }], fallback: 'side', ...more },
      side: { provider: 'feishu', robots: [{ url: robots.feishuUrl('fei') }] },
    },
  });
}

describe('a robot that refuses us', () => {
  it('pauses with the reason, is probed, and is mended by a reload with the right secret', async () => {
    const config =
      (secret: string) =>
      (robots: Robots): Tree => ({
        channels: {
          ops: {
            provider: 'dingtalk',
            robots: [{ url: robots.dingtalkUrl('ding', { secret: 'SECright' }), secret }],
          },
        },
      });
    const service = await startService({ config: config('SECwrong') });

    await service.post(notification([{ name: 'disk' }]));
    await service.pass(2_000);
    const paused = await channel(service);
    await service.pass(MINUTE);
    const attempts = service.robots.received.length;
    service.configure(config('SECright')(service.robots));
    const reload = await service.api('POST', '/api/reload');
    await service.pass(2_000);

    expect(paused.robots).toMatchObject([{ reason: 'bad_signature' }]);
    expect(attempts).toBe(2);
    expect(reload.status).toBe(200);
    expect(service.shown('ding')).toHaveLength(1);
    expect((await channel(service)).robots).toMatchObject([{ paused_until: null, reason: null }]);
  });

  it('for its rate rests ten minutes, a restart in between', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.robots.script('dingtalk', 'ding', THROTTLED);
    await service.post(notification([{ name: 'disk' }]));
    await service.pass(2_000);

    await service.restart();
    await service.pass(9 * MINUTE, 10_000);
    const before = service.robots.received.length;
    await service.pass(2 * MINUTE, 5_000);

    expect(before).toBe(1);
    expect(service.shown('ding')).toHaveLength(1);
  });

  it('while another in the same room takes over', async () => {
    const service = await startService({
      config: (robots) => ({
        channels: {
          ops: {
            provider: 'dingtalk',
            robots: [{ url: robots.dingtalkUrl('one') }, { url: robots.dingtalkUrl('two') }],
          },
        },
      }),
    });
    service.robots.script('dingtalk', 'one', THROTTLED);
    service.robots.script('dingtalk', 'two', THROTTLED);

    await service.post(notification([{ name: 'disk' }]));
    await service.pass(2_000);
    await service.post(notification([{ name: 'cpu' }], { group: 'b' }));
    await service.pass(2_000);

    expect(service.robots.received.map(({ robot }) => robot).sort()).toEqual(['one', 'two']);
    expect((await channel(service)).robots).toMatchObject([
      { reason: 'rate_limited' },
      { reason: 'rate_limited' },
    ]);
  });
});

describe('the pace of a robot', () => {
  it('is kept over a restart', async () => {
    const service = await startService({ config: dingtalkOps({ pacing: { per_minute: 3 } }) });
    for (let index = 0; index < 6; index++)
      await service.post(
        notification([{ name: `disk-${index}`, labels: { severity: 'critical' } }], { group: `g${index}` }),
      );
    await service.pass(5_000);
    const before = service.robots.received.length;

    await service.restart();
    await service.pass(40_000);
    const withinMinute = service.robots.received.length;
    await service.pass(2 * MINUTE);

    expect(before).toBe(3);
    expect(withinMinute).toBe(3);
    expect((await channel(service)).waiting).toBe(0);
  });
});

describe('a broken channel', () => {
  it('is told in its fallback with what waits, and told well again', async () => {
    const service = await startService({ config: withFallback() });
    service.robots.script('dingtalk', 'ding', ...Array.from({ length: 8 }, () => DOWN));

    await service.post(notification([{ name: 'disk-of-db-1' }]));
    await service.pass(2.5 * MINUTE);
    const told = service.shown('fei');
    const ready = await service.get('/readyz');
    const metrics = await service.get('/metrics');
    await service.pass(30 * MINUTE, 10_000);

    expect(told).toHaveLength(1);
    expect(told[0]?.all).toContain('disk-of-db-1');
    expect(ready.status).toBe(200);
    expect(ready.text).toContain('broken');
    expect(metrics.text).toContain('alertcard_channel_broken{channel="ops"} 1');
    expect(service.shown('ding')).toHaveLength(1);
    expect(service.shown('fei')).toHaveLength(2);
    expect((await service.get('/metrics')).text).toContain('alertcard_channel_broken{channel="ops"} 0');
  });

  it('by a pause of a person is told as well, and works again when that ends by itself', async () => {
    const service = await startService({ config: withFallback() });
    const paused = await service.api('POST', '/api/channels/ops/pause', { for: '10m' });
    await service.post(notification([{ name: 'disk' }]));

    await service.pass(3 * MINUTE);
    const told = service.shown('fei').length;
    const before = service.robots.received.filter(({ robot }) => robot === 'ding').length;
    await service.pass(8 * MINUTE, 5_000);

    expect(paused.status).toBe(200);
    expect([told, before]).toEqual([1, 0]);
    expect(service.shown('ding')).toHaveLength(1);
  });
});

describe('a death', () => {
  it('is told in the fallback when the channel itself has nothing to send', async () => {
    const service = await startService({ config: withFallback({ give_up_after: '5m' }) });
    await service.api('POST', '/api/channels/ops/pause', { for: '24h' });
    await service.post(notification([{ name: 'disk', status: 'resolved' }]));

    await service.pass(8 * MINUTE, 5_000);

    const { json } = await service.api('GET', '/api/deliveries?state=dead');
    expect(json.items).toMatchObject([{ channel: 'ops', reason: 'expired' }]);
    expect(service.shown('fei')).toHaveLength(1);
    expect(service.shown('fei')[0]?.all).toContain('ops');
  });
});
