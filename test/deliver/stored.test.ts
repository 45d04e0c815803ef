import { describe, expect, it } from 'vitest';
import type { Settings } from '../../src/domain/settings.ts';
import { channel, DELIVERED, settingsOf, UNREACHABLE } from './rig.ts';
import { startStoredRig } from './stored-rig.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

/** With the retention of everyday: what ended is still there to be looked at. */
function keeping(settings: Settings): Settings {
  const retention = { deliveredMs: DAY, bodiesMs: DAY, deadMs: DAY, maxSizeBytes: 2 ** 30 };
  return { ...settings, store: { ...settings.store, retention } };
}

function withSpare(given: Parameters<typeof channel>[1] = {}): Settings {
  return keeping(settingsOf(channel('ops', { fallback: 'spare', ...given }), channel('spare')));
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_each, index) => index);
}

describe('a broken channel over a real database', () => {
  it('hands its fallback the waiting firing alerts, again when worse ones join, and one card on recovery', async () => {
    const rig = await startStoredRig(withSpare());
    rig.answer(({ channel: to }) => (to === 'ops' ? UNREACHABLE : DELIVERED));
    for (const group of ['disk', 'queue', 'api']) await rig.put('ops', group, { rank: 2 });
    await rig.put('ops', 'over', { rank: 1_002, isFiring: false, status: 'resolved' });
    await rig.clock.advance(3 * MINUTE);
    await rig.put('ops', 'as bad', { rank: 2 });
    await rig.clock.advance(3 * MINUTE);
    await rig.put('ops', 'worse', { rank: 0 });
    await rig.clock.advance(3 * MINUTE);
    rig.answer(() => DELIVERED);

    await rig.clock.advance(6 * MINUTE);

    const notices = rig.noticesIn('spare');
    expect(notices).toMatchObject([
      { kind: 'channel_broken', waiting: 3, worst: [{ name: 'disk' }, { name: 'queue' }, { name: 'api' }] },
      { kind: 'channel_broken', waiting: 5, worst: [{ name: 'worse' }, {}, {}, {}, {}] },
      { kind: 'channel_recovered' },
    ]);
    expect(await rig.store.channelState('ops')).toMatchObject({ waiting: 0, broken: undefined });
  });

  it('tells the notice on a card of its own, also in a storm of the fallback', async () => {
    const rig = await startStoredRig(withSpare());
    rig.answer(({ channel: to }) => (to === 'ops' ? UNREACHABLE : DELIVERED));
    await rig.put('ops', 'disk');
    await rig.clock.advance(2 * MINUTE);
    await Promise.all(numbers(60).map((group) => rig.put('spare', `spare ${group}`, { rank: 0 })));

    await rig.clock.advance(10_000);

    const cards = rig.sent.filter(({ channel: to }) => to === 'spare');
    const notice = cards.find(({ text }) => text.includes('channel_broken'));
    expect(notice?.lines).toBe(1);
    expect(Math.max(...cards.map(({ lines }) => lines))).toBeGreaterThan(40);
  });

  it('is one that a person paused, and a forgotten pause ends by itself', async () => {
    const rig = await startStoredRig(withSpare());
    await rig.store.act({ kind: 'pause', channel: 'ops', forMs: 10 * MINUTE });
    await rig.put('ops', 'disk');
    await rig.clock.advance(9 * MINUTE);
    const during = rig.sent.filter(({ channel: to }) => to === 'ops').length;

    await rig.clock.advance(2 * MINUTE);

    expect(during).toBe(0);
    expect(rig.noticesIn('spare')).toMatchObject([
      { kind: 'channel_broken', reason: 'paused' },
      { kind: 'channel_recovered' },
    ]);
    expect(rig.sent.filter(({ channel: to }) => to === 'ops').map(({ text }) => text)).toEqual(['disk']);
  });

  it('says on a card that comes late that it does, and why', async () => {
    const rig = await startStoredRig(withSpare());
    rig.answer(() => UNREACHABLE);
    await rig.put('ops', 'disk');
    await rig.clock.advance(6 * MINUTE);
    rig.answer(() => DELIVERED);

    await rig.clock.advance(5 * MINUTE);

    const card = rig.sent.findLast(({ channel: to }) => to === 'ops');
    expect(card?.marks.late?.reason).toBe('connect');
    expect(card?.marks.late?.byMs).toBeGreaterThan(5 * MINUTE);
  });

  it('gives up what is too old, but never the newest of what still fires, and says so in the fallback', async () => {
    const rig = await startStoredRig(withSpare({ giveUpAfterMs: 10 * MINUTE }));
    rig.answer(({ channel: to }) => (to === 'ops' ? UNREACHABLE : DELIVERED));
    const over = await rig.put('ops', 'over', { isFiring: false, status: 'resolved', rank: 1_001 });
    const older = await rig.put('ops', 'disk');
    const newest = await rig.put('ops', 'disk');

    await rig.clock.advance(14 * MINUTE);

    const states = await Promise.all([over, older, newest].map((id) => rig.store.delivery(id)));
    expect(states.map((row) => [row?.state, row?.reason])).toEqual([
      ['dead', 'expired'],
      ['dead', 'expired'],
      ['scheduled', null],
    ]);
    const deaths = rig.noticesIn('spare').filter(({ kind }) => kind === 'deaths');
    expect(deaths).toMatchObject([{ channel: 'ops', count: 2 }]);
  });
});

describe('a storm over a real database', () => {
  it('tells every group once, the worst on cards of their own, and ends all that was kept', async () => {
    const rig = await startStoredRig(keeping(settingsOf(channel('ops'))));
    const groups = numbers(30).map((group) => rig.put('ops', `group ${group}`, { rank: 2 }));
    const ids = await Promise.all([...groups, rig.put('ops', 'worst', { rank: 0 })]);

    await rig.clock.advance(MINUTE);

    const states = await Promise.all(ids.map((id) => rig.store.delivery(id)));
    expect(rig.sent.reduce((sum, { lines }) => sum + lines, 0)).toBe(31);
    expect(rig.sent.length).toBeLessThan(10);
    expect(new Set(states.map((row) => row?.state))).toEqual(new Set(['delivered']));
  });
});
