import { describe, expect, it } from 'vitest';
import { claimOf, delivered, makeAccepted, retried } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

export function historySuite(open: OpenSubject): void {
  describe('history', () => {
    it('lists notifications newest first, page by page', async () => {
      const { store } = await open();
      const all = [makeAccepted(), makeAccepted(), makeAccepted()];
      for (const accepted of all) await store.accept(accepted);

      const first = await store.notifications({ limit: 2 });
      const second = await store.notifications({ limit: 2, cursor: first.next ?? '' });

      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(
        all.map(({ entry }) => entry.id).reverse(),
      );
      expect(second.next).toBeNull();
    });

    it('lists the notifications of one source', async () => {
      const { store } = await open();
      const wanted = makeAccepted({ source: 'other' });
      await store.accept(makeAccepted());
      await store.accept(wanted);

      const { items } = await store.notifications({ limit: 10, source: 'other' });

      expect(items.map(({ id }) => id)).toEqual([wanted.entry.id]);
    });

    it.each(['', 'x', 'LTU', 'MS41'])('refuses the cursor %j', async (cursor) => {
      const { store } = await open();

      await expect(store.notifications({ limit: 2, cursor })).rejects.toMatchObject({ code: 'bad_request' });
    });

    it('tells the story of a notification', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted({ body: 'four', receivedAt: clock.wall() - 5 });
      const deliveryId = accepted.deliveries[0]?.id;
      await store.accept(accepted);
      clock.advance(1_000);
      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', retried(0));
      clock.advance(1_000);
      const again = await store.claim(claimOf());
      clock.advance(10);
      await store.settle(again?.token ?? '', delivered());

      const detail = await store.notification(accepted.entry.id);

      expect(detail).toMatchObject({ bodyBytes: 4, duplicates: 0, status: 'firing', groupKey: 'g' });
      expect(detail?.timeline).toMatchObject([
        { kind: 'received', at: accepted.entry.receivedAt },
        { kind: 'committed' },
        { kind: 'planned', channel: 'ops', deliveryId },
        { kind: 'attempt', deliveryId, attempt: { outcome: 'unavailable', reason: 'connect' } },
        { kind: 'attempt', deliveryId, attempt: { outcome: 'delivered' } },
        { kind: 'ended', deliveryId, state: 'delivered', reason: null },
      ]);
      expect(detail?.deliveries).toMatchObject([{ id: deliveryId, attempts: 2 }]);
    });

    it('knows nothing of what was never there', async () => {
      const { store } = await open();

      expect(await store.notification('ntf_none')).toBeUndefined();
      expect(await store.delivery('dlv_none')).toBeUndefined();
      expect(await store.body('ntf_none')).toBeUndefined();
    });

    it('lists deliveries by state and channel', async () => {
      const { store } = await open();
      const dead = makeAccepted({ group: 'a', deliveries: [{ channel: 'dev' }] });
      const waiting = makeAccepted({ group: 'b' });
      await store.accept(dead);
      await store.accept(waiting);
      await store.act({ kind: 'discard', deliveryId: dead.deliveries[0]?.id ?? '' });
      const idsOf = async (query: object) =>
        (await store.deliveries({ limit: 10, ...query })).items.map(({ id }) => id);

      expect(await idsOf({ state: 'dead' })).toEqual([dead.deliveries[0]?.id]);
      expect(await idsOf({ state: 'dead', channel: 'ops' })).toEqual([]);
      expect(await idsOf({ state: 'scheduled' })).toEqual([waiting.deliveries[0]?.id]);
      expect(await idsOf({ channel: 'dev' })).toEqual([dead.deliveries[0]?.id]);
      expect(await idsOf({})).toEqual([waiting.deliveries[0]?.id, dead.deliveries[0]?.id]);
    });

    it('pages through dead letters', async () => {
      const { store } = await open();
      const ids: string[] = [];
      for (const group of ['a', 'b', 'c']) {
        const accepted = makeAccepted({ group });
        await store.accept(accepted);
        const deliveryId = accepted.deliveries[0]?.id ?? '';
        ids.unshift(deliveryId);
        await store.act({ kind: 'discard', deliveryId });
      }

      const first = await store.deliveries({ limit: 2, state: 'dead' });
      const second = await store.deliveries({ limit: 2, state: 'dead', cursor: first.next ?? '' });

      expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    });
  });
}
