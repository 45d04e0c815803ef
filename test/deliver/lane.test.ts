import { describe, expect, it } from 'vitest';
import type { DeliveryId } from '../../src/domain/ids.ts';
import {
  attempts,
  channel,
  composePlainly,
  DELIVERED,
  REFUSED,
  robot,
  type Sent,
  settingsOf,
  startRig,
  THROTTLED,
  TIMED_OUT,
  UNREACHABLE,
  WRONG_TOKEN,
} from './rig.ts';

const MINUTE = 60_000;

/** Seconds since the first POST. */
function secondsOf(sent: readonly Sent[]): number[] {
  const first = sent[0]?.at ?? 0;
  return sent.map(({ at }) => Math.round((at - first) / 1_000));
}

describe('a lane', () => {
  it('delivers what is kept for its channel as soon as it is woken', async () => {
    const rig = await startRig(settingsOf(channel('ops')));

    const [id] = rig.put('ops', { group: 'disk full' });
    await rig.clock.settle();

    expect(rig.texts()).toEqual(['disk full']);
    expect(rig.store.deliveryState(id as DeliveryId)).toBe('delivered');
    expect(rig.store.openLeases()).toBe(0);
  });

  it('sends at once what is kept between an empty claim and the look at what is due', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    const { nextDueInMs, channelState } = rig.store;
    // What was just committed shows in the reads before its sender hears back and the lane is woken.
    rig.store.nextDueInMs = async () => 0;
    rig.store.channelState = async (name) => {
      Object.assign(rig.store, { nextDueInMs, channelState });
      const state = await channelState.call(rig.store, name);
      rig.put('ops', { group: 'late' });
      return state;
    };

    rig.engine.wake('ops');
    await rig.clock.settle();

    expect(rig.texts()).toEqual(['late']);
  });

  it('sends worse ranks first, then in the order of acceptance', async () => {
    const rig = await startRig(settingsOf(channel('ops')));

    rig.put(
      'ops',
      { group: 'info', rank: 3 },
      { group: 'older', rank: 0 },
      { group: 'newer', rank: 0 },
      { group: 'warning', rank: 2 },
    );
    await rig.clock.settle();

    expect(rig.texts()).toEqual(['older', 'newer', 'warning', 'info']);
  });

  it('keeps one attempt in flight, and folds what arrives meanwhile into the next card', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    let answer: (() => void) | undefined;
    rig.answer(() => new Promise((resolve) => (answer = () => resolve(DELIVERED))));
    rig.put('ops', { group: 'a' });
    await rig.clock.settle();

    rig.put('ops', { group: 'a' }, { group: 'a' });
    await rig.clock.settle();
    const during = rig.sent.length;
    answer?.();
    await rig.clock.settle();
    answer?.();
    await rig.clock.settle();

    expect([during, rig.sent.length]).toEqual([1, 2]);
    expect(attempts(rig).map(({ deliveries }) => deliveries.map(({ state }) => state))).toEqual([
      ['delivered'],
      ['folded', 'delivered'],
    ]);
  });

  it('is not delayed by the dead robot of another channel', async () => {
    const rig = await startRig(settingsOf(channel('dead'), channel('alive')));
    rig.answer((sent) => (sent.channel === 'dead' ? new Promise(() => undefined) : DELIVERED));

    rig.put('dead', {}, {});
    rig.put('alive', { group: 'x' }, { group: 'y' });
    await rig.clock.settle();

    expect(rig.texts('alive')).toEqual(['x', 'y']);
  });

  it('goes down the ladder at once, each rung a paced attempt of its own, and starts anew afterwards', async () => {
    const pacing = { perSecond: undefined, perMinute: 3 };
    const rig = await startRig(settingsOf(channel('ops', { pacing })));
    rig.answer(({ rung }) => (rung === 'bare' ? DELIVERED : REFUSED));

    rig.put('ops', { group: 'a' });
    await rig.clock.advance(MINUTE);
    rig.answer(() => DELIVERED);
    rig.put('ops', { group: 'a' });
    await rig.clock.settle();

    expect(rig.sent.map(({ rung }) => rung)).toEqual(['card', 'markdown', 'text', 'bare', 'card']);
    expect(secondsOf(rig.sent)).toEqual([0, 0, 0, 60, 60]);
    expect(attempts(rig).map(({ nextRungAtOnce }) => nextRungAtOnce)).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('records the lower rung that a composer fell back to', async () => {
    const rig = await startRig(settingsOf(channel('ops')), {
      compose: (work, to, rung, marks) => composePlainly(work, to, rung === 'card' ? 'text' : rung, marks),
    });
    rig.answer(({ rung }) => (rung === 'bare' ? DELIVERED : REFUSED));

    rig.put('ops');
    await rig.clock.settle();

    expect(rig.store.settlements.map(({ rung }) => rung)).toEqual(['text', 'bare']);
  });

  it('sends a line that ended the process twice on the bare rung', async () => {
    const rig = await startRig(settingsOf(channel('ops')));

    rig.put('ops', { line: { interruptions: 2 } });
    await rig.clock.settle();

    expect(rig.sent.map(({ rung }) => rung)).toEqual(['bare']);
  });

  it('backs off as a whole while its robots cannot be reached, and new alerts do not hurry it', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => UNREACHABLE);
    rig.put('ops', { group: 'a' });

    for (let second = 0; second < 20; second += 1) {
      rig.put('ops', { group: `later ${second}` });
      await rig.clock.advance(1_000);
    }

    expect(secondsOf(rig.sent)).toEqual([0, 1, 3, 8, 18]);
    expect(rig.store.openLeases()).toBe(0);
  });

  it('backs off slowly after an unconfirmed attempt and marks the repeat', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => TIMED_OUT);

    rig.put('ops');
    await rig.clock.advance(6 * MINUTE + 10_000);

    expect(secondsOf(rig.sent)).toEqual([0, 10, 70, 370]);
    expect(rig.sent.map(({ marks }) => marks.isPossibleRepeat)).toEqual([false, true, true, true]);
  });

  it('sends a throttled card at once by its other robot and keeps the pause over a restart', async () => {
    const two = channel('ops', { robots: [robot('a'), robot('b')] });
    const rig = await startRig(settingsOf(two));
    rig.answer(({ robotKey }) => (robotKey === 'a' ? THROTTLED : DELIVERED));
    rig.put('ops', { group: 'one' }, { group: 'two' });
    await rig.clock.settle();
    await rig.engine.drain(1_000);

    const again = await startRig(settingsOf(two), rig);
    again.put('ops', { group: 'three' });
    await again.clock.settle();

    expect([...rig.sent, ...again.sent].map(({ robotKey, text }) => `${robotKey} ${text}`)).toEqual([
      'a one',
      'b one',
      'b two',
      'b three',
    ]);
    expect(rig.store.pauses).toEqual([
      { robotKey: 'a', forMs: 10 * MINUTE, reason: 'rate_limited', until: expect.any(Number) },
    ]);
  });

  it('waits only when every robot pauses, and goes on when the first returns', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => THROTTLED);
    rig.put('ops');
    await rig.clock.settle();
    rig.answer(() => DELIVERED);

    await rig.clock.advance(10 * MINUTE);

    expect(secondsOf(rig.sent)).toEqual([0, 600]);
  });

  it('probes a misconfigured robot at 1, 5, 15 and 30 minutes with its next delivery', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => WRONG_TOKEN);
    rig.put('ops');

    await rig.clock.advance(100 * MINUTE);

    expect(secondsOf(rig.sent).map((seconds) => seconds / 60)).toEqual([0, 1, 6, 21, 51, 81]);
  });

  it('probes a misconfigured robot at once on reload, on resume and at a start', async () => {
    const settings = settingsOf(channel('ops'));
    const rig = await startRig(settings);
    rig.answer(() => WRONG_TOKEN);
    rig.put('ops');
    await rig.clock.settle();

    await rig.engine.reload(settings);
    await rig.clock.settle();
    await rig.engine.resume('ops');
    await rig.clock.settle();
    await rig.engine.drain(1_000);
    const again = await startRig(settings, rig);

    expect([rig.sent.length, again.sent.length]).toEqual([3, 1]);
  });

  it('blames the robot when even the bare card was refused', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => REFUSED);

    rig.put('ops');
    await rig.clock.settle();

    expect(attempts(rig).map(({ verdict }) => verdict.reason)).toEqual([
      'bad_message',
      'bad_message',
      'bad_message',
      'bare_refused',
    ]);
    expect(rig.events).toContainEqual(
      expect.objectContaining({ kind: 'robot_paused', reason: 'bare_refused', forMs: MINUTE }),
    );
  });

  it('never exceeds its pacing in any minute, and keeps three of eighteen tokens for the worst', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    const line = { isAlone: true };
    rig.put('ops', ...Array.from({ length: 60 }, () => ({ rank: 2, line })));
    await rig.clock.advance(10_000);
    const atFirst = rig.sent.length;

    rig.put('ops', ...Array.from({ length: 5 }, () => ({ group: 'worst', rank: 0 })));
    rig.put('ops', { group: 'also worst', rank: 0 });
    await rig.clock.advance(5 * MINUTE);

    const busiest = rig.sent.map(
      ({ at }) => rig.sent.filter((other) => other.at > at - MINUTE && other.at <= at).length,
    );
    expect(atFirst).toBe(15);
    expect(rig.texts().slice(15, 17)).toEqual(['worst', 'also worst']);
    expect(Math.max(...busiest)).toBeLessThanOrEqual(18);
    expect(rig.sent).toHaveLength(62);
  });

  it('counts the attempts of an earlier process against its pacing', async () => {
    const settings = settingsOf(channel('ops', { pacing: { perSecond: undefined, perMinute: 2 } }));
    const rig = await startRig(settings);
    rig.put('ops', { rank: 0 }, { rank: 0 });
    await rig.clock.settle();
    await rig.engine.drain(1_000);

    const again = await startRig(settings, rig);
    again.put('ops', { rank: 0 });
    await again.clock.advance(59_999);
    const before = again.sent.length;
    await again.clock.advance(1);

    expect([rig.sent.length, before, again.sent.length]).toEqual([2, 0, 1]);
  });

  it('gives a token that was not needed to another lane of the same robot', async () => {
    const pacing = { perSecond: undefined, perMinute: 1 };
    const robots = [robot('shared')];
    const rig = await startRig(
      settingsOf(channel('one', { robots, pacing }), channel('two', { robots, pacing })),
    );
    rig.store.put('two', { group: 'x' });

    rig.engine.wake('one');
    rig.engine.wake('two');
    await rig.clock.settle();

    expect(rig.texts('two')).toEqual(['x']);
  });

  it('asks nothing of the store while there is nothing to do', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    const before = rig.store.calls.get('claim') ?? 0;
    rig.put('ops');

    await rig.clock.advance(10 * MINUTE);

    expect(rig.store.calls.get('claim')).toBe(before + 1);
  });

  it('asks once for the worst while it waits for tokens, and again only when something comes', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.put('ops', ...Array.from({ length: 16 }, () => ({ rank: 2, line: { isAlone: true } })));
    await rig.clock.settle();
    const before = rig.store.calls.get('claim') ?? 0;

    await rig.clock.advance(50_000);
    rig.put('ops', { rank: 2 });
    await rig.clock.settle();

    expect(rig.sent).toHaveLength(15);
    expect(rig.store.calls.get('claim')).toBe(before + 1);
  });

  it('says that a card is late and why', async () => {
    const rig = await startRig(settingsOf(channel('ops', { lateAfterMs: 5_000 })));
    rig.answer(() => UNREACHABLE);
    rig.put('ops');
    await rig.clock.advance(17_000);
    rig.answer(() => DELIVERED);

    await rig.clock.advance(2_000);

    expect(rig.sent.at(0)?.marks.late).toBeUndefined();
    expect(rig.sent.at(-1)?.marks.late).toEqual({ byMs: 18_000, reason: 'connect' });
  });

  it('tells of the dead letters of its channel once', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.addDeaths('ops', 3);

    rig.put('ops', { group: 'a' }, { group: 'b' });
    await rig.clock.settle();

    expect(rig.sent.map(({ marks }) => marks.deaths)).toEqual([3, 0]);
  });

  it('lets one line wait and goes on with the others when no message can be made of it', async () => {
    const rig = await startRig(settingsOf(channel('ops')), {
      compose(work, to, rung, marks) {
        if (work.lines[0]?.lineHash === 'poison') throw new Error('a bug');
        return composePlainly(work, to, rung, marks);
      },
    });

    rig.put('ops', { group: 'poison', rank: 0 }, { group: 'fine', rank: 1 });
    await rig.clock.settle();

    expect(rig.texts()).toEqual(['fine']);
    expect(rig.store.settlements[0]).toMatchObject({
      rung: 'bare',
      next: { kind: 'retry', inMs: 5 * MINUTE },
    });
  });

  it('waits out the pause of a person and then goes on by itself', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.pauseChannel('ops', 30 * MINUTE);
    rig.put('ops');
    await rig.clock.advance(30 * MINUTE - 1);
    const during = rig.sent.length;

    await rig.clock.advance(1);

    expect([during, rig.sent.length]).toEqual([0, 1]);
  });
});

describe('every attempt', () => {
  it('makes exactly one event with all that a log line needs', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => ({ ...UNREACHABLE, httpStatus: 503 }));
    const [id] = rig.put('ops', { group: 'abc' });
    await rig.clock.advance(500);

    expect(attempts(rig)).toEqual([
      {
        kind: 'attempted',
        channel: 'ops',
        provider: 'dingtalk',
        robotKey: 'ops-1',
        attemptId: expect.stringMatching(/^att_/),
        attemptNumber: 1,
        rung: 'card',
        bytes: 3,
        verdict: { ...UNREACHABLE, httpStatus: 503 },
        durationMs: 0,
        retryInMs: 1_000,
        deliveries: [
          {
            deliveryId: id,
            notificationId: expect.stringMatching(/^ntf_/),
            state: 'scheduled',
            waitedMs: 0,
          },
        ],
        shown: 1,
        omitted: 0,
        nextRungAtOnce: false,
        template: 'dingtalk/default',
      },
    ]);
  });
});
