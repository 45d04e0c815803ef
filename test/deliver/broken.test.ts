import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/domain/settings.ts';
import { channel, DELIVERED, settingsOf, startRig, UNREACHABLE, WRONG_TOKEN } from './rig.ts';

const MINUTE = 60_000;

function withFallback(): Settings {
  return settingsOf(
    channel('ops', { fallback: 'spare' }),
    channel('spare', { provider: 'feishu', form: 'card2', fallback: 'third' }),
    channel('third'),
  );
}

describe('a broken channel', () => {
  it('tells its fallback which firing alerts wait, why, and what to do, and keeps trying', async () => {
    const rig = await startRig(withFallback());
    rig.answer((sent) => (sent.channel === 'ops' ? WRONG_TOKEN : DELIVERED));
    rig.put('ops', { group: 'disk full', rank: 1 }, { group: 'over', isFiring: false, rank: 9 });

    await rig.clock.advance(2 * MINUTE + 2_000);

    expect(rig.notices()).toEqual([
      {
        to: 'spare',
        kind: 'channel_broken',
        channel: 'ops',
        reason: 'unknown_token',
        hint: 'The robot is not known: copy its webhook URL anew into the configuration.',
        waiting: 1,
        worst: [{ name: 'disk full', severity: 'critical', summary: '', startedAt: null }],
      },
    ]);
    expect(rig.texts('spare')).toHaveLength(1);
    expect(rig.events).toContainEqual({ kind: 'channel_broken', channel: 'ops', reason: 'unknown_token' });
    expect(rig.reports().find(({ name }) => name === 'ops')).toMatchObject({ state: 'broken', waiting: 2 });
  });

  it('tells it once, again when worse alerts join, and once on recovery', async () => {
    const rig = await startRig(withFallback());
    rig.answer((sent) => (sent.channel === 'ops' ? UNREACHABLE : DELIVERED));
    rig.put('ops', { rank: 2 });
    await rig.clock.advance(4 * MINUTE);
    rig.put('ops', { rank: 2 });
    await rig.clock.advance(4 * MINUTE);
    rig.put('ops', { rank: 1 });
    await rig.clock.advance(4 * MINUTE);
    rig.answer(() => DELIVERED);

    await rig.clock.advance(10 * MINUTE);

    expect(rig.notices().map(({ kind, to }) => `${kind} to ${to}`)).toEqual([
      'channel_broken to spare',
      'channel_broken to spare',
      'channel_recovered to spare',
    ]);
    const recovery = rig.notices()[2];
    const brokenForMs = recovery?.kind === 'channel_recovered' ? recovery.brokenForMs : 0;
    expect(brokenForMs).toBeGreaterThan(12 * MINUTE);
    expect(rig.texts('ops').length).toBeGreaterThan(3);
    expect(rig.events).toContainEqual({ kind: 'channel_recovered', channel: 'ops' });
    expect(rig.reports().map(({ state }) => state)).toEqual(['ok', 'ok', 'ok']);
  });

  it('counts the time since its last delivery', async () => {
    const rig = await startRig(withFallback());
    rig.answer(() => UNREACHABLE);
    rig.put('ops');
    await rig.clock.advance(90_000);
    rig.answer(() => DELIVERED);
    await rig.clock.advance(60_000);
    rig.answer((sent) => (sent.channel === 'ops' ? UNREACHABLE : DELIVERED));
    rig.put('ops');

    await rig.clock.advance(100_000);

    expect(rig.notices()).toEqual([]);
  });

  it('is not one that only waits for tokens', async () => {
    const pacing = { perSecond: undefined, perMinute: 1 };
    const rig = await startRig(
      settingsOf(channel('ops', { fallback: 'spare', brokenAfterMs: 30_000, pacing }), channel('spare')),
    );

    rig.put('ops', {}, {}, {});
    await rig.clock.advance(3 * MINUTE);

    expect(rig.notices()).toEqual([]);
  });

  it('is one that a person paused', async () => {
    const rig = await startRig(withFallback());
    rig.store.pauseChannel('ops', 10 * MINUTE);
    rig.put('ops');

    await rig.clock.advance(2 * MINUTE + 2_000);

    expect(rig.notices()).toMatchObject([{ kind: 'channel_broken', reason: 'paused' }]);
    expect(rig.reports()[0]).toMatchObject({ state: 'paused', brokenReason: 'paused' });
  });

  it('never makes its fallback fall back for the notice', async () => {
    const rig = await startRig(withFallback());
    rig.answer((sent) => (sent.channel === 'third' ? DELIVERED : UNREACHABLE));
    rig.put('ops');

    await rig.clock.advance(30 * MINUTE);

    expect(rig.notices().map(({ to }) => to)).toEqual(['spare']);
    expect(rig.texts('third')).toEqual([]);
  });

  it('is noted and counted even when it has no fallback', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => UNREACHABLE);
    rig.put('ops');

    await rig.clock.advance(3 * MINUTE);

    expect(rig.notices()).toEqual([]);
    expect(rig.reports()[0]).toMatchObject({ state: 'broken', brokenReason: 'connect' });
  });

  it('is not told of twice after a restart, and recovers after one', async () => {
    const settings = withFallback();
    const rig = await startRig(settings);
    rig.answer((sent) => (sent.channel === 'ops' ? UNREACHABLE : DELIVERED));
    rig.put('ops');
    await rig.clock.advance(3 * MINUTE);
    await rig.engine.drain(1_000);

    const again = await startRig(settings, rig);
    await again.clock.advance(5_000);

    expect(again.notices().map(({ kind }) => kind)).toEqual(['channel_broken', 'channel_recovered']);
  });

  it('is told of again when the store could not keep the notice', async () => {
    const rig = await startRig(withFallback());
    rig.answer((sent) => (sent.channel === 'ops' ? UNREACHABLE : DELIVERED));
    rig.store.fail('accept', true);
    rig.put('ops');
    await rig.clock.advance(3 * MINUTE);
    rig.store.fail('accept', false);

    await rig.clock.advance(2_000);

    expect(rig.texts('spare')).toHaveLength(1);
  });
});
