import { describe, expect, it } from 'vitest';
import { createOutcomes } from '../../src/deliver/outcomes.ts';
import type { Event } from '../../src/domain/events.ts';
import { makeId } from '../../src/domain/ids.ts';
import { createManualClock } from '../support/clock.ts';
import { attempts, channel, DELIVERED, REFUSED, settingsOf, startRig, WRONG_TOKEN } from './rig.ts';

const SECOND = 1_000;

describe('waiting for outcomes', () => {
  it('hears the first verdict of each delivery', async () => {
    const rig = await startRig(settingsOf(channel('ops'), channel('other')));
    rig.answer((sent) =>
      sent.channel === 'ops' ? DELIVERED : { ...WRONG_TOKEN, providerCode: '300005', providerText: 'no' },
    );
    const ids = [...rig.put('ops'), ...rig.put('other')];

    const outcomes = await rig.engine.waitForOutcomes(ids, 10 * SECOND);

    expect([...outcomes.values()]).toEqual([
      DELIVERED,
      { ...WRONG_TOKEN, providerCode: '300005', providerText: 'no' },
    ]);
    expect([...outcomes.keys()]).toEqual(ids);
  });

  it('does not take a rung tried at once for the truth', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(({ rung }) => (rung === 'card' ? REFUSED : DELIVERED));
    const waiting = rig.engine.waitForOutcomes(rig.put('ops'), 10 * SECOND);

    await rig.clock.settle();

    expect([...(await waiting).values()]).toEqual([DELIVERED]);
  });

  it('hears of an attempt that ended before anyone asked', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    const ids = rig.put('ops');
    await rig.clock.advance(SECOND);

    const outcomes = await rig.engine.waitForOutcomes(ids, 10 * SECOND);

    expect([...outcomes.values()]).toEqual([DELIVERED]);
  });

  it('remembers the last thousand verdicts only', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.put('ops');
    await rig.clock.settle();
    const [pattern] = attempts(rig);
    const clock = createManualClock();
    const outcomes = createOutcomes(clock);
    const ids = Array.from({ length: 1_001 }, () => makeId('dlv'));
    for (const deliveryId of ids)
      outcomes.observe({ ...pattern, deliveries: [{ ...pattern?.deliveries[0], deliveryId }] } as Event);

    const waiting = outcomes.waitFor(ids.slice(0, 2), SECOND);
    await clock.advance(SECOND);

    expect([...(await waiting).keys()]).toEqual([ids[1]]);
  });

  it('leaves out what has no verdict in time', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    const waiting = rig.engine.waitForOutcomes([makeId('dlv')], 10 * SECOND);

    await rig.clock.advance(10 * SECOND);

    expect((await waiting).size).toBe(0);
    expect(rig.clock.timers()).toBe(1);
  });
});

describe('a test card', () => {
  it('goes the way of alerts and tells what the robot said', async () => {
    const rig = await startRig(settingsOf(channel('ops')));

    const { notificationId, verdict } = await rig.engine.sendTest('ops', 10 * SECOND);

    expect(verdict).toEqual(DELIVERED);
    expect(rig.store.accepted.map(({ entry }) => entry.id)).toEqual([notificationId]);
    expect(rig.notices()).toEqual([{ to: 'ops', kind: 'test', channel: 'ops' }]);
  });

  it('probes a misconfigured robot, so that a mended one is seen at once', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => WRONG_TOKEN);
    rig.put('ops', { rank: 5 });
    await rig.clock.settle();
    rig.answer(() => DELIVERED);

    const { verdict } = await rig.engine.sendTest('ops', 10 * SECOND);

    expect(verdict).toEqual(DELIVERED);
  });
});
