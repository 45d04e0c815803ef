import { describe, expect, it } from 'vitest';
import { channel, settingsOf, startRig } from './rig.ts';

describe('maintenance', () => {
  it('ends what is past its budget in slices, every ten seconds unless a slice was full', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.expiring.push(500, 7);
    await rig.clock.advance(2_000);
    const whileFull = rig.store.calls.get('expire');

    await rig.clock.advance(19_000);

    expect([whileFull, rig.store.calls.get('expire')]).toEqual([2, 3]);
    expect(rig.events.filter(({ kind }) => kind === 'died')).toEqual([
      { kind: 'died', channel: 'ops', reason: 'expired', count: 500 },
      { kind: 'died', channel: 'ops', reason: 'expired', count: 7 },
    ]);
  });

  it('prunes a slice a round while there is more, then once a minute', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.pruning.push(true, true, false);
    await rig.clock.advance(10_000);
    const whileMore = rig.store.calls.get('prune');

    await rig.clock.advance(120_000);

    expect([whileMore, rig.store.calls.get('prune')]).toEqual([3, 5]);
  });

  it('puts pruning off while a card is under way, but not for ever', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    await rig.clock.advance(1_000);
    rig.answer(() => new Promise(() => undefined));
    rig.put('ops');
    await rig.clock.advance(100_000);
    const whileBusy = rig.store.calls.get('prune');

    await rig.clock.advance(60_000);

    expect([whileBusy, rig.store.calls.get('prune')]).toEqual([1, 2]);
  });

  it('wakes a lane whose pause a person cut short', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.pauseChannel('ops', 3_600_000);
    rig.put('ops');
    await rig.clock.advance(5_000);
    const during = rig.sent.length;

    rig.store.pauseChannel('ops', 0);
    await rig.clock.advance(1_000);

    expect([during, rig.sent.length]).toEqual([0, 1]);
  });

  it('reads the state of every channel once a round', async () => {
    const rig = await startRig(settingsOf(channel('a'), channel('b')));
    const before = rig.store.calls.get('channelState') ?? 0;

    await rig.clock.advance(5_000);

    expect(rig.store.calls.get('channelState')).toBe(before + 10);
  });
});
