import { describe, expect, it } from 'vitest';
import { buildNotice } from '../../src/deliver/notices.ts';
import { makeId } from '../../src/domain/ids.ts';
import type { Notice } from '../../src/domain/notice.ts';
import { createManualClock } from '../support/clock.ts';
import { channel, settingsOf, startRig, UNREACHABLE } from './rig.ts';

const MINUTE = 60_000;
const deps = { clock: createManualClock(), makeId, hash: (...parts: readonly string[]) => parts.join('|') };

describe('a notice', () => {
  it('is an inbox entry of our own for one channel, and no reason for another notice', () => {
    const notice: Notice = { kind: 'test', channel: 'ops' };

    const { entry, deliveries, alerts } = buildNotice(deps, 'ops', notice);

    expect(entry).toMatchObject({
      source: 'alertcard',
      format: 'notice',
      pathChannel: 'ops',
      isTest: true,
      dedup: undefined,
      replay: undefined,
    });
    expect(JSON.parse(new TextDecoder().decode(entry.body))).toEqual(notice);
    expect(deliveries).toMatchObject([
      { channel: 'ops', rank: 0, isFiring: false, lineHash: entry.groupHash },
    ]);
    expect(alerts).toEqual([]);
  });

  it('of a recovery joins the line of its break, so that the last word counts', () => {
    const broken = { reason: 'dns', hint: '', waiting: 1, worst: [] };

    const [first, second, other] = [
      buildNotice(deps, 'spare', { kind: 'channel_broken', channel: 'ops', ...broken }),
      buildNotice(deps, 'spare', { kind: 'channel_recovered', channel: 'ops', brokenForMs: 1 }),
      buildNotice(deps, 'spare', { kind: 'channel_broken', channel: 'other', ...broken }),
    ];

    expect(second?.entry.groupHash).toBe(first?.entry.groupHash);
    expect(other?.entry.groupHash).not.toBe(first?.entry.groupHash);
  });

  it.each([
    { kind: 'test', channel: 'ops' },
    { kind: 'deaths', channel: 'ops', count: 1, reasons: {} },
  ] as const)('of the kind $kind is never folded into another', (notice) => {
    const hashes = [1, 2].map(() => buildNotice(deps, 'ops', notice).entry.groupHash);

    expect(new Set(hashes).size).toBe(2);
  });
});

describe('a notice that is given', () => {
  it('is heard of when it is kept, so that it can be followed to its outcome', async () => {
    const rig = await startRig(settingsOf(channel('ops')));

    await rig.engine.notify('ops', { kind: 'template_broken', template: 'a', message: 'b' });

    const [accepted] = rig.events;
    expect(accepted).toMatchObject({
      kind: 'accepted',
      source: 'alertcard',
      channels: ['ops'],
      format: 'notice',
      alerts: 0,
    });
    await rig.clock.advance(1_000);
    const attempted = rig.events.find(({ kind }) => kind === 'attempted');
    expect(attempted).toMatchObject({
      deliveries: [{ notificationId: accepted?.kind === 'accepted' && accepted.notificationId }],
    });
  });
});

describe('dead letters that no card has told of', () => {
  it('are told of in the fallback two minutes after the oldest, once', async () => {
    const rig = await startRig(settingsOf(channel('ops', { fallback: 'spare' }), channel('spare')));
    rig.store.addDeaths('ops', 4);
    await rig.clock.advance(2 * MINUTE - 2_000);
    const before = rig.notices();

    await rig.clock.advance(5 * MINUTE);

    expect(before).toEqual([]);
    expect(rig.notices()).toEqual([{ to: 'spare', kind: 'deaths', channel: 'ops', count: 4, reasons: {} }]);
    expect(rig.texts('spare')).toHaveLength(1);
  });

  it('are told of by the next card of their channel when one comes in time', async () => {
    const rig = await startRig(settingsOf(channel('ops', { fallback: 'spare' }), channel('spare')));
    rig.store.addDeaths('ops', 4);
    await rig.clock.advance(MINUTE);

    rig.put('ops');
    await rig.clock.advance(5 * MINUTE);

    expect(rig.sent.map(({ channel: to, marks }) => [to, marks.deaths])).toEqual([['ops', 4]]);
    expect(rig.notices()).toEqual([]);
  });

  it('are told of in the channel itself, once, when it has no fallback', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.store.addDeaths('ops', 4);

    await rig.clock.advance(5 * MINUTE);

    expect(rig.notices()).toEqual([{ to: 'ops', kind: 'deaths', channel: 'ops', count: 4, reasons: {} }]);
    expect(rig.sent.map(({ marks }) => marks.deaths)).toEqual([0]);
  });

  it('wait for recovery in a broken channel without fallback', async () => {
    const rig = await startRig(settingsOf(channel('ops')));
    rig.answer(() => UNREACHABLE);
    rig.put('ops');
    await rig.clock.advance(3 * MINUTE);

    rig.store.addDeaths('ops', 4);
    await rig.clock.advance(5 * MINUTE);

    expect(rig.notices()).toEqual([]);
  });
});
