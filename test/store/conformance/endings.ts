import { describe, expect, it } from 'vitest';
import { claimOf, delivered, makeAccepted } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

const DAY_MS = 86_400_000;
const EXPIRE = { channel: 'ops', giveUpAfterMs: DAY_MS, limit: 100 };

export function endingSuite(open: OpenSubject): void {
  describe('giving up', () => {
    it('ends what is past its budget, and its line with it', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted({ deliveries: [{ isFiring: false }] });
      await store.accept(accepted);
      clock.advance(DAY_MS + 1);

      expect(await store.expire(EXPIRE)).toEqual({ dead: 1 });

      expect(await store.delivery(accepted.deliveries[0]?.id ?? '')).toMatchObject({
        state: 'dead',
        reason: 'expired',
      });
      expect(await store.claim(claimOf())).toBeUndefined();
      expect(await store.channelsWithLines()).toEqual([]);
    });

    it('has no one told of a notice that died, or notices would beget notices for ever', async () => {
      const { store, clock } = await open();
      const notice = { source: 'alertcard', format: 'notice' } as const;
      await store.accept(makeAccepted({ ...notice, group: 'notice', deliveries: [{ isFiring: false }] }));
      await store.accept(makeAccepted({ deliveries: [{ isFiring: false }] }));
      clock.advance(DAY_MS + 1);

      await store.expire(EXPIRE);

      expect((await store.channelState('ops')).deathsUntold).toBe(1);
    });

    it('leaves what is within its budget', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted({ deliveries: [{ isFiring: false }] }));
      clock.advance(DAY_MS);

      expect(await store.expire(EXPIRE)).toEqual({ dead: 0 });
    });

    it('spares the newest of a line while something in it fires, not the older ones', async () => {
      const { store, clock } = await open();
      const older = makeAccepted();
      const newest = makeAccepted();
      await store.accept(older);
      await store.accept(newest);
      clock.advance(DAY_MS + 1);

      expect(await store.expire(EXPIRE)).toEqual({ dead: 1 });

      expect((await store.delivery(older.deliveries[0]?.id ?? ''))?.state).toBe('dead');
      const line = (await store.claim(claimOf()))?.lines[0];
      expect(line?.entries.map(({ notificationId }) => notificationId)).toEqual([newest.entry.id]);
      expect(line?.oldestSeq).toBe(line?.newestSeq);
    });

    it('leaves what is in flight', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted({ deliveries: [{ isFiring: false }] }));
      const work = await store.claim(claimOf());
      clock.advance(DAY_MS + 1);

      expect(await store.expire(EXPIRE)).toEqual({ dead: 0 });
      expect((await store.settle(work?.token ?? '', delivered())).settled).toMatchObject([
        { state: 'delivered' },
      ]);
    });

    it('goes slice by slice past those it spares', async () => {
      const { store, clock } = await open();
      for (let index = 0; index < 5; index += 1)
        await store.accept(makeAccepted({ group: `spared-${index}` }));
      await store.accept(makeAccepted({ group: 'twice' }));
      await store.accept(makeAccepted({ group: 'twice' }));
      clock.advance(DAY_MS + 1);

      let dead = 0;
      for (let calls = 0; calls < 4; calls += 1) dead += (await store.expire({ ...EXPIRE, limit: 2 })).dead;

      expect(dead).toBe(1);
      expect((await store.channelState('ops')).waiting).toBe(6);
    });

    it('ends no more than a slice', async () => {
      const { store, clock } = await open();
      for (const group of ['a', 'b', 'c'])
        await store.accept(makeAccepted({ group, deliveries: [{ isFiring: false }] }));
      clock.advance(DAY_MS + 1);

      expect(await store.expire({ ...EXPIRE, limit: 2 })).toEqual({ dead: 2 });
      expect(await store.expire({ ...EXPIRE, limit: 2 })).toEqual({ dead: 1 });
    });

    it('counts deaths for the next card until a delivered card told of them', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted({ group: 'dying', deliveries: [{ isFiring: false }] }));
      clock.advance(DAY_MS + 1);
      await store.expire(EXPIRE);
      clock.advance(5_000);
      await store.accept(makeAccepted({ group: 'next' }));
      expect(await store.channelState('ops')).toMatchObject({ deathsUntold: 1, oldestDeathMs: 5_000 });

      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', delivered({ deathsTold: 1 }));

      expect(work?.deathsUntold).toBe(1);
      expect(await store.channelState('ops')).toMatchObject({ deathsUntold: 0, oldestDeathMs: undefined });
    });

    it('takes deaths as told by a notice elsewhere', async () => {
      const { store, clock } = await open();
      for (const group of ['a', 'b'])
        await store.accept(makeAccepted({ group, deliveries: [{ isFiring: false }] }));
      clock.advance(DAY_MS + 1);
      await store.expire(EXPIRE);

      await store.tellDeaths('ops', 1);

      expect((await store.channelState('ops')).deathsUntold).toBe(1);
    });
  });

  describe('pruning', () => {
    const RETENTION = {
      deliveredMs: 7 * DAY_MS,
      bodiesMs: 3 * DAY_MS,
      deadMs: 30 * DAY_MS,
      maxSizeBytes: 1024 ** 3,
    };

    it('drops bodies first, then the whole record of what was delivered', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted();
      await store.accept(accepted);
      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', delivered());
      clock.advance(3 * DAY_MS + 1);
      await store.prune(RETENTION);

      expect(await store.body(accepted.entry.id)).toBeUndefined();
      expect(await store.notification(accepted.entry.id)).toMatchObject({ bodyBytes: null });
      clock.advance(4 * DAY_MS);
      await store.prune(RETENTION);
      expect(await store.notification(accepted.entry.id)).toBeUndefined();
      expect(await store.delivery(accepted.deliveries[0]?.id ?? '')).toBeUndefined();
      expect(await store.recentAttempts('robot', 365 * DAY_MS)).toEqual([]);
    });

    it('keeps a dead letter whole, body included, until its own time', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted({ body: 'last words', deliveries: [{ isFiring: false }] });
      await store.accept(accepted);
      await store.act({ kind: 'discard', deliveryId: accepted.deliveries[0]?.id ?? '' });
      clock.advance(29 * DAY_MS);
      await store.prune(RETENTION);

      expect((await store.body(accepted.entry.id))?.body.byteLength).toBe(10);
      clock.advance(DAY_MS + 1);
      await store.prune(RETENTION);
      expect(await store.notification(accepted.entry.id)).toBeUndefined();
    });

    it('keeps a replayed dead letter for as long as it waits', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted({ body: 'again' });
      const deliveryId = accepted.deliveries[0]?.id ?? '';
      await store.accept(accepted);
      await store.act({ kind: 'discard', deliveryId });
      await store.act({ kind: 'replay', deliveryId });
      clock.advance(31 * DAY_MS);

      await store.prune(RETENTION);

      expect((await store.claim(claimOf()))?.lines[0]?.entries[0]?.body.byteLength).toBe(5);
    });

    it('never touches what has not ended, however old or crowded', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted({ deliveries: [{ channel: 'ops' }, { channel: 'dev' }] });
      await store.accept(accepted);
      const work = await store.claim(claimOf('dev'));
      await store.settle(work?.token ?? '', delivered());
      clock.advance(365 * DAY_MS);

      await store.prune({ ...RETENTION, maxSizeBytes: 1 });

      expect((await store.claim(claimOf('ops')))?.lines[0]?.entries[0]?.body.byteLength).toBe(2);
      expect((await store.notification(accepted.entry.id))?.deliveries).toHaveLength(2);
    });

    it('drops what was delivered before its time when the file is crowded', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted();
      await store.accept(accepted);
      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', delivered());
      clock.advance(1);

      await store.prune({ ...RETENTION, maxSizeBytes: 1 });

      expect(await store.notification(accepted.entry.id)).toBeUndefined();
    });

    it('works in slices and says when there is more', async () => {
      const { store, clock } = await open();
      await Promise.all(
        Array.from({ length: 250 }, (_, index) =>
          store.accept(makeAccepted({ group: `g${index}`, deliveries: [] })),
        ),
      );
      clock.advance(8 * DAY_MS);

      let slices = 1;
      while ((await store.prune(RETENTION)).more) slices += 1;

      expect(slices).toBeGreaterThan(2);
      expect((await store.notifications({ limit: 10 })).items).toEqual([]);
    });
  });
}
