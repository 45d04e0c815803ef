import { describe, expect, it } from 'vitest';
import type { DigestRule } from '../../../src/domain/digest-rule.ts';
import type { Store } from '../../../src/domain/store.ts';
import type { ClaimRequest, Work } from '../../../src/domain/work.ts';
import { claimOf, delivered, makeAccepted, retried } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

const MANY: DigestRule = { above: 2, ownCards: 0, isAloneFirst: false };

async function acceptGroups(store: Store, count: number, rank = 10): Promise<void> {
  for (let index = 0; index < count; index += 1)
    await store.accept(makeAccepted({ group: `g${rank}.${index}`, deliveries: [{ rank }] }));
}

function ruled(rule: Partial<DigestRule> = {}, request: Partial<ClaimRequest> = {}): ClaimRequest {
  return claimOf('ops', { maxLines: 200, digest: { ...MANY, ...rule }, ...request });
}

function hashes(work: Work | undefined): string[] {
  return (work?.lines ?? []).map(({ lineHash }) => lineHash);
}

export function digestSuite(open: OpenSubject): void {
  describe('claiming by a digest rule', () => {
    it('takes one line while no more are due than the rule says', async () => {
      const { store } = await open();
      await acceptGroups(store, 2);

      expect(await store.claim(ruled())).toMatchObject({
        lines: [{ lineHash: 'g10.0' }],
        isStorm: false,
        hasMoreDue: true,
      });
    });

    it('takes all that are due beyond that, worst first', async () => {
      const { store } = await open();
      await acceptGroups(store, 3);
      await acceptGroups(store, 1, 1);

      const work = await store.claim(ruled());

      expect(hashes(work)).toEqual(['g1.0', 'g10.0', 'g10.1', 'g10.2']);
      expect(work).toMatchObject({ isStorm: true, hasMoreDue: false });
    });

    it('takes the worst alone while cards of their own are left', async () => {
      const { store } = await open();
      await acceptGroups(store, 5);

      const work = await store.claim(ruled({ ownCards: 1 }));

      expect(hashes(work)).toEqual(['g10.0']);
      expect(work).toMatchObject({ isStorm: true, hasMoreDue: true });
    });

    it('counts and takes only the rank asked for', async () => {
      const { store } = await open();
      await acceptGroups(store, 5);
      await acceptGroups(store, 2, 1);

      expect(await store.claim(ruled({}, { maxRank: 1 }))).toMatchObject({
        lines: [{ lineHash: 'g1.0' }],
        isStorm: false,
      });
    });

    it('never puts a test, a notice or what nobody could read into a digest', async () => {
      const { store } = await open();
      await store.accept(makeAccepted({ group: 'test', isTest: true, deliveries: [{ rank: 1 }] }));
      await store.accept(makeAccepted({ group: 'notice', format: 'notice', deliveries: [{ rank: 2 }] }));
      await store.accept(
        makeAccepted({ group: 'unreadable', format: 'unreadable', deliveries: [{ rank: 3 }] }),
      );
      await store.accept(makeAccepted({ group: 'stub', format: 'stub', deliveries: [{ rank: 4 }] }));
      await acceptGroups(store, 3);

      const digest = await store.claim(ruled());
      const lone = await store.settle(digest?.token ?? '', delivered(), ruled({ isAloneFirst: true }));

      expect(hashes(digest)).toEqual(['g10.0', 'g10.1', 'g10.2']);
      expect(hashes(lone.next)).toEqual(['test']);
    });

    it('carries no more than 200 lines', async () => {
      const { store } = await open();
      await acceptGroups(store, 205);

      const work = await store.claim(ruled({}, { maxLines: 1_000 }));

      expect(work?.lines).toHaveLength(200);
      expect(work?.hasMoreDue).toBe(true);
    });

    it('settles the newest of each line as delivered and folds the others into it', async () => {
      const { store } = await open();
      await acceptGroups(store, 3);
      await acceptGroups(store, 3);
      const work = await store.claim(ruled());

      const { settled } = await store.settle(work?.token ?? '', delivered());

      const newest = new Set(work?.lines.map((line) => line.entries[0]?.deliveryId));
      expect(settled).toHaveLength(6);
      for (const { deliveryId, state } of settled)
        expect(state).toBe(newest.has(deliveryId) ? 'delivered' : 'folded');
      expect(await store.claim(ruled())).toBeUndefined();
    });

    it('hands out the lines just settled once more together, whatever else is due', async () => {
      const { store } = await open();
      await acceptGroups(store, 3);
      const work = await store.claim(ruled());
      await acceptGroups(store, 2, 1);

      const refused = await store.settle(
        work?.token ?? '',
        retried(0, { goAlone: true }),
        claimOf('ops', { maxLines: 200, isAgain: true }),
      );

      expect(hashes(refused.next).toSorted()).toEqual(['g10.0', 'g10.1', 'g10.2']);
    });

    it('lets lines that are to go alone share no card until they were delivered', async () => {
      const { store } = await open();
      await acceptGroups(store, 4);
      const work = await store.claim(ruled());
      await store.settle(work?.token ?? '', retried(0, { goAlone: true }));

      const order: string[][] = [];
      let next = await store.claim(ruled());
      while (next !== undefined) {
        order.push(hashes(next));
        next = (await store.settle(next.token, delivered(), ruled())).next;
      }
      await acceptGroups(store, 4);

      expect(order).toEqual([['g10.0'], ['g10.1'], ['g10.2'], ['g10.3']]);
      expect(hashes(await store.claim(ruled()))).toHaveLength(4);
    });

    it('hands lines back undelivered though the robot took our own words for them', async () => {
      const { store, clock } = await open();
      await acceptGroups(store, 3);
      const work = await store.claim(ruled());
      const { verdict } = delivered();

      const { settled } = await store.settle(work?.token ?? '', retried(0, { goAlone: true }, { verdict }));

      expect(settled.map(({ state }) => state)).toEqual(['scheduled', 'scheduled', 'scheduled']);
      expect(await store.channelState('ops')).toMatchObject({ waiting: 3, lastDeliveredAt: clock.now() });
    });

    it('parts the lines of a digest whose holder died, so that one cannot take all along', async () => {
      const { store, crash } = await open();
      await acceptGroups(store, 3);
      await store.claim(ruled());

      const reopened = await crash();

      const again = await reopened.claim(ruled());
      expect(again?.lines).toMatchObject([{ lineHash: 'g10.0', interruptions: 1, isPossibleRepeat: true }]);
    });

    it('keeps a line that went down the ladder out of digests', async () => {
      const { store } = await open();
      await acceptGroups(store, 4);
      const single = await store.claim(claimOf());
      await store.settle(single?.token ?? '', retried(0, { rung: 1 }));

      expect(hashes(await store.claim(ruled()))).toEqual(['g10.1', 'g10.2', 'g10.3']);
    });
  });
}
