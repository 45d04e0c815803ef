import { describe, expect, it } from 'vitest';
import type { DeliveryId } from '../../src/domain/ids.ts';
import type { Work } from '../../src/domain/work.ts';
import {
  attempts,
  channel,
  composePlainly,
  DELIVERED,
  REFUSED,
  type Rig,
  settingsOf,
  startRig,
  TIMED_OUT,
  UNREACHABLE,
} from './rig.ts';

const MINUTE = 60_000;

/** A rig that also tells how many lines each composed card carries. */
async function startCounting(...channels: ReturnType<typeof channel>[]): Promise<Rig & { sizes: number[] }> {
  const sizes: number[] = [];
  const rig = await startRig(settingsOf(...channels), {
    compose: (work: Work, ...rest) => {
      sizes.push(work.lines.length);
      return composePlainly(work, ...rest);
    },
  });
  return { ...rig, sizes };
}

function many(count: number, rank = 2): { rank: number; group: string }[] {
  return Array.from({ length: count }, (_each, index) => ({ rank, group: `group ${rank}.${index}` }));
}

describe('a lane with more lines due than digest.above', () => {
  it('gives the worst half of that number cards of their own and puts the rest into one', async () => {
    const rig = await startCounting(channel('ops'));

    const ids = rig.put('ops', ...many(40), { rank: 0, group: 'worst' });
    await rig.clock.settle();

    expect(rig.sizes).toEqual([1, 1, 1, 38]);
    expect(rig.texts()[0]).toBe('worst');
    expect(ids.map((id) => rig.store.deliveryState(id as DeliveryId))).toEqual(ids.map(() => 'delivered'));
    expect(rig.store.openLeases()).toBe(0);
  });

  it('sends as many cards as lines while no more are due', async () => {
    const rig = await startCounting(channel('ops'));

    rig.put('ops', ...many(6));
    await rig.clock.settle();

    expect(rig.sizes).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('digests earlier when the robots have fewer tokens left', async () => {
    const pacing = { perSecond: undefined, perMinute: 4 };
    const rig = await startCounting(channel('ops', { pacing }));

    rig.put('ops', ...many(5));
    await rig.clock.settle();

    expect(rig.sizes).toEqual([1, 4]);
  });

  it('passes over what shares no card, and sends it right after the digest', async () => {
    const rig = await startCounting(channel('ops'));

    rig.put('ops', ...many(20, 1), { group: 'unreadable', rank: 5, line: { isAlone: true } }, ...many(20, 6));
    await rig.clock.settle();

    expect(rig.sizes).toEqual([1, 1, 1, 37, 1]);
    expect(rig.texts().at(-1)).toBe('unreadable');
  });

  it('tells a refused digest bare at once, then its groups singly and in full', async () => {
    const rig = await startCounting(channel('ops', { pacing: { perSecond: undefined, perMinute: 90 } }));
    rig.answer(({ rung }) => (rung === 'card' && rig.sizes.at(-1) !== 1 ? REFUSED : DELIVERED));

    const ids = rig.put('ops', ...many(10));
    await rig.clock.settle();

    expect(rig.sizes).toEqual([1, 1, 1, 7, 7, 1, 1, 1, 1, 1, 1, 1]);
    expect(rig.sent.map(({ rung }) => rung)).toEqual([
      ...Array(4).fill('card'),
      'bare',
      ...Array(7).fill('card'),
    ]);
    expect(ids.map((id) => rig.store.deliveryState(id as DeliveryId))).toEqual(ids.map(() => 'delivered'));
  });

  it('lets only the group to blame go down the ladder', async () => {
    const rig = await startCounting(channel('ops', { pacing: { perSecond: undefined, perMinute: 90 } }));
    rig.answer(({ rung, text }) =>
      rung !== 'bare' && (rig.sizes.at(-1) !== 1 || text === 'group 2.7') ? REFUSED : DELIVERED,
    );

    rig.put('ops', ...many(10));
    await rig.clock.settle();

    const lower = rig.sent.filter(({ rung }) => rung !== 'card').map(({ rung, text }) => [rung, text]);
    expect(lower.slice(1)).toEqual([
      ['markdown', 'group 2.7'],
      ['text', 'group 2.7'],
      ['bare', 'group 2.7'],
    ]);
  });

  it('tries a failing robot with one line, not with two hundred', async () => {
    const rig = await startCounting(channel('ops'));
    rig.answer(() => UNREACHABLE);
    rig.put('ops', ...many(40));
    await rig.clock.advance(20_000);
    const whileFailing = [...rig.sizes];
    rig.answer(() => DELIVERED);

    await rig.clock.advance(MINUTE);

    expect(new Set(whileFailing)).toEqual(new Set([1]));
    expect(rig.sizes.slice(whileFailing.length)).toEqual([1, 1, 1, 37]);
  });

  it('marks every group of an unanswered digest as a possible repeat, and no others', async () => {
    const rig = await startCounting(channel('ops'));
    rig.answer(() => (rig.sizes.at(-1) === 1 ? DELIVERED : TIMED_OUT));
    rig.put('ops', ...many(10));
    await rig.clock.settle();
    rig.answer(() => DELIVERED);

    await rig.clock.advance(MINUTE);

    const repeats = rig.sent.filter(({ marks }) => marks.isPossibleRepeat);
    expect(rig.sizes.slice(0, 4)).toEqual([1, 1, 1, 7]);
    expect(repeats.map(({ at }) => at)).toEqual(rig.sent.slice(4).map(({ at }) => at));
  });

  it('settles all that a digest carries in one attempt', async () => {
    const rig = await startCounting(channel('ops'));

    rig.put('ops', ...many(10), ...many(10));
    await rig.clock.settle();

    const digest = attempts(rig).at(-1);
    expect(digest?.deliveries.map(({ state }) => state).toSorted()).toEqual([
      ...Array(7).fill('delivered'),
      ...Array(7).fill('folded'),
    ]);
  });
});
