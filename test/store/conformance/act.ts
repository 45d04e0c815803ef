import { describe, expect, it } from 'vitest';
import { claimOf, delivered, makeAccepted, retried } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

export function actSuite(open: OpenSubject): void {
  describe('a person’s actions', () => {
    it('replay a dead letter: due again, marked, with a new budget', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted({ body: 'again', deliveries: [{ isFiring: false }] });
      const deliveryId = accepted.deliveries[0]?.id ?? '';
      await store.accept(accepted);
      await store.act({ kind: 'discard', deliveryId });
      clock.advance(10 * 86_400_000);

      expect(await store.act({ kind: 'replay', deliveryId })).toEqual({ kind: 'done', channel: 'ops' });

      expect(await store.expire({ channel: 'ops', giveUpAfterMs: 1_000, limit: 10 })).toEqual({ dead: 0 });
      const line = (await store.claim(claimOf()))?.lines[0];
      expect(line).toMatchObject({ isReplay: true, rung: 0, deliveryCount: 1 });
      expect(line?.entries[0]?.deliveryId).toBe(deliveryId);
    });

    it('replay into the line that waits, which starts at the best rung, due now', async () => {
      const { store } = await open();
      const old = makeAccepted();
      await store.accept(old);
      await store.act({ kind: 'discard', deliveryId: old.deliveries[0]?.id ?? '' });
      const newer = makeAccepted();
      await store.accept(newer);
      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', retried(60_000, { rung: 2 }));

      await store.act({ kind: 'replay', deliveryId: old.deliveries[0]?.id ?? '' });

      const line = (await store.claim(claimOf()))?.lines[0];
      expect(line).toMatchObject({ isReplay: true, rung: 0, deliveryCount: 2 });
      expect(line?.entries[0]?.notificationId).toBe(newer.entry.id);
    });

    it('mark as a replay only the card that carries it', async () => {
      const { store } = await open();
      const dead = makeAccepted();
      await store.accept(dead);
      await store.act({ kind: 'discard', deliveryId: dead.deliveries[0]?.id ?? '' });
      await store.act({ kind: 'replay', deliveryId: dead.deliveries[0]?.id ?? '' });
      const work = await store.claim(claimOf());
      await store.accept(makeAccepted());

      const { next } = await store.settle(work?.token ?? '', delivered(), claimOf());

      expect(next?.lines[0]?.isReplay).toBe(false);
    });

    it('discard a waiting delivery, whose death is told like any other', async () => {
      const { store } = await open();
      const accepted = makeAccepted();
      const deliveryId = accepted.deliveries[0]?.id ?? '';
      await store.accept(accepted);

      expect(await store.act({ kind: 'discard', deliveryId })).toEqual({ kind: 'done', channel: 'ops' });

      expect(await store.delivery(deliveryId)).toMatchObject({ state: 'dead', reason: 'discarded' });
      expect(await store.claim(claimOf())).toBeUndefined();
      expect((await store.channelState('ops')).deathsUntold).toBe(1);
    });

    it('discard a dead letter without counting its death twice', async () => {
      const { store } = await open();
      const accepted = makeAccepted();
      const deliveryId = accepted.deliveries[0]?.id ?? '';
      await store.accept(accepted);
      await store.act({ kind: 'discard', deliveryId });

      expect((await store.act({ kind: 'discard', deliveryId })).kind).toBe('done');
      expect((await store.channelState('ops')).deathsUntold).toBe(1);
    });

    it('discard one of a line and leave the line to the others', async () => {
      const { store } = await open();
      const first = makeAccepted({ deliveries: [{ rank: 5 }] });
      const second = makeAccepted({ deliveries: [{ rank: 1 }] });
      await store.accept(first);
      await store.accept(second);

      await store.act({ kind: 'discard', deliveryId: second.deliveries[0]?.id ?? '' });

      expect((await store.claim(claimOf()))?.lines[0]).toMatchObject({ deliveryCount: 1, rank: 5 });
    });

    it.each(['replay', 'discard'] as const)('refuse to %s what is in flight or delivered', async (kind) => {
      const { store } = await open();
      const accepted = makeAccepted();
      const deliveryId = accepted.deliveries[0]?.id ?? '';
      await store.accept(accepted);
      const work = await store.claim(claimOf());

      expect(await store.act({ kind, deliveryId })).toEqual({ kind: 'wrong_state', state: 'leased' });
      await store.settle(work?.token ?? '', delivered());
      expect(await store.act({ kind, deliveryId })).toEqual({ kind: 'wrong_state', state: 'delivered' });
    });

    it('refuse to replay what still waits', async () => {
      const { store } = await open();
      const accepted = makeAccepted();
      await store.accept(accepted);

      const result = await store.act({ kind: 'replay', deliveryId: accepted.deliveries[0]?.id ?? '' });

      expect(result).toEqual({ kind: 'wrong_state', state: 'scheduled' });
    });

    it('say so when a delivery is unknown', async () => {
      const { store } = await open();

      expect(await store.act({ kind: 'replay', deliveryId: 'dlv_none' })).toEqual({ kind: 'not_found' });
      expect(await store.act({ kind: 'discard', deliveryId: 'dlv_none' })).toEqual({ kind: 'not_found' });
    });

    it('pause a channel, which ends by itself', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted());
      await store.act({ kind: 'pause', channel: 'ops', forMs: 60_000 });
      clock.advance(20_000);

      expect(await store.claim(claimOf())).toBeUndefined();
      expect((await store.channelState('ops')).pausedForMs).toBe(40_000);
      clock.advance(40_000);
      expect((await store.channelState('ops')).pausedForMs).toBeUndefined();
      expect(await store.claim(claimOf())).toBeDefined();
    });

    it('resume a paused channel', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());
      await store.act({ kind: 'pause', channel: 'ops', forMs: 60_000 });

      expect(await store.act({ kind: 'resume', channel: 'ops' })).toEqual({ kind: 'done', channel: 'ops' });

      expect(await store.claim(claimOf())).toBeDefined();
    });

    it('keep a pause over a restart', async () => {
      const { store, reopen } = await open();
      await store.accept(makeAccepted());
      await store.act({ kind: 'pause', channel: 'ops', forMs: 60_000 });

      const reopened = await reopen();

      expect(await reopened.claim(claimOf())).toBeUndefined();
    });
  });
}
