import { describe, expect, it } from 'vitest';
import { dingtalkOps, feishuOps, notification, startService } from '../support/app.ts';

describe('what a channel is told', () => {
  it('is one card per alert where it asks for that, at most twenty and the rest together', async () => {
    const service = await startService({ config: dingtalkOps({ group: 'each' }) });
    const alerts = Array.from({ length: 23 }, (_, index) => ({ name: `disk-${index}.` }));

    await service.post(notification(alerts.slice(0, 3)));
    await service.idle();
    const few = service.shown('ding').map(({ title }) => title);
    await service.post(notification(alerts, { group: 'many' }));
    await service.pass(180_000);

    expect(few).toHaveLength(3);
    const state = (await service.api('GET', '/api/channels')).json.items[0];
    expect(state.waiting).toBe(0);
    const { json } = await service.api('GET', '/api/deliveries?limit=100');
    expect(json.items).toHaveLength(3 + 21);
  });

  it('is nothing of what is over where it does not want to hear it', async () => {
    const service = await startService({ config: feishuOps({ send_resolved: false }) });
    await service.post(notification([{ name: 'disk' }]));
    await service.idle();

    const answer = await service.post(notification([{ name: 'disk', status: 'resolved' }]));
    await service.idle();

    expect(answer.status).toBe(202);
    expect(service.shown('fei')).toHaveLength(1);
  });

  it('follows the routes by label, alert for alert', async () => {
    const service = await startService({
      config: (robots) => ({
        channels: {
          ops: { provider: 'dingtalk', robots: [{ url: robots.dingtalkUrl('ding') }] },
          pay: { provider: 'feishu', robots: [{ url: robots.feishuUrl('fei') }] },
        },
        routes: [{ match: ['team="pay"'], channels: ['pay'] }],
      }),
    });

    await service.post(
      notification([{ name: 'disk-full' }, { name: 'card-refused', labels: { team: 'pay' } }]),
    );
    await service.idle();

    expect(service.shown('ding')[0]?.all).toContain('disk-full');
    expect(service.shown('ding')[0]?.all).not.toContain('card-refused');
    expect(service.shown('fei')[0]?.all).toContain('card-refused');
    expect(service.shown('fei')[0]?.all).not.toContain('disk-full');
  });
});

describe('whom a card mentions', () => {
  it.each([
    ['dingtalk', 'ding', { form: 'markdown' }, ['all', '13800000000']],
    ['feishu', 'fei', {}, ['all', 'ou_alice']],
  ] as const)(
    'is everyone by route and a person by label, on %s',
    async (platform, robot, more, mentioned) => {
      const service = await startService({
        config: (robots) => ({
          ...(platform === 'dingtalk' ? dingtalkOps(more)(robots) : feishuOps(more)(robots)),
          routes: [{ match: ['severity="critical"'], channels: ['ops'], mention: { all: true } }],
          mentions: [
            {
              match: ['owner="alice"'],
              dingtalk: { mobiles: ['13800000000'] },
              feishu: { open_ids: ['ou_alice'] },
            },
          ],
        }),
      });

      await service.post(
        notification([{ name: 'disk', labels: { severity: 'critical', owner: 'alice' } }], { group: 'a' }),
      );
      await service.idle();
      await service.post(notification([{ name: 'quiet' }], { group: 'b' }));
      await service.pass(2_000);

      const mentions = service.robots.received
        .filter((received) => received.robot === robot)
        .map((received) => [...received.mentions].sort());
      expect(mentions).toEqual([[...mentioned].sort(), []]);
    },
  );
});
