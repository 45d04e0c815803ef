import fc from 'fast-check';
import { expect } from 'vitest';
import type { SqliteStore } from '../../../src/store/sqlite-store.ts';
import {
  claimOf,
  delivered,
  type ManualClock,
  makeAccepted,
  retried,
  type StoreUnderTest,
} from '../../support/store.ts';
import type { Model } from './model.ts';

const CHANNELS = ['a', 'b'] as const;
const GROUPS = ['x', 'y', 'z'] as const;
const MAX_BACKOFF_MS = 40 * 60_000;
const GIVE_UP_MS = 3_600_000;

/** The store under test, which a crash replaces. */
export interface Real {
  readonly subject: StoreUnderTest;
  readonly clock: ManualClock;
  store: SqliteStore;
}

type Command = fc.AsyncCommand<Model, Real>;

function command(name: string, run: (model: Model, real: Real) => Promise<void>): Command {
  return { check: () => true, run, toString: () => name };
}

const accept = fc
  .record({
    group: fc.constantFrom(...GROUPS),
    channels: fc.subarray([...CHANNELS], { minLength: 1 }),
    rank: fc.integer({ min: 0, max: 3 }),
    isFiring: fc.boolean(),
    isSnapshot: fc.boolean(),
  })
  .map(({ group, channels, rank, isFiring, isSnapshot }) =>
    command(`accept(${group}→${channels} rank ${rank})`, async (model, { store, clock }) => {
      const accepted = makeAccepted({
        group,
        isSnapshot,
        deliveries: channels.map((channel) => ({ channel, rank, isFiring })),
      });

      const result = await store.accept(accepted);

      if (result.kind !== 'kept') throw new Error('not kept');
      expect(result.seq).toBeGreaterThan(model.lastSeq);
      model.lastSeq = result.seq;
      for (const { id, channel } of accepted.deliveries) {
        const budgetFrom = clock.now();
        const state = 'scheduled' as const;
        model.line(channel, group);
        model.deliveries.push({
          id,
          seq: result.seq,
          channel,
          group,
          rank,
          isFiring,
          isSnapshot,
          state,
          budgetFrom,
        });
      }
    }),
  );

const claim = fc
  .record({ channel: fc.constantFrom(...CHANNELS), maxLines: fc.integer({ min: 1, max: 3 }) })
  .map(({ channel, maxLines }) =>
    command(`claim(${channel}, ${maxLines})`, async (model, { store, clock }) => {
      const work = await store.claim(claimOf(channel, { maxLines }));

      if (model.attempts.has(channel)) {
        expect(work).toBeUndefined();
        return;
      }
      model.promote(channel, clock.now());
      buryPoison(model, channel, clock.now(), maxLines);
      const groups = model.dueGroups(channel, clock.now()).slice(0, maxLines);
      expect(work?.lines.map((line) => line.lineHash) ?? []).toEqual(groups);
      if (work === undefined) return;
      for (const line of work.lines) {
        const waiting = model.waiting(channel, line.lineHash);
        expect(line.deliveryCount).toBe(waiting.length);
        expect([line.newestSeq, line.oldestSeq]).toEqual([waiting[0]?.seq, waiting.at(-1)?.seq]);
        expect(line.entries[0]?.deliveryId).toBe(waiting[0]?.id);
      }
      const carried = groups.flatMap((group) => model.waiting(channel, group));
      for (const one of carried) one.state = 'leased';
      model.attempts.set(channel, { token: work.token, groups, carried });
    }),
  );

/** What a claim does to lines that have killed the process five times, as far as it comes to look at them. */
function buryPoison(model: Model, channel: string, now: number, maxLines: number): void {
  for (;;) {
    const looked = model.dueGroups(channel, now).slice(0, maxLines);
    const poisonous = looked.filter((group) => model.line(channel, group).interruptions >= 5);
    if (poisonous.length === 0) return;
    for (const group of poisonous) for (const one of model.waiting(channel, group)) model.bury(one);
    model.sweep(channel);
  }
}

const settle = fc
  .record({
    channel: fc.constantFrom(...CHANNELS),
    inMs: fc.option(fc.constantFrom(0, 1_000, 1_800_000), { nil: undefined }),
  })
  .map(({ channel, inMs }) =>
    command(`settle(${channel}, ${inMs ?? 'delivered'})`, async (model, { store, clock }) => {
      const attempt = model.attempts.get(channel);
      const token = attempt?.token ?? model.staleTokens.at(-1) ?? 'none';

      const result = await store.settle(token, inMs === undefined ? delivered() : retried(inMs));

      expect(result.held).toBe(attempt !== undefined);
      if (attempt === undefined) return;
      model.attempts.delete(channel);
      model.staleTokens.push(token);
      expect(result.settled.map(({ deliveryId }) => deliveryId).sort()).toEqual(
        attempt.carried.map(({ id }) => id).sort(),
      );
      for (const group of attempt.groups) {
        const [newest, ...others] = attempt.carried.filter((one) => one.group === group);
        const line = model.line(channel, group);
        line.dueAt = inMs === undefined || inMs === 0 ? undefined : clock.now() + inMs;
        for (const one of others) one.state = inMs === undefined ? 'folded' : 'scheduled';
        if (newest !== undefined) newest.state = inMs === undefined ? 'delivered' : 'scheduled';
        if (inMs === undefined) line.interruptions = 0;
      }
      model.sweep(channel);
    }),
  );

const release = fc.constantFrom(...CHANNELS).map((channel) =>
  command(`release(${channel})`, async (model, { store }) => {
    const attempt = model.attempts.get(channel);

    expect(await store.release(attempt?.token ?? 'none')).toBe(attempt !== undefined);

    model.attempts.delete(channel);
    for (const one of attempt?.carried ?? []) one.state = 'scheduled';
    for (const group of attempt?.groups ?? []) model.line(channel, group).dueAt = undefined;
  }),
);

const crash = fc.integer({ min: -7_200_000, max: 7_200_000 }).map((jumpMs) =>
  command(`crash(clock ${jumpMs} ms)`, async (model, real) => {
    real.clock.set(real.clock.now() + jumpMs);
    real.store = await real.subject.crash();
    for (const line of model.lines())
      if (line.dueAt !== undefined) line.dueAt = Math.min(line.dueAt, real.clock.now() + MAX_BACKOFF_MS);
    for (const [channel, { token, groups, carried }] of model.attempts) {
      model.staleTokens.push(token);
      for (const one of carried) one.state = 'scheduled';
      for (const group of groups) {
        const line = model.line(channel, group);
        line.interruptions += 1;
        line.dueAt = undefined;
      }
    }
    model.attempts.clear();
  }),
);

const advance = fc.constantFrom(500, 1_000, 60_000, 1_800_000, GIVE_UP_MS).map((ms) =>
  command(`advance(${ms})`, async (_model, { clock }) => {
    clock.advance(ms);
  }),
);

const act = fc
  .record({ kind: fc.constantFrom('replay', 'discard'), nth: fc.nat({ max: 50 }) })
  .map(({ kind, nth }) =>
    command(`${kind}(${nth})`, async (model, { store, clock }) => {
      const target = model.deliveries[nth % Math.max(1, model.deliveries.length)];
      const result = await store.act({ kind, deliveryId: target?.id ?? 'none' });
      if (target === undefined) {
        expect(result).toEqual({ kind: 'not_found' });
        return;
      }
      const fits = target.state === 'dead' || (kind === 'discard' && target.state === 'scheduled');
      if (!fits) {
        expect(result).toEqual({ kind: 'wrong_state', state: target.state });
        return;
      }
      expect(result).toEqual({ kind: 'done', channel: target.channel });
      if (kind === 'discard' && target.state === 'scheduled') model.bury(target);
      if (kind === 'replay') {
        target.state = 'scheduled';
        target.budgetFrom = clock.now();
        const isLeased = model.attempts.get(target.channel)?.groups.includes(target.group);
        if (isLeased !== true) model.line(target.channel, target.group).dueAt = undefined;
      }
      model.sweep(target.channel);
    }),
  );

const expire = fc.constantFrom(...CHANNELS).map((channel) =>
  command(`expire(${channel})`, async (model, { store, clock }) => {
    const doomed = model
      .waiting(channel)
      .filter((one) => one.state === 'scheduled' && one.budgetFrom < clock.now() - GIVE_UP_MS)
      .filter((one) => !one.isFiring || model.waiting(channel, one.group)[0] !== one);

    const result = await store.expire({ channel, giveUpAfterMs: GIVE_UP_MS, limit: 1_000 });

    expect(result.dead).toBe(doomed.length);
    for (const one of doomed) model.bury(one);
    model.sweep(channel);
  }),
);

/** The whole of both: every delivery, and every counter that is kept beside the rows. */
export async function expectSame(model: Model, { store }: Real): Promise<void> {
  for (const channel of CHANNELS)
    expect((await store.channelState(channel)).waiting).toBe(model.waiting(channel).length);
  const states = await Promise.all(CHANNELS.map((channel) => store.channelState(channel)));
  expect(states.reduce((sum, state) => sum + state.deathsUntold, 0)).toBe(model.deaths);
  const { items } = await store.deliveries({ limit: 1_000 });
  expect(items.map(({ id, state }) => [id, state]).sort()).toEqual(
    model.deliveries.map(({ id, state }) => [id, state]).sort(),
  );
}

export const anyCommands = fc.commands(
  [accept, accept, claim, claim, settle, release, crash, advance, act, expire],
  { size: '+1' },
);
