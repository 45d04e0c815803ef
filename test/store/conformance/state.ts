import { describe, expect, it } from 'vitest';
import type { SourceDefaults } from '../../../src/domain/store.ts';
import { claimOf, delivered, makeAccepted, retried } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

export function stateSuite(open: OpenSubject): void {
  describe('the state of a channel', () => {
    it('is empty for one never heard of', async () => {
      const { store } = await open();

      expect(await store.channelState('ops')).toEqual({
        channel: 'ops',
        waiting: 0,
        oldestDueMs: undefined,
        oldestFiringMs: undefined,
        worstRank: undefined,
        pausedForMs: undefined,
        broken: undefined,
        deathsUntold: 0,
        oldestDeathMs: undefined,
        lastDeliveredAt: undefined,
        lastAttempt: undefined,
      });
      expect(await store.knowsChannel('ops')).toBe(false);
    });

    it('tells what waits, for how long and how bad it is', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted({ group: 'calm', deliveries: [{ rank: 50, isFiring: false }] }));
      clock.advance(1_000);
      await store.accept(makeAccepted({ group: 'fires', deliveries: [{ rank: 5 }] }));
      clock.advance(2_000);

      expect(await store.channelState('ops')).toMatchObject({
        waiting: 2,
        oldestDueMs: 3_000,
        oldestFiringMs: 2_000,
        worstRank: 5,
      });
    });

    it('calls bad only what fires: a test or a notice that waits is no worse alert', async () => {
      const { store } = await open();
      await store.accept(makeAccepted({ group: 'test', deliveries: [{ rank: 0, isFiring: false }] }));
      expect((await store.channelState('ops')).worstRank).toBeUndefined();

      await store.accept(makeAccepted({ group: 'fires', deliveries: [{ rank: 5 }] }));

      expect((await store.channelState('ops')).worstRank).toBe(5);
    });

    it('counts what is in flight or backed off as waiting, but not as due', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());
      clock.advance(1_000);

      expect(await store.channelState('ops')).toMatchObject({
        waiting: 1,
        oldestDueMs: undefined,
        oldestFiringMs: 1_000,
        worstRank: 10,
      });
      await store.settle(work?.token ?? '', retried(60_000));
      expect((await store.channelState('ops')).oldestDueMs).toBeUndefined();
      clock.advance(60_000);
      expect((await store.channelState('ops')).oldestDueMs).toBe(61_000);
    });

    it('remembers the last delivery', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());
      clock.advance(300);
      await store.settle(work?.token ?? '', delivered());

      expect((await store.channelState('ops')).lastDeliveredAt).toBe(clock.now());
    });

    it('remembers over a restart what was told of a broken channel, until it recovers', async () => {
      const { store, reopen } = await open();
      await store.noteBroken('ops', { worstRank: 3, reason: 'connect' });

      const reopened = await reopen();

      expect((await reopened.channelState('ops')).broken).toEqual({ worstRank: 3, reason: 'connect' });
      await reopened.noteBroken('ops', null);
      expect((await reopened.channelState('ops')).broken).toBeUndefined();
    });

    it('knows a channel by its deliveries, not by a pause', async () => {
      const { store } = await open();
      await store.act({ kind: 'pause', channel: 'ops', forMs: 1_000 });
      expect(await store.knowsChannel('ops')).toBe(false);

      await store.accept(makeAccepted());

      expect(await store.knowsChannel('ops')).toBe(true);
      expect(await store.channelsWithLines()).toEqual(['ops']);
    });

    it('still knows a channel that has nothing left to deliver', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', delivered());

      expect(await store.knowsChannel('ops')).toBe(true);
      expect(await store.channelsWithLines()).toEqual([]);
    });

    it('says when the next line comes due', async () => {
      const { store, clock } = await open();
      expect(await store.nextDueInMs('ops')).toBeUndefined();
      await store.accept(makeAccepted());
      expect(await store.nextDueInMs('ops')).toBe(0);
      const work = await store.claim(claimOf());
      expect(await store.nextDueInMs('ops')).toBeUndefined();

      await store.settle(work?.token ?? '', retried(60_000));

      expect(await store.nextDueInMs('ops')).toBe(60_000);
      clock.advance(70_000);
      expect(await store.nextDueInMs('ops')).toBe(0);
    });

    it('wakes every line of a channel whatever its backoff', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', retried(1_800_000));

      await store.wakeChannel('ops');

      expect(await store.nextDueInMs('ops')).toBe(0);
    });

    it('does not wake what is in flight', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());

      await store.wakeChannel('ops');

      expect(await store.claim(claimOf())).toBeUndefined();
      expect((await store.settle(work?.token ?? '', delivered())).held).toBe(true);
    });

    it('lists the worst waiting lines with something firing, bodies included', async () => {
      const { store } = await open();
      await store.accept(makeAccepted({ group: 'mild', deliveries: [{ rank: 9 }] }));
      await store.accept(
        makeAccepted({ group: 'worst', body: 'help', deliveries: [{ rank: 1, selection: [3] }] }),
      );
      await store.accept(makeAccepted({ group: 'over', deliveries: [{ rank: 2, isFiring: false }] }));

      const waiting = await store.waitingFiring('ops', 1);

      expect(waiting.lines).toBe(2);
      expect(waiting.worst).toHaveLength(1);
      expect(waiting.worst[0]).toMatchObject({
        rank: 1,
        selection: [3],
        source: 'grafana',
        format: 'grafana',
      });
      expect(new TextDecoder().decode(waiting.worst[0]?.body)).toBe('help');
    });
  });

  describe('a channel that left the configuration', () => {
    it('hands its waiting deliveries to the others', async () => {
      const { store } = await open();
      const accepted = makeAccepted({ deliveries: [{ channel: 'gone', rank: 4 }] });
      await store.accept(accepted);

      expect(await store.rehome('gone', defaults('ops', 'dev'))).toEqual({ moved: 1 });

      for (const channel of ['ops', 'dev']) {
        const line = (await store.claim(claimOf(channel)))?.lines[0];
        expect(line).toMatchObject({ rank: 4, deliveryCount: 1 });
        expect(line?.entries[0]?.notificationId).toBe(accepted.entry.id);
      }
      expect((await store.channelState('gone')).waiting).toBe(0);
      expect(await store.channelsWithLines()).toEqual(['dev', 'ops']);
    });

    it('goes by source, and notices of our own go everywhere', async () => {
      const { store } = await open();
      const second = makeAccepted({ source: 'second', group: 'b', deliveries: [{ channel: 'gone' }] });
      const notice = makeAccepted({ source: 'alertcard', group: 'c', deliveries: [{ channel: 'gone' }] });
      for (const accepted of [makeAccepted({ deliveries: [{ channel: 'gone' }] }), second, notice])
        await store.accept(accepted);

      const { moved } = await store.rehome(
        'gone',
        new Map([
          ['grafana', ['ops']],
          ['second', ['dev']],
        ]),
      );

      expect(moved).toBe(3);
      expect((await store.channelState('ops')).waiting).toBe(2);
      expect((await store.channelState('dev')).waiting).toBe(2);
      expect(await store.delivery(second.deliveries[0]?.id ?? '')).toMatchObject({ channel: 'dev' });
    });

    it('brings a notification only once to a channel where it waits already', async () => {
      const { store } = await open();
      const accepted = makeAccepted({
        deliveries: [
          { channel: 'gone', selection: [2], mentionAll: true },
          { channel: 'ops', selection: [0] },
        ],
      });
      await store.accept(accepted);

      await store.rehome('gone', defaults('ops'));

      const line = (await store.claim(claimOf('ops')))?.lines[0];
      expect(line?.deliveryCount).toBe(1);
      expect(line?.entries[0]).toMatchObject({ selection: [0, 2], mentionAll: true });
      expect(await store.delivery(accepted.deliveries[0]?.id ?? '')).toMatchObject({
        state: 'folded',
        foldedInto: accepted.deliveries[1]?.id,
      });
      expect((await store.channelState('ops')).waiting).toBe(1);
    });

    it('keeps its deliveries when there is no other', async () => {
      const { store } = await open();
      await store.accept(makeAccepted({ deliveries: [{ channel: 'gone' }] }));

      expect(await store.rehome('gone', defaults('gone'))).toEqual({ moved: 0 });
      expect((await store.channelState('gone')).waiting).toBe(1);
    });

    it('moves more than fit in one commit', async () => {
      const { store } = await open();
      await Promise.all(
        Array.from({ length: 450 }, (_, index) =>
          store.accept(makeAccepted({ group: `g${index % 300}`, deliveries: [{ channel: 'gone' }] })),
        ),
      );

      expect(await store.rehome('gone', defaults('ops', 'dev'))).toEqual({ moved: 450 });

      expect((await store.channelState('ops')).waiting).toBe(450);
      expect((await store.channelState('dev')).waiting).toBe(450);
    });
  });
}

/** The default channels of the one source. */
function defaults(...channels: string[]): SourceDefaults {
  return new Map([['grafana', channels]]);
}
