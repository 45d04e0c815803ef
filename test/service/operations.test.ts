import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dingtalkOps, notification, type Service, startService } from '../support/app.ts';

const DOWN = { kind: 'answer', status: 503, body: '' } as const;

async function firstDelivery(service: Service) {
  return (await service.api('GET', '/api/deliveries')).json.items[0];
}

describe('acting on deliveries', () => {
  it('ends one for good, brings it back as a replay, and refuses what makes no sense', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.robots.script('dingtalk', 'ding', DOWN);
    await service.post(notification([{ name: 'disk' }]));
    await service.idle();
    const { id } = await firstDelivery(service);

    const early = await service.api('POST', `/api/deliveries/${id}/replay`);
    const discarded = await service.api('POST', `/api/deliveries/${id}/discard`);
    const dead = await firstDelivery(service);
    const replayed = await service.api('POST', `/api/deliveries/${id}/replay`);
    await service.pass(5_000);
    const late = await service.api('POST', `/api/deliveries/${id}/discard`);

    expect([early.status, early.json.code]).toEqual([409, 'wrong_state']);
    expect([discarded.status, dead.state, dead.reason]).toEqual([200, 'dead', 'discarded']);
    expect(replayed.status).toBe(200);
    expect(await firstDelivery(service)).toMatchObject({ state: 'delivered' });
    expect(service.shown('ding')).toHaveLength(1);
    expect(service.shown('ding')[0]?.all).toContain('Sent again by a person');
    expect(late.status).toBe(409);
  });

  it('needs the token, and knows what it does not know', async () => {
    const service = await startService({ config: dingtalkOps() });

    const stranger = await service.get('/api/deliveries');
    const unknown = await service.api('POST', '/api/deliveries/dlv_01h455vb4pex5vsknk084sn02q/replay');
    const channel = await service.api('POST', '/api/channels/nowhere/resume');
    const pause = await service.api('POST', '/api/channels/ops/pause', { for: '25h' });

    expect([stranger.status, stranger.json.code]).toEqual([401, 'admin_token_wrong']);
    expect([unknown.status, unknown.json.code]).toEqual([404, 'not_found']);
    expect([channel.status, channel.json.code]).toEqual([404, 'unknown_channel']);
    expect(pause.status).toBe(400);
  });

  it('holds a paused channel back until somebody resumes it', async () => {
    const service = await startService({ config: dingtalkOps() });
    await service.api('POST', '/api/channels/ops/pause', { for: '1h' });
    await service.post(notification([{ name: 'disk' }]));
    await service.pass(30_000);
    const before = service.robots.received.length;

    await service.api('POST', '/api/channels/ops/resume');
    await service.idle();

    expect(before).toBe(0);
    expect(service.shown('ding')).toHaveLength(1);
  });

  it('sends a test card and tells what the robot said of it', async () => {
    const service = await startService({ config: dingtalkOps() });

    const good = await service.api('POST', '/api/channels/ops/test', {});
    service.robots.script('dingtalk', 'ding', {
      kind: 'answer',
      body: { errcode: 310000, errmsg: 'sign not match' },
    });
    const bad = await service.api('POST', '/api/channels/ops/test', {
      payload: notification([{ name: 'mine' }]),
    });

    expect([good.status, good.json.outcome]).toEqual([200, 'delivered']);
    expect([bad.status, bad.json.code, bad.json.provider_code]).toEqual([
      502,
      'test_not_delivered',
      '310000',
    ]);
  });
});

describe('a test with a payload', () => {
  const UNSIGNED = { kind: 'answer', body: { errcode: 310000, errmsg: 'sign not match' } } as const;

  it('tells of the worst of its cards, not of the first', async () => {
    const service = await startService({ config: dingtalkOps({ group: 'each' }) });
    service.robots.script(
      'dingtalk',
      'ding',
      { kind: 'answer', body: { errcode: 0, errmsg: 'ok' } },
      UNSIGNED,
    );

    const answer = await service.api('POST', '/api/channels/ops/test', {
      payload: notification([{ name: 'one', labels: { severity: 'critical' } }, { name: 'two' }]),
    });

    expect([answer.status, answer.json.provider_code]).toEqual([502, '310000']);
  });
});

describe('a reload', () => {
  it('changes nothing when the new configuration is bad', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.configure({ channels: { ops: { provider: 'dingtalk', robots: [] } } });

    const answer = await service.api('POST', '/api/reload');
    await service.post(notification([{ name: 'disk' }]));
    await service.idle();

    expect(answer.json.ok ?? false).toBe(false);
    expect(answer.text).toContain('channels.ops.robots');
    expect(service.shown('ding')).toHaveLength(1);
  });

  it('tells of a store that fails after the swap, and is made whole by the next one', async () => {
    let isFailing = false;
    const service = await startService({
      config: dingtalkOps(),
      app: {
        wrapStore: (store) =>
          new Proxy(store, {
            get: (target, name) => {
              if (name === 'wakeChannel' && isFailing) return () => Promise.reject(new Error('disk on fire'));
              const member: unknown = Reflect.get(target, name, target);
              return typeof member === 'function' ? member.bind(target) : member;
            },
          }),
      },
    });
    isFailing = true;

    const failed = await service.api('POST', '/api/reload');
    isFailing = false;
    const whole = await service.api('POST', '/api/reload');

    expect(failed.json.warnings).toEqual([expect.stringContaining('disk on fire')]);
    expect(service.logs.join('')).toContain('disk on fire');
    expect(whole.json.warnings).toEqual([]);
  });

  it('during a drain does nothing but say so', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.configure({
      channels: { new: { provider: 'dingtalk', robots: [{ url: service.robots.dingtalkUrl('ding') }] } },
    });

    const before = service.app.reload();
    const drained = service.app.close();
    const during = await service.app.reload();
    await drained;

    expect(during).toEqual({ ok: false, problems: [expect.stringContaining('draining')] });
    expect(await before).toEqual(during);
    expect(service.app.engine.states().map(({ name }) => name)).toEqual(['ops']);
  });

  it('names what takes effect only at a restart', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.configure({
      ...dingtalkOps()(service.robots),
      store: { url: `sqlite:${service.folder}/alertcard.db`, retention: { max_size: '3GiB' } },
    });

    const answer = await service.api('POST', '/api/reload');

    expect(answer.json.warnings).toEqual([
      'store.retention.max_size has changed: it takes effect at a restart',
    ]);
  });

  it('hands what waits for a channel that left to the default channels, as does a post to its old path', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.robots.script('dingtalk', 'ding', DOWN);
    await service.post(notification([{ name: 'waiting' }]));
    await service.idle();
    service.configure({
      sources: {
        grafana: { auth: { hmac: { secrets: ['service-test-hmac-secret'] } }, channels: ['new'] },
      },
      channels: { new: { provider: 'feishu', robots: [{ url: service.robots.feishuUrl('fei') }] } },
    });

    const answer = await service.api('POST', '/api/reload');
    await service.pass(2_000);
    const old = await service.post(notification([{ name: 'late' }], { group: 'b' }), {
      path: '/hooks/grafana/ops',
    });
    await service.pass(2_000);

    expect(answer.status).toBe(200);
    expect(old.status).toBe(202);
    const shown = service.shown('fei').map(({ all }) => all);
    expect(shown).toEqual([expect.stringContaining('waiting'), expect.stringContaining('late')]);
  });
});

describe('a template of a team', () => {
  it('that fails with an alert gives way to the built-in one, which says so', async () => {
    const service = await startService({
      config: (robots) => ({ ...dingtalkOps({ template: 'mine' })(robots), templates_dir: './templates' }),
    });
    const folder = join(service.folder, 'templates/dingtalk');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'mine.hbs'),
      '---\ntitle: "mine"\n---\n{{#each alerts}}{{nosuchhelper labels 1}}{{/each}}\n',
    );
    await service.restart();

    await service.post(notification([{ name: 'disk' }]));
    await service.idle();

    const [card] = service.shown('ding');
    expect(card?.all).toContain('disk');
    expect(card?.body).toContain('mine');
    expect((await service.get('/metrics')).text).toMatch(
      /alertcard_template_broken\{template="[^"]*mine"\} 1/,
    );
  });
});

describe('the end', () => {
  it('hands back what waits, which the next start delivers', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.robots.script('dingtalk', 'ding', DOWN);
    const answer = await service.post(notification([{ name: 'disk' }]));
    await service.idle();

    await service.restart();
    await service.pass(2_000);

    const { json } = await service.api('GET', answer.json.status_url);
    expect(json.deliveries).toMatchObject([{ state: 'delivered' }]);
    expect(service.shown('ding')).toHaveLength(1);
  });

  it('shows in readiness and refuses nothing before', async () => {
    const service = await startService({ config: dingtalkOps() });

    const before = await service.get('/readyz');
    const alive = await service.get('/healthz');

    expect([before.status, alive.status]).toEqual([200, 200]);
    await service.app.close();
    await expect(service.app.closed).resolves.toBeUndefined();
  });
});
