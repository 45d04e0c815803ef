import { describe, expect, it } from 'vitest';
import type { Accepted } from '../../../src/domain/accepted.ts';
import type { Store } from '../../../src/domain/store.ts';
import { claimOf, delivered, makeAccepted, retried } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

const T0 = 1_700_000_000_000;

async function acceptAll(store: Store, accepted: readonly Accepted[]): Promise<void> {
  for (const one of accepted) await store.accept(one);
}

/** Delivers line after line and returns their names in the order they came. */
async function drain(store: Store): Promise<string[]> {
  const order: string[] = [];
  let work = await store.claim(claimOf());
  while (work !== undefined) {
    order.push(...work.lines.map((line) => line.lineHash));
    work = (await store.settle(work.token, delivered(), claimOf())).next;
  }
  return order;
}

export function claimSuite(open: OpenSubject): void {
  describe('claiming', () => {
    it('finds nothing in an empty lane', async () => {
      const { store } = await open();

      expect(await store.claim(claimOf())).toBeUndefined();
    });

    it('hands out the worst rank first, and the longest waiting of equals', async () => {
      const { store } = await open();
      await acceptAll(store, [
        makeAccepted({ group: 'mild', deliveries: [{ rank: 30 }] }),
        makeAccepted({ group: 'bad-1', deliveries: [{ rank: 10 }] }),
        makeAccepted({ group: 'bad-2', deliveries: [{ rank: 10 }] }),
        makeAccepted({ group: 'worst', deliveries: [{ rank: 1 }] }),
      ]);

      expect(await drain(store)).toEqual(['worst', 'bad-1', 'bad-2', 'mild']);
    });

    it('lets one attempt of a channel be open at a time', async () => {
      const { store } = await open();
      await acceptAll(store, [makeAccepted({ group: 'a' }), makeAccepted({ group: 'b' })]);
      await store.claim(claimOf());

      expect(await store.claim(claimOf())).toBeUndefined();
    });

    it('works the lanes independently', async () => {
      const { store } = await open();
      await store.accept(makeAccepted({ deliveries: [{ channel: 'ops' }, { channel: 'dev' }] }));
      await store.claim(claimOf('ops'));

      expect((await store.claim(claimOf('dev')))?.channel).toBe('dev');
    });

    it('takes a line whole: all undelivered notifications, newest first', async () => {
      const { store } = await open();
      const alert = (fingerprint: string) => ({
        fingerprint,
        status: 'firing' as const,
        startsAt: T0,
        endsAt: null,
      });
      const first = makeAccepted({ body: 'one', receivedAt: T0, alerts: [alert('a')] });
      const second = makeAccepted({ body: 'two', receivedAt: T0 + 5, alerts: [alert('b')] });
      await acceptAll(store, [first, second]);

      const work = await store.claim(claimOf());

      expect(work?.lines).toHaveLength(1);
      expect(work?.lines[0]).toMatchObject({ deliveryCount: 2, oldestReceivedAt: T0, rung: 0, attempts: 0 });
      expect(work?.lines[0]?.entries.map((entry) => entry.notificationId)).toEqual([
        second.entry.id,
        first.entry.id,
      ]);
    });

    it('reads older bodies only where an alert changed last', async () => {
      const { store } = await open();
      const alert = { fingerprint: 'a', status: 'firing' as const, startsAt: T0, endsAt: null };
      const changed = makeAccepted({ alerts: [alert] });
      const reminder = makeAccepted({ alerts: [alert] });
      const newest = makeAccepted({ alerts: [alert] });
      await acceptAll(store, [changed, reminder, newest]);

      const line = (await store.claim(claimOf()))?.lines[0];

      expect(line?.deliveryCount).toBe(3);
      expect(line?.entries.map((entry) => entry.notificationId)).toEqual([newest.entry.id, changed.entry.id]);
    });

    it('reads no more than 16 MiB of bodies, and the newest always', async () => {
      const { store } = await open();
      const alert = (fingerprint: string) => ({
        fingerprint,
        status: 'firing' as const,
        startsAt: T0,
        endsAt: null,
      });
      const body = new Uint8Array(9 * 1024 * 1024);
      await acceptAll(store, [
        makeAccepted({ body, alerts: [alert('a')] }),
        makeAccepted({ body: 'small', alerts: [alert('b')] }),
        makeAccepted({ body, alerts: [alert('c')] }),
      ]);

      const line = (await store.claim(claimOf()))?.lines[0];

      expect(line?.deliveryCount).toBe(3);
      expect(line?.entries.map((entry) => entry.body.byteLength)).toEqual([body.byteLength, 5]);
    });

    it('takes several lines for a digest, up to the number asked for', async () => {
      const { store } = await open();
      await acceptAll(
        store,
        Array.from({ length: 5 }, (_, index) => makeAccepted({ group: `g${index}` })),
      );

      const work = await store.claim(claimOf('ops', { maxLines: 3 }));

      expect(work?.lines.map((line) => line.lineHash)).toEqual(['g0', 'g1', 'g2']);
    });

    it('takes at most 200 lines', async () => {
      const { store } = await open();
      await Promise.all(
        Array.from({ length: 205 }, (_, index) => store.accept(makeAccepted({ group: `g${index}` }))),
      );

      const work = await store.claim(claimOf('ops', { maxLines: 1_000 }));

      expect(work?.lines).toHaveLength(200);
    });

    it('takes at most 2,000 deliveries, but a first line whole', async () => {
      const { store } = await open();
      await Promise.all(Array.from({ length: 2_010 }, () => store.accept(makeAccepted({ group: 'long' }))));
      await store.accept(makeAccepted({ group: 'short' }));

      const work = await store.claim(claimOf('ops', { maxLines: 10 }));

      expect(work?.lines.map((line) => [line.lineHash, line.deliveryCount])).toEqual([['long', 2_010]]);
    });

    it('leaves lines of a milder rank than asked for', async () => {
      const { store } = await open();
      await store.accept(makeAccepted({ deliveries: [{ rank: 11 }] }));

      expect(await store.claim(claimOf('ops', { maxRank: 10 }))).toBeUndefined();
      expect(await store.claim(claimOf('ops', { maxRank: 11 }))).toBeDefined();
    });

    it('takes the rank of the newest snapshot, better or worse', async () => {
      const { store } = await open();
      await acceptAll(store, [
        makeAccepted({ group: 'calmed', deliveries: [{ rank: 1 }] }),
        makeAccepted({ group: 'steady', deliveries: [{ rank: 5 }] }),
        makeAccepted({ group: 'calmed', deliveries: [{ rank: 9 }] }),
      ]);

      expect(await drain(store)).toEqual(['steady', 'calmed']);
    });

    it('never takes a better rank from a truncated notification', async () => {
      const { store } = await open();
      await acceptAll(store, [
        makeAccepted({ group: 'cut', deliveries: [{ rank: 1 }] }),
        makeAccepted({ group: 'steady', deliveries: [{ rank: 5 }] }),
        makeAccepted({ group: 'cut', isSnapshot: false, deliveries: [{ rank: 9 }] }),
      ]);

      expect(await drain(store)).toEqual(['cut', 'steady']);
    });

    it('does not take a backed-off line before its time, whatever joins it', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', retried(60_000));
      await store.accept(makeAccepted({ deliveries: [{ rank: 0 }] }));
      clock.advance(59_999);

      expect(await store.claim(claimOf())).toBeUndefined();
      clock.advance(1);
      expect((await store.claim(claimOf()))?.lines[0]?.deliveryCount).toBe(2);
    });

    it('keeps what arrives during an attempt for the next card, with its own rank', async () => {
      const { store } = await open();
      await acceptAll(store, [
        makeAccepted({ group: 'a', deliveries: [{ rank: 5 }] }),
        makeAccepted({ group: 'b', deliveries: [{ rank: 6 }] }),
      ]);
      const work = await store.claim(claimOf());
      const late = makeAccepted({ group: 'a', deliveries: [{ rank: 9 }] });
      await store.accept(late);

      const { settled, next } = await store.settle(work?.token ?? '', delivered(), claimOf());

      expect(settled).toHaveLength(1);
      expect(next?.lines[0]?.lineHash).toBe('b');
      const last = (await store.settle(next?.token ?? '', delivered(), claimOf())).next;
      expect(last?.lines[0]).toMatchObject({ lineHash: 'a', deliveryCount: 1, rank: 9 });
    });

    it('hands selection, mention and path channel through', async () => {
      const { store } = await open();
      await store.accept(
        makeAccepted({
          pathChannel: 'ops',
          isTest: true,
          deliveries: [{ selection: [0, 2], mentionAll: true }],
        }),
      );

      const entry = (await store.claim(claimOf()))?.lines[0]?.entries[0];

      expect(entry).toMatchObject({ selection: [0, 2], mentionAll: true, pathChannel: 'ops', isTest: true });
    });

    it('names the attempt and the robot', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());

      const work = await store.claim(claimOf('ops', { robotKey: 'r1' }));

      expect(work).toMatchObject({ channel: 'ops', robotKey: 'r1' });
      expect(work?.attemptId).toMatch(/^att_/);
      expect(work?.token.length).toBeGreaterThanOrEqual(22);
    });
  });
}
