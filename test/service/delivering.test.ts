import { describe, expect, it } from 'vitest';
import { dingtalkOps, feishuOps, notification, startService } from '../support/app.ts';

const REFUSED_CARD = { kind: 'answer', body: { errcode: 40035, errmsg: 'bad message' } } as const;
const BUSY = { kind: 'answer', status: 503, body: 'busy' } as const;

describe('from Grafana to the room', () => {
  it('shows the firing card before the resolved one and tells each attempt in the timeline', async () => {
    const service = await startService({ config: dingtalkOps() });

    const firing = await service.post(notification([{ name: 'disk' }]));
    await service.idle();
    const resolved = await service.post(notification([{ name: 'disk', status: 'resolved' }]));
    await service.idle();

    expect([firing.status, resolved.status]).toEqual([202, 202]);
    expect(service.shown('ding').map(({ title }) => title)).toEqual([
      expect.stringContaining('FIRING'),
      expect.stringContaining('RESOLVED'),
    ]);
    const { json } = await service.api('GET', firing.json.status_url);
    expect(json.deliveries).toMatchObject([{ channel: 'ops', state: 'delivered' }]);
    expect(json.timeline.map((item: { kind: string }) => item.kind)).toEqual([
      'received',
      'committed',
      'planned',
      'attempt',
      'ended',
    ]);
  });

  it('folds what came while the robot was down into one card with the latest statuses', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.robots.script('dingtalk', 'ding', BUSY);
    await service.post(notification([{ name: 'disk' }, { name: 'cpu' }]));
    await service.idle();
    await service.post(notification([{ name: 'disk', status: 'resolved' }, { name: 'cpu' }]));
    await service.post(
      notification([
        { name: 'disk', status: 'resolved' },
        { name: 'cpu', status: 'resolved' },
      ]),
    );

    await service.pass(5_000);

    const shown = service.shown('ding');
    expect(shown).toHaveLength(1);
    expect(shown[0]?.title).toContain('RESOLVED');
    const { json } = await service.api('GET', '/api/deliveries');
    expect(json.items.map((item: { state: string }) => item.state)).toEqual([
      'delivered',
      'folded',
      'folded',
    ]);
  });

  it('does not tell twice what Grafana sent twice', async () => {
    const service = await startService({ config: dingtalkOps() });
    const body = notification([{ name: 'disk' }]);

    const first = await service.post(body);
    service.clock.advance(1_000);
    const second = await service.post(body);
    await service.idle();

    expect(second.status).toBe(200);
    expect(second.json).toEqual({ id: first.json.id, status: 'duplicate' });
    expect(service.shown('ding')).toHaveLength(1);
  });

  it.each([
    ['dingtalk', 'ding', dingtalkOps(), REFUSED_CARD],
    ['feishu', 'fei', feishuOps(), { kind: 'answer', body: { code: 11246, msg: 'card is broken' } }],
  ] as const)('goes down the ladder of %s to its own words', async (platform, robot, config, refused) => {
    const service = await startService({ config });
    service.robots.script(platform, robot, refused, refused, refused);

    const answer = await service.post(notification([{ name: 'secret-disk' }]));
    await service.pass(60_000);

    const { json } = await service.api('GET', answer.json.status_url);
    const attempts = json.timeline.filter((item: { kind: string }) => item.kind === 'attempt');
    expect(
      attempts.map(({ attempt }: { attempt: { rung: string; outcome: string } }) => [
        attempt.rung,
        attempt.outcome,
      ]),
    ).toEqual([
      [platform === 'dingtalk' ? 'card' : 'card2', 'rejected'],
      [platform === 'dingtalk' ? 'markdown' : 'card1', 'rejected'],
      ['text', 'rejected'],
      ['bare', 'delivered'],
    ]);
    expect(service.shown(robot)).toHaveLength(1);
    expect(service.shown(robot)[0]?.all).not.toContain('secret-disk');
  });

  it('gives up the mention, not the form, when the robot does not know a person', async () => {
    const service = await startService({
      config: (robots) => ({
        ...feishuOps()(robots),
        mentions: [{ match: ['alertname="disk"'], feishu: { open_ids: ['ou_gone'] } }],
      }),
    });
    service.robots.script('feishu', 'fei', {
      kind: 'answer',
      body: { code: 11246, msg: 'ErrCode: 100290; ErrMsg: at a user not in the chat' },
    });

    const answer = await service.post(notification([{ name: 'disk' }]));
    await service.pass(10_000);

    const { json } = await service.api('GET', answer.json.status_url);
    const attempts = json.timeline.filter((item: { kind: string }) => item.kind === 'attempt');
    expect(attempts.map(({ attempt }: { attempt: object }) => attempt)).toMatchObject([
      { rung: 'card2', outcome: 'rejected', reason: 'bad_mention' },
      { rung: 'card2', outcome: 'delivered' },
    ]);
    expect(JSON.stringify(service.robots.received[0]?.json)).toContain('ou_gone');
    expect(JSON.stringify(service.robots.received[1]?.json)).not.toContain('ou_gone');
  });

  it('puts the keyword into a card that lacks it', async () => {
    const service = await startService({
      config: (robots) => ({
        channels: {
          ops: {
            provider: 'dingtalk',
            robots: [{ url: robots.dingtalkUrl('ding', { keyword: 'watchword' }) }],
            keyword: 'watchword',
          },
        },
      }),
    });

    await service.post(notification([{ name: 'disk' }]));
    await service.idle();

    expect(service.shown('ding')).toHaveLength(1);
    expect(service.shown('ding')[0]?.all).toContain('watchword');
  });

  it('marks a card as a possible repeat when nobody knows whether the first was shown', async () => {
    const service = await startService({ config: dingtalkOps() });
    service.robots.script('dingtalk', 'ding', { kind: 'reset', isShown: true });

    await service.post(notification([{ name: 'disk' }]));
    await service.pass(30_000);

    const [first, second] = service.shown('ding');
    expect(second?.body).toMatch(/repeat|twice|again/i);
    expect(first?.body).not.toMatch(/repeat|twice/i);
  });
});
