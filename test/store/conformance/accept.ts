import { describe, expect, it } from 'vitest';
import { claimOf, delivered, makeAccepted } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

const T0 = 1_700_000_000_000;
const WINDOW_MS = 120_000;

/** A notification that says `what`, seen `afterMs` after the first. */
function saying(what: string, afterMs = 0) {
  return makeAccepted({ receivedAt: T0 + afterMs, dedup: { key: what, windowMs: WINDOW_MS } });
}

export function acceptSuite(open: OpenSubject): void {
  describe('accepting', () => {
    it('numbers notifications in commit order', async () => {
      const { store } = await open();

      const first = await store.accept(makeAccepted());
      const second = await store.accept(makeAccepted());

      if (first.kind !== 'kept' || second.kind !== 'kept') throw new Error('not kept');
      expect(second.seq).toBeGreaterThan(first.seq);
    });

    it('never uses a number again after everything was pruned', async () => {
      const { store, clock } = await open();
      const first = await store.accept(makeAccepted({ deliveries: [] }));
      clock.advance(1_000);
      await store.prune({ deliveredMs: 1, bodiesMs: 1, deadMs: 1, maxSizeBytes: 1024 ** 3 });

      const second = await store.accept(makeAccepted());

      if (first.kind !== 'kept' || second.kind !== 'kept') throw new Error('not kept');
      expect(second.seq).toBeGreaterThan(first.seq);
    });

    it('finds the same notification inside the window a duplicate and names the first', async () => {
      const { store } = await open();
      const first = saying('firing');
      await store.accept(first);

      const again = await store.accept(saying('firing', WINDOW_MS - 1));

      expect(again).toEqual({ kind: 'duplicate', id: first.entry.id });
      expect((await store.notification(first.entry.id))?.duplicates).toBe(1);
      expect((await store.notifications({ limit: 10 })).items).toHaveLength(1);
    });

    it('keeps the same notification at the end of the window: a reminder', async () => {
      const { store } = await open();
      await store.accept(saying('firing'));

      const reminder = await store.accept(saying('firing', WINDOW_MS));

      expect(reminder.kind).toBe('kept');
    });

    it('does not let a duplicate extend the window', async () => {
      const { store } = await open();
      await store.accept(saying('firing'));
      await store.accept(saying('firing', WINDOW_MS - 1));

      const later = await store.accept(saying('firing', WINDOW_MS + 1));

      expect(later.kind).toBe('kept');
    });

    it('keeps firing, resolved, firing inside the window as three', async () => {
      const { store } = await open();

      const results = [
        await store.accept(saying('firing')),
        await store.accept(saying('resolved', 1_000)),
        await store.accept(saying('firing', 2_000)),
      ];

      expect(results.map(({ kind }) => kind)).toEqual(['kept', 'kept', 'kept']);
    });

    it('looks for duplicates within their scope only', async () => {
      const { store } = await open();
      await store.accept(saying('firing'));

      const elsewhere = await store.accept(
        makeAccepted({ group: 'other', dedup: { key: 'firing', windowMs: WINDOW_MS } }),
      );

      expect(elsewhere.kind).toBe('kept');
    });

    it('never finds a duplicate without a dedup key', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());

      expect((await store.accept(makeAccepted())).kind).toBe('kept');
    });

    it('finds a replayed request a duplicate while its key is kept, whatever came since', async () => {
      const { store, clock } = await open();
      const replay = { key: 'signed-once', keepMs: 900_000 };
      const first = makeAccepted({ replay });
      await store.accept(first);
      await store.accept(makeAccepted());
      clock.advance(900_000);

      const replayed = await store.accept(makeAccepted({ replay }));

      expect(replayed).toEqual({ kind: 'duplicate', id: first.entry.id });
    });

    it('keeps a request whose replay key is no longer kept', async () => {
      const { store, clock } = await open();
      const replay = { key: 'signed-once', keepMs: 900_000 };
      await store.accept(makeAccepted({ replay }));
      clock.advance(900_001);

      expect((await store.accept(makeAccepted({ replay }))).kind).toBe('kept');
    });

    it('keeps replay keys over a restart', async () => {
      const { store, reopen } = await open();
      const replay = { key: 'signed-once', keepMs: 900_000 };
      await store.accept(makeAccepted({ replay }));

      const reopened = await reopen();

      expect((await reopened.accept(makeAccepted({ replay }))).kind).toBe('duplicate');
    });

    it('plans nothing for a duplicate', async () => {
      const { store } = await open();
      await store.accept(saying('firing'));
      await store.accept(saying('firing', 1));

      const work = await store.claim(claimOf());

      expect(work?.lines[0]?.deliveryCount).toBe(1);
    });

    it('keeps a notification without deliveries, with nothing to claim', async () => {
      const { store } = await open();
      const accepted = makeAccepted({ deliveries: [] });

      const result = await store.accept(accepted);

      expect(result.kind).toBe('kept');
      expect(await store.channelsWithLines()).toEqual([]);
      expect((await store.notification(accepted.entry.id))?.deliveries).toEqual([]);
    });

    it.each([0, 100, 5_000, 300_000])('gives a body of %i bytes back byte for byte', async (length) => {
      const { store } = await open();
      const body = Uint8Array.from({ length }, (_, index) => (index * index) % 251);
      const accepted = makeAccepted({ body });
      await store.accept(accepted);

      const [read, work] = [await store.body(accepted.entry.id), await store.claim(claimOf())];

      expect(read).toEqual({ body: expect.anything(), format: 'grafana', source: 'grafana' });
      expect(Buffer.compare(read?.body ?? Buffer.of(1), body)).toBe(0);
      expect(Buffer.compare(work?.lines[0]?.entries[0]?.body ?? Buffer.of(1), body)).toBe(0);
    });

    it('leaves the caller its body', async () => {
      const { store } = await open();
      const pool = Buffer.alloc(100_000, 'x');
      const body = pool.subarray(10, 20);

      const accepted = makeAccepted({ body });
      await store.accept(accepted);

      expect(body.toString()).toBe('xxxxxxxxxx');
      expect(Buffer.from((await store.body(accepted.entry.id))?.body ?? []).toString()).toBe('xxxxxxxxxx');
    });

    it('keeps all of many that arrive at once', async () => {
      const { store } = await open();
      const many = Array.from({ length: 300 }, (_, index) => makeAccepted({ group: `g${index}` }));

      const results = await Promise.all(many.map((accepted) => store.accept(accepted)));

      expect(results.every(({ kind }) => kind === 'kept')).toBe(true);
      expect((await store.channelState('ops')).waiting).toBe(300);
    });

    it('keeps a notification of 6,000 alerts', async () => {
      const { store } = await open();
      const alerts = Array.from({ length: 6_000 }, (_, index) => ({
        fingerprint: `f${index}`,
        status: 'firing' as const,
        startsAt: T0,
        endsAt: null,
      }));

      await store.accept(makeAccepted({ alerts }));

      const work = await store.claim(claimOf());
      expect(work?.lines[0]?.alertStates).toHaveLength(6_000);
    });

    it('fails alone when its id was kept before, and leaves its neighbours be', async () => {
      const { store } = await open();
      const known = makeAccepted();
      await store.accept(known);
      const before = makeAccepted({ group: 'before' });
      const bad = makeAccepted({ id: known.entry.id, group: 'bad' });
      const after = makeAccepted({ group: 'after' });

      const results = await Promise.allSettled([before, bad, after].map((one) => store.accept(one)));

      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
      expect((await store.channelState('ops')).waiting).toBe(3);
      expect((await store.notifications({ limit: 10 })).items).toHaveLength(3);
    });

    it('still knows after a restart what was kept before it', async () => {
      const { store, crash } = await open();
      const accepted = makeAccepted({ body: 'kept' });
      await store.accept(accepted);

      const reopened = await crash();

      const work = await reopened.claim(claimOf());
      expect(work?.lines[0]?.entries[0]?.notificationId).toBe(accepted.entry.id);
      await reopened.settle(work?.token ?? '', delivered());
      expect((await reopened.delivery(accepted.deliveries[0]?.id ?? ''))?.state).toBe('delivered');
    });
  });
}
