import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/domain/outcome.ts';
import { attempts, channel, composePlainly, DELIVERED, settingsOf, startRig } from './rig.ts';

describe('when the store fails', () => {
  it('sends nothing without a claim, and tries again later', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.fail('claim', true);
    rig.put('ops');
    await rig.clock.advance(10_000);
    const during = rig.sent.length;
    rig.store.fail('claim', false);

    await rig.clock.advance(10_000);

    expect([during, rig.sent.length]).toEqual([0, 1]);
  });

  it('keeps a verdict and settles when the store is back, without sending again', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.fail('settle', true);
    rig.put('ops', { group: 'a' });
    await rig.clock.advance(20_000);
    rig.store.fail('settle', false);
    rig.put('ops', { group: 'b' });

    await rig.clock.advance(10_000);

    expect(rig.texts()).toEqual(['a', 'b']);
    expect(rig.store.settlements.map(({ verdict }) => verdict.outcome)).toEqual(['delivered', 'delivered']);
    expect(attempts(rig)).toHaveLength(2);
  });

  it('gives a verdict up when the lease is surely lost, and says so', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.fail('settle', true);
    rig.put('ops');

    await rig.clock.advance(44_000);

    expect(rig.sent).toHaveLength(1);
    expect(rig.events.map(({ kind }) => kind)).toEqual(['attempted', 'lease_lost']);
  });
});

describe('a lost lease', () => {
  it('drops the late verdict, says so, and sends again as a possible repeat', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    let answer: ((verdict: Verdict) => void) | undefined;
    rig.answer(() => new Promise((resolve) => (answer = resolve)));
    rig.put('ops');
    await rig.clock.advance(50_000);
    rig.answer(() => DELIVERED);

    answer?.(DELIVERED);
    await rig.clock.settle();

    expect(rig.events.filter(({ kind }) => kind === 'lease_lost')).toHaveLength(1);
    expect(rig.sent.map(({ marks }) => marks.isPossibleRepeat)).toEqual([false, true]);
    expect(rig.store.openLeases()).toBe(0);
  });

  it('is not sent on: composing that took too long hands the work back', async () => {
    let isSlow = true;
    const rig = await startRig(settingsOf(channel('ops')), {
      async compose(...args) {
        if (isSlow) await new Promise<void>((resolve) => rig.clock.after(30_000, resolve));
        isSlow = false;
        return composePlainly(...args);
      },
    });
    rig.put('ops');

    await rig.clock.advance(29_999);
    const during = rig.sent.length;
    await rig.clock.advance(1);

    expect(during).toBe(0);
    expect(rig.store.calls.get('release')).toBe(1);
    expect(attempts(rig).map(({ attemptNumber }) => attemptNumber)).toEqual([1]);
  });
});

describe('draining', () => {
  it('waits for what is in flight and settles it', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    let answer: ((verdict: Verdict) => void) | undefined;
    rig.answer(() => new Promise((resolve) => (answer = resolve)));
    rig.put('ops', {}, {});
    await rig.clock.settle();

    const drained = rig.engine.drain(15_000);
    await rig.clock.advance(5_000);
    answer?.(DELIVERED);

    expect(await drained).toEqual({ releasedUnsent: 0, unfinished: 0 });
    expect([rig.sent.length, rig.store.openLeases(), rig.clock.timers()]).toEqual([1, 0, 0]);
  });

  it('hands back what was claimed and not sent', async () => {
    let compose: (() => void) | undefined;
    const rig = await startRig(settingsOf(channel('ops')), {
      compose: (...args) =>
        new Promise((resolve) => {
          compose = () => resolve(composePlainly(...args));
        }),
    });
    const [id] = rig.put('ops');
    await rig.clock.settle();

    const drained = rig.engine.drain(15_000);
    compose?.();

    expect(await drained).toEqual({ releasedUnsent: 1, unfinished: 0 });
    expect([rig.sent.length, rig.store.openLeases()]).toEqual([0, 0]);
    expect(id && rig.store.deliveryState(id)).toBe('scheduled');
  });

  it('waits no longer than its budget', async () => {
    const rig = await startRig(settingsOf(channel('ops'), channel('other')));
    rig.answer(() => new Promise(() => undefined));
    rig.put('ops');
    await rig.clock.settle();

    const drained = rig.engine.drain(15_000);
    await rig.clock.advance(15_000);

    expect(await drained).toEqual({ releasedUnsent: 0, unfinished: 1 });
  });

  it('claims nothing afterwards', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    await rig.engine.drain(15_000);

    rig.put('ops');
    await rig.clock.advance(60_000);

    expect(rig.sent).toEqual([]);
  });
});
