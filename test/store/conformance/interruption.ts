import { describe, expect, it } from 'vitest';
import { claimOf, delivered, makeAccepted, retried } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

export function interruptionSuite(open: OpenSubject): void {
  describe('interrupted attempts', () => {
    it('are unconfirmed at the next start, and their lines due at once', async () => {
      const { store, crash } = await open();
      const accepted = makeAccepted();
      await store.accept(accepted);
      await store.claim(claimOf());

      const reopened = await crash();

      expect((await reopened.delivery(accepted.deliveries[0]?.id ?? ''))?.attemptRecords).toMatchObject([
        { outcome: 'unconfirmed', reason: 'interrupted' },
      ]);
      expect((await reopened.claim(claimOf()))?.lines[0]).toMatchObject({
        attempts: 1,
        interruptions: 1,
        isPossibleRepeat: true,
      });
    });

    it('lose their lease: what their holder says afterwards is dropped', async () => {
      const { store, crash } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());

      const reopened = await crash();

      expect((await reopened.settle(work?.token ?? '', delivered())).held).toBe(false);
      expect((await reopened.channelState('ops')).waiting).toBe(1);
    });

    it('are counted anew after a delivery', async () => {
      const { store, crash } = await open();
      await store.accept(makeAccepted());
      await store.claim(claimOf());
      const reopened = await crash();
      const work = await reopened.claim(claimOf());
      await reopened.accept(makeAccepted());

      const { next } = await reopened.settle(work?.token ?? '', delivered(), claimOf());

      expect(next?.lines[0]?.interruptions).toBe(0);
    });

    it('make a line dead as poison after five, and the lane goes on', async () => {
      const { store, crash } = await open();
      const poison = makeAccepted({ group: 'poison', deliveries: [{ rank: 1 }] });
      await store.accept(poison);
      await store.accept(makeAccepted({ group: 'healthy', deliveries: [{ rank: 2 }] }));
      let current = store;
      for (let times = 0; times < 5; times += 1) {
        expect((await current.claim(claimOf()))?.lines[0]?.lineHash).toBe('poison');
        current = await crash();
      }

      const work = await current.claim(claimOf());

      expect(work?.lines.map((line) => line.lineHash)).toEqual(['healthy']);
      expect(work?.deathsUntold).toBe(1);
      expect(await current.delivery(poison.deliveries[0]?.id ?? '')).toMatchObject({
        state: 'dead',
        reason: 'poison',
        attempts: 5,
      });
    });

    it('that ran out of lease are unconfirmed while the process lives on', async () => {
      const { store, clock } = await open();
      const accepted = makeAccepted();
      await store.accept(accepted);
      await store.claim(claimOf('ops', { leaseMs: 1_000 }));
      clock.advance(1_000);
      await store.reap();

      expect((await store.delivery(accepted.deliveries[0]?.id ?? ''))?.attemptRecords).toMatchObject([
        { outcome: 'unconfirmed', reason: 'lease_expired' },
      ]);
    });

    it('do not make a wait endless when the clock was set back meanwhile', async () => {
      const { store, clock, reopen } = await open();
      await store.accept(makeAccepted());
      const work = await store.claim(claimOf());
      const pause = { robotKey: 'robot', forMs: 60_000, reason: 'rate_limited' } as const;
      await store.settle(work?.token ?? '', retried(60_000, {}, { pause }));
      await store.act({ kind: 'pause', channel: 'dev', forMs: 60_000 });
      clock.set(clock.now() - 7 * 24 * 3_600_000);

      const reopened = await reopen();

      expect(await reopened.nextDueInMs('ops')).toBeLessThanOrEqual(40 * 60_000);
      expect((await reopened.channelState('dev')).pausedForMs).toBe(60_000);
      expect(await reopened.robotPauses()).toMatchObject([{ forMs: 60_000 }]);
      expect(await reopened.recentAttempts('robot', 60_000)).toEqual([]);
    });
  });
}
