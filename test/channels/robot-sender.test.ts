import { describe, expect, it } from 'vitest';
import { providerOf } from '../../src/channels/registry.ts';
import { createRobotSender, type RobotSender } from '../../src/channels/robot-sender.ts';
import { createSender } from '../../src/channels/send.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ChannelSettings, ProviderName } from '../../src/domain/settings.ts';
import { type HandClock, handClock, LOOPBACK_EGRESS, useRobots } from '../support/robots.ts';
import { cardOf } from './cards.ts';

const SECRET = 'SEC-canary-secret';
const TOKEN = 'canary-token';
const NOW = Date.UTC(2026, 0, 1);
const robots = useRobots();

function senderAt(clock: HandClock): RobotSender {
  return createRobotSender({ sender: createSender({ egress: LOOPBACK_EGRESS, clock }), clock });
}

function channelOf(provider: ProviderName, url: string): ChannelSettings {
  return {
    name: 'ops',
    provider,
    robots: [{ url: new Secret(url), secret: new Secret(SECRET), key: 'robot1' }],
    keyword: '告警',
    form: provider === 'dingtalk' ? 'card' : 'card2',
    template: 'default',
    locale: 'zh-CN',
    timezone: 'Asia/Shanghai',
    sendResolved: true,
    group: 'together',
    mention: { all: false, on: ['firing'] },
    fallback: undefined,
    brokenAfterMs: 120_000,
    lateAfterMs: 300_000,
    giveUpAfterMs: 86_400_000,
    pacing: { perSecond: undefined, perMinute: 18 },
    digestAbove: 6,
  };
}

describe.each(['dingtalk', 'feishu'] as const)('sending to a robot of %s', (name) => {
  const provider = providerOf(name);

  it('signs with the wall clock of each attempt and is delivered', async () => {
    const clock = handClock(NOW);
    const sandbox = await robots({ clock });
    const url = sandbox[`${name}Url`](TOKEN, { secret: SECRET, keyword: '告警' });
    const channel = channelOf(name, url);
    const message = provider.encode(cardOf(), channel.form, channel.keyword);
    const sender = senderAt(clock);

    const first = await sender.send(channel, 'robot1', message);
    clock.advance(7_200_000);
    const second = await sender.send(channel, 'robot1', message);

    expect([first, second]).toMatchObject([
      { outcome: 'delivered', reason: 'ok', providerCode: '0' },
      { outcome: 'delivered', reason: 'ok', providerCode: '0' },
    ]);
  });

  it('is misconfigured when the robot knows another secret', async () => {
    const clock = handClock(NOW);
    const sandbox = await robots({ clock });
    const channel = channelOf(name, sandbox[`${name}Url`](TOKEN, { secret: 'another' }));

    const verdict = await senderAt(clock).send(channel, 'robot1', provider.encode(cardOf(), 'text', ''));

    expect(verdict).toMatchObject({ outcome: 'misconfigured', reason: 'bad_signature' });
  });

  it('repeats no secret of the robot, in whatever words it comes back', async () => {
    const sandbox = await robots();
    const url = sandbox[`${name}Url`](TOKEN);
    const echo = `you sent ${url} and ${SECRET} and ${TOKEN}`;
    sandbox.script(name, TOKEN, { kind: 'answer', body: { errcode: 7, errmsg: echo, code: 7, msg: echo } });
    sandbox.script(name, TOKEN, { kind: 'answer', status: 500, body: echo });
    const sender = senderAt(handClock(NOW));
    const message = provider.encode(cardOf(), 'text', '');

    const verdicts = [
      await sender.send(channelOf(name, url), 'robot1', message),
      await sender.send(channelOf(name, url), 'robot1', message),
    ];

    expect(verdicts).toMatchObject([{ reason: 'unknown_code' }, { reason: 'server_error' }]);
    expect(JSON.stringify(verdicts)).toContain('you sent');
    expect(JSON.stringify(verdicts)).not.toContain('canary');
  });

  it('is unavailable, and says no secret, when nothing listens', async () => {
    const sandbox = await robots();
    const url = sandbox[`${name}Url`](TOKEN);
    await sandbox.close();

    const verdict = await senderAt(handClock(NOW)).send(
      channelOf(name, url),
      'robot1',
      provider.encode(cardOf(), 'text', ''),
    );

    expect(verdict).toMatchObject({ outcome: 'unavailable', reason: 'connect' });
    expect(JSON.stringify(verdict)).not.toContain('canary');
  });

  it.each([
    ['a robot that left the configuration', 'https://oapi.dingtalk.com/x', 'robot2'],
    ['a URL that is none', 'canary', 'robot1'],
  ])('does not throw for %s', async (_, url, key) => {
    const verdict = await senderAt(handClock(NOW)).send(
      channelOf(name, url),
      key,
      provider.encode(cardOf(), 'text', ''),
    );

    expect(verdict.outcome).toBe('misconfigured');
    expect(JSON.stringify(verdict)).not.toContain('canary');
  });

  it.each([
    [
      'a redirect to the metadata service',
      { kind: 'redirect', to: 'http://169.254.169.254/', status: 307 },
      'misconfigured redirect',
    ],
    ['a page', { kind: 'answer', body: '<html>hello</html>' }, 'unconfirmed unreadable_answer'],
    ['nothing', { kind: 'answer', body: '' }, 'unconfirmed unreadable_answer'],
    [
      'success cut off',
      { kind: 'cut_off', body: '{"errcode":0,"code":0}', missingBytes: 1 },
      'unconfirmed unreadable_answer',
    ],
    ['a reset', { kind: 'reset' }, 'unconfirmed reset'],
    ['a bad gateway', { kind: 'answer', status: 502, body: '' }, 'unconfirmed gateway'],
  ] as const)('takes %s for what it is', async (_, script, expected) => {
    const sandbox = await robots();
    const url = sandbox[`${name}Url`](TOKEN);
    sandbox.script(name, TOKEN, script);

    const verdict = await senderAt(handClock(NOW)).send(
      channelOf(name, url),
      'robot1',
      provider.encode(cardOf(), 'text', ''),
    );

    expect(`${verdict.outcome} ${verdict.reason}`).toBe(expected);
  });
});
