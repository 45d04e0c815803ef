import { describe, expect, it } from 'vitest';
import { claimOf, delivered, makeAccepted, retried } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

export function settleSuite(open: OpenSubject): void {
  describe('settling', () => {
    it('ends the newest delivery delivered and folds the others into it', async () => {
      const { store } = await open();
      const older = makeAccepted();
      const newer = makeAccepted();
      await store.accept(older);
      await store.accept(newer);
      const work = await store.claim(claimOf());

      const result = await store.settle(work?.token ?? '', delivered());

      expect(result.held).toBe(true);
      expect(result.settled.map(({ deliveryId, state }) => [deliveryId, state])).toEqual([
        [newer.deliveries[0]?.id, 'delivered'],
        [older.deliveries[0]?.id, 'folded'],
      ]);
      expect(await store.delivery(older.deliveries[0]?.id ?? '')).toMatchObject({
        state: 'folded',
        foldedInto: newer.deliveries[0]?.id,
        attempts: 1,
      });
      expect(await store.claim(claimOf())).toBeUndefined();
    });

    it('settles every line of a digest by its one attempt', async () => {
      const { store } = await open();
      for (const group of ['a', 'a', 'b']) await store.accept(makeAccepted({ group }));
      const work = await store.claim(claimOf('ops', { maxLines: 10 }));

      const { settled } = await store.settle(work?.token ?? '', delivered());

      expect(settled.map(({ state }) => state).sort()).toEqual(['delivered', 'delivered', 'folded']);
      expect((await store.channelState('ops')).waiting).toBe(0);
    });

    it('claims the next line in the same breath', async () => {
      const { store } = await open();
      await store.accept(makeAccepted({ group: 'a' }));
      await store.accept(makeAccepted({ group: 'b' }));
      const work = await store.claim(claimOf());

      const { next } = await store.settle(work?.token ?? '', delivered(), claimOf());

      expect(next?.lines[0]?.lineHash).toBe('b');
    });

    it('returns all deliveries to their line when the robot did not take them', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());

      const { settled } = await store.settle(
        work?.token ?? '',
        retried(0, { rung: 1, isPossibleRepeat: true, withoutMentions: true }),
      );

      expect(settled.map(({ state }) => state)).toEqual(['scheduled', 'scheduled']);
      expect((await store.claim(claimOf()))?.lines[0]).toMatchObject({
        rung: 1,
        attempts: 1,
        isPossibleRepeat: true,
        withoutMentions: true,
        deliveryCount: 2,
      });
    });

    it('starts rung, attempts and marks anew after a delivery', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());
      const first = await store.claim(claimOf());
      const retry = retried(0, { rung: 2, isPossibleRepeat: true, withoutMentions: true });
      const second = (await store.settle(first?.token ?? '', retry, claimOf())).next;
      await store.accept(makeAccepted());

      const { next } = await store.settle(second?.token ?? '', delivered(), claimOf());

      expect(next?.lines[0]).toMatchObject({
        rung: 0,
        attempts: 0,
        isPossibleRepeat: false,
        withoutMentions: false,
        deliveryCount: 1,
      });
    });

    it('keeps the mark of a possible repeat until a delivery', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());
      const first = await store.claim(claimOf());
      const second = (
        await store.settle(first?.token ?? '', retried(0, { isPossibleRepeat: true }), claimOf())
      ).next;

      const { next } = await store.settle(second?.token ?? '', retried(0), claimOf());

      expect(next?.lines[0]?.isPossibleRepeat).toBe(true);
    });

    it('writes nothing for a lease that was lost, and still claims', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted());
      const lost = await store.claim(claimOf('ops', { leaseMs: 30_000 }));
      clock.advance(30_000);
      expect(await store.reap()).toEqual({ reaped: 1 });

      const result = await store.settle(lost?.token ?? '', delivered(), claimOf());

      expect(result).toMatchObject({ held: false, settled: [] });
      expect(result.next?.lines[0]).toMatchObject({ deliveryCount: 1, isPossibleRepeat: true });
      expect((await store.channelState('ops')).lastDeliveredAt).toBeUndefined();
    });

    it('leaves alone the attempt that a late word finds open in its place', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted());
      const lost = await store.claim(claimOf('ops', { leaseMs: 30_000 }));
      clock.advance(30_000);
      await store.reap();
      const holder = await store.claim(claimOf());

      const late = await store.settle(lost?.token ?? '', delivered());

      expect(late).toMatchObject({ held: false, settled: [] });
      expect(await store.settle(holder?.token ?? '', delivered())).toMatchObject({ held: true });
    });

    it('settles once: a second word on the same attempt finds the lease gone', async () => {
      const { store } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());
      await store.settle(work?.token ?? '', delivered());

      expect(await store.settle(work?.token ?? '', retried(0))).toMatchObject({ held: false, settled: [] });
    });

    it('does not reap a lease that still runs', async () => {
      const { store, clock } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf('ops', { leaseMs: 30_000 }));
      clock.advance(29_999);

      expect(await store.reap()).toEqual({ reaped: 0 });
      expect((await store.settle(work?.token ?? '', delivered())).held).toBe(true);
    });

    it('records the attempt with what the robot said', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted();
      await store.accept(accepted);
      const startedAt = clock.now();
      const work = await store.claim(claimOf());
      const verdict = {
        outcome: 'rejected',
        reason: 'bad_message',
        httpStatus: 200,
        providerCode: '460101',
        providerText: 'too long',
      } as const;
      await store.settle(work?.token ?? '', retried(0, {}, { verdict, durationMs: 41.6, rung: 'markdown' }));

      const detail = await store.delivery(accepted.deliveries[0]?.id ?? '');

      const record = {
        id: work?.attemptId,
        channel: 'ops',
        robotKey: 'robot',
        startedAt,
        durationMs: 42,
        rung: 'markdown',
        ...verdict,
      };
      expect(detail?.attemptRecords).toEqual([record]);
      expect((await store.channelState('ops')).lastAttempt).toEqual(record);
    });

    it('keeps a robot pause over a restart until it ends', async () => {
      const { store, clock, reopen } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());
      const pause = { robotKey: 'robot', forMs: 600_000, reason: 'rate_limited' } as const;
      await store.settle(work?.token ?? '', retried(0, {}, { pause }));
      clock.advance(100_000);

      const reopened = await reopen();

      expect(await reopened.robotPauses()).toEqual([{ ...pause, forMs: 500_000 }]);
      clock.advance(500_000);
      expect(await reopened.robotPauses()).toEqual([]);
    });

    it('undoes a claim that was released, its attempt with it', async () => {
      const { store } = await open();
      const accepted = makeAccepted();
      await store.accept(accepted);
      const work = await store.claim(claimOf());

      expect(await store.release(work?.token ?? '')).toBe(true);

      expect(await store.delivery(accepted.deliveries[0]?.id ?? '')).toMatchObject({
        state: 'scheduled',
        attempts: 0,
      });
      expect(await store.recentAttempts('robot', 60_000)).toEqual([]);
      expect((await store.claim(claimOf()))?.lines[0]).toMatchObject({ attempts: 0, interruptions: 0 });
    });

    it('says so when what is released is no longer held', async () => {
      const { store } = await open();

      expect(await store.release('nothing')).toBe(false);
    });

    it('remembers the starts of a robot’s attempts, oldest first, for pacing', async () => {
      const { store, clock } = await open();
      const starts: number[] = [];
      for (const group of ['a', 'b', 'c']) {
        await store.accept(makeAccepted({ group }));
        starts.push(clock.now());
        const work = await store.claim(claimOf());
        await store.settle(work?.token ?? '', delivered());
        clock.advance(25_000);
      }

      expect(await store.recentAttempts('robot', 60_000)).toEqual(starts.slice(1));
      expect(await store.recentAttempts('other', 60_000)).toEqual([]);
    });
  });
}
