import { describe, expect, it } from 'vitest';
import { createManualClock } from '../support/clock.ts';
import { createFakeStore } from '../support/fake-store.ts';
import {
  attempts,
  channel,
  settingsOf,
  startRig,
  THROTTLED,
  TIMED_OUT,
  UNREACHABLE,
  WRONG_TOKEN,
} from './rig.ts';

const MINUTE = 60_000;

describe('the engine', () => {
  it('sends at its start whatever waits, backed off or not', async () => {
    const clock = createManualClock();
    const store = createFakeStore(clock);
    store.put('ops', { group: 'due' });
    store.put('ops', { group: 'backed off', line: { dueAt: clock.now() + 30 * MINUTE } });

    const rig = await startRig(settingsOf(channel('ops')), { clock, store });

    expect(rig.texts()).toEqual(['due', 'backed off']);
  });

  it('says after a restart why a card is late', async () => {
    const settings = settingsOf(channel('ops', { lateAfterMs: 1_000 }));
    const rig = await startRig(settings);
    rig.answer(() => TIMED_OUT);
    rig.put('ops');
    await rig.clock.advance(5_000);
    await rig.engine.drain(1_000);

    const again = await startRig(settings, rig);

    expect(again.sent[0]?.marks.late).toEqual({ byMs: 5_000, reason: 'timeout' });
  });

  it('opens lanes for new channels and closes those of removed ones on reload', async () => {
    const rig = await startRig(settingsOf(channel('old')));

    await rig.engine.reload(settingsOf(channel('new')));
    rig.put('old');
    rig.put('new', { group: 'x' });
    await rig.clock.advance(MINUTE);

    expect(rig.texts()).toEqual(['x']);
    expect(rig.engine.states().map(({ name }) => name)).toEqual(['new']);
  });

  it.each(['robotPauses', 'recentAttempts', 'channelState'] as const)(
    'changes nothing on a reload when %s fails, and all on the next',
    async (method) => {
      const rig = await startRig(settingsOf(channel('old')));
      const next = settingsOf(channel('new'));
      rig.store.fail(method, true);

      await expect(rig.engine.reload(next)).rejects.toThrow();
      const during = rig.engine.states().map(({ name }) => name);
      rig.store.fail(method, false);
      await rig.engine.reload(next);

      expect(during).toEqual(['old']);
      expect(rig.engine.states().map(({ name }) => name)).toEqual(['new']);
    },
  );

  it('opens every new lane although waking what waits fails', async () => {
    const rig = await startRig(settingsOf(channel('old')));
    rig.store.fail('wakeChannel', true);

    await expect(rig.engine.reload(settingsOf(channel('a'), channel('b')))).rejects.toThrow();
    rig.put('b', { group: 'x' });
    await rig.clock.advance(MINUTE);

    expect(rig.texts()).toEqual(['x']);
  });

  it('waits in its drain for the last attempt of a removed channel', async () => {
    const rig = await startRig(settingsOf(channel('old')));
    rig.answer(() => new Promise(() => undefined));
    rig.put('old');
    await rig.clock.settle();
    await rig.engine.reload(settingsOf(channel('new')));

    const drained = rig.engine.drain(5_000);
    await rig.clock.advance(5_000);

    expect(await drained).toEqual({ releasedUnsent: 0, unfinished: 1 });
  });

  it('works by the new settings of a channel after a reload', async () => {
    const rig = await startRig(settingsOf(channel('ops')));

    await rig.engine.reload(settingsOf(channel('ops', { form: 'text' })));
    rig.put('ops');
    await rig.clock.settle();

    expect(rig.sent.map(({ rung }) => rung)).toEqual(['text']);
  });

  it('sends at once after a resume, whatever the backoff', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => TIMED_OUT);
    rig.put('ops');
    await rig.clock.advance(1_000);

    await rig.engine.resume('ops');
    await rig.clock.settle();

    expect(rig.sent).toHaveLength(2);
  });

  it('sends a line that came due while its lane slept', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    await rig.clock.settle();

    rig.store.put('ops');
    await rig.clock.advance(1_000);

    expect(rig.sent).toHaveLength(1);
  });

  it('delivers though an observer fails', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    Object.defineProperty(rig.events, 'push', {
      value: () => {
        throw new Error('an observer');
      },
    });

    rig.put('ops', { group: 'a' }, { group: 'b' });
    await rig.clock.settle();

    expect(rig.texts()).toEqual(['a', 'b']);
  });

  it('says that the wall clock was stepped, once, and keeps its own time', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => UNREACHABLE);
    rig.put('ops');
    await rig.clock.settle();

    rig.clock.stepWall(-7_200_000);
    await rig.clock.advance(3_000);

    expect(rig.events.filter(({ kind }) => kind === 'clock_jumped')).toEqual([
      { kind: 'clock_jumped', byMs: -7_200_000 },
    ]);
    expect(attempts(rig)).toHaveLength(3);
  });

  it.each(['reap', 'channelState', 'expire', 'prune'] as const)(
    'keeps its rounds going while %s fails',
    async (method) => {
      const rig = await startRig(settingsOf(channel('ops')));
      rig.store.fail(method, true);
      await rig.clock.advance(3_000);
      rig.store.fail(method, false);
      const before = rig.store.calls.get(method) ?? 0;

      await rig.clock.advance(1_000);

      expect(before).toBeGreaterThanOrEqual(3);
      expect(rig.store.calls.get(method)).toBe(before + 1);
      expect(rig.reports()).toHaveLength(1);
    },
  );

  it.each([
    ['ok', undefined],
    ['backing_off', UNREACHABLE],
    ['throttled', THROTTLED],
    ['throttled', WRONG_TOKEN],
  ] as const)('reports a channel as %s after %o', async (state, verdict) => {
    const rig = await startRig(settingsOf(channel('ops', { fallback: 'spare' }), channel('spare')));
    if (verdict !== undefined) rig.answer(() => verdict);
    rig.put('ops');
    await rig.clock.advance(1_000);
    const paused = verdict === THROTTLED || verdict === WRONG_TOKEN;

    const report = rig.reports()[0];

    expect(report).toMatchObject({
      name: 'ops',
      provider: 'dingtalk',
      state,
      waiting: verdict === undefined ? 0 : 1,
      fallback: 'spare',
      robots: [{ key: 'ops-1', reason: paused ? verdict.reason : undefined }],
      lastAttempt: { outcome: verdict?.outcome ?? 'delivered' },
    });
  });
});
