import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/domain/events.ts';
import { channel, type Rig, settingsOf, startRig } from './rig.ts';

const MINUTE = 60_000;
const FULL: Event = { kind: 'store_writable', writable: false, reason: 'disk full' };
const WELL: Event = { kind: 'store_writable', writable: true, reason: '' };
const REFUSAL: Event = { kind: 'refused', source: 'grafana', code: 'store_unavailable', status: 503 };
const KEPT: Event = {
  kind: 'accepted',
  source: 'grafana',
  notificationId: 'ntf_1',
  channels: [],
  format: 'grafana',
  status: 'firing',
  alerts: 1,
  bytes: 1,
  ackMs: 1,
};

function told(rig: Rig): unknown[] {
  return rig.unstored.map(({ channel: to, notice }) => [
    to,
    notice.kind === 'store_refusing' && notice.refused,
  ]);
}

describe('when the store refuses writes', () => {
  it('each default channel hears at once and every ten minutes, with why and how many were refused', async () => {
    const rig = await startRig(settingsOf(channel('ops'), channel('not-a-default')));
    const since = rig.clock.wall();
    rig.engine.observe(FULL);
    rig.engine.observe(REFUSAL);
    rig.engine.observe(REFUSAL);

    await rig.clock.advance(20 * MINUTE);

    expect(told(rig)).toEqual([
      ['ops', 0],
      ['ops', 2],
      ['ops', 2],
    ]);
    expect(rig.unstored[0]?.notice).toEqual({
      kind: 'store_refusing',
      since,
      reason: 'disk full',
      refused: 0,
    });
  });

  it.each([WELL, KEPT])('they hear no more once it takes writes again', async (event) => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.engine.observe(FULL);
    rig.engine.observe(event);

    await rig.clock.advance(30 * MINUTE);

    expect(told(rig)).toEqual([['ops', 0]]);
  });

  it('they hear of a store that comes and goes no more than once in ten minutes', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    for (let minute = 0; minute < 12; minute += 1) {
      rig.engine.observe(REFUSAL);
      rig.engine.observe(KEPT);
      rig.engine.observe(REFUSAL);
      await rig.clock.advance(MINUTE);
    }

    expect(told(rig)).toHaveLength(2);
  });

  it('one refusal of which nothing more follows is told of once', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.engine.observe(REFUSAL);

    await rig.clock.advance(60 * MINUTE);

    expect(told(rig)).toEqual([['ops', 1]]);
  });

  it('their cards take tokens, and wait for none', async () => {
    const pacing = { perSecond: undefined, perMinute: 1 };
    const rig = await startRig(settingsOf(channel('ops', { pacing })));
    rig.put('ops');
    await rig.clock.settle();
    rig.engine.observe(FULL);
    const whilePaced = told(rig);

    await rig.clock.advance(10 * MINUTE);
    rig.put('ops');
    await rig.clock.advance(59_000);
    const before = rig.sent.length;
    await rig.clock.advance(1_000);

    expect(whilePaced).toEqual([]);
    expect([told(rig).length, before, rig.sent.length]).toEqual([1, 1, 2]);
  });

  it('refusals for other reasons are no news', async () => {
    const rig = await startRig(settingsOf(channel('ops')));

    rig.engine.observe({ ...REFUSAL, code: 'signature_mismatch', status: 401 });
    await rig.clock.advance(MINUTE);

    expect(told(rig)).toEqual([]);
  });
});
