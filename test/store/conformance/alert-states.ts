import { describe, expect, it } from 'vitest';
import type { AlertSighting } from '../../../src/domain/accepted.ts';
import type { AlertState } from '../../../src/domain/work.ts';
import { claimOf, makeAccepted } from '../../support/store.ts';
import type { OpenSubject } from '../conformance.ts';

const T0 = 1_700_000_000_000;

function firing(startsAt: number | null): AlertSighting {
  return { fingerprint: 'f', status: 'firing', startsAt, endsAt: null };
}

function resolved(startsAt: number | null, endsAt: number | null): AlertSighting {
  return { fingerprint: 'f', status: 'resolved', startsAt, endsAt };
}

type Told = Omit<AlertState, 'fingerprint' | 'changedSeq'> & {
  /** Which of the notifications changed it last, from 1. */
  readonly changedBy: number;
};

const CASES: readonly [string, readonly AlertSighting[], Told][] = [
  [
    'a first firing begins an episode',
    [firing(T0)],
    { status: 'firing', episodeStartedAt: T0, lastEndedAt: null, changedBy: 1 },
  ],
  [
    'a repeated firing changes nothing, not even with another replica’s start',
    [firing(T0), firing(T0 + 10_000)],
    { status: 'firing', episodeStartedAt: T0, lastEndedAt: null, changedBy: 1 },
  ],
  [
    'resolved ends the episode at its own end',
    [firing(T0), resolved(T0, T0 + 60_000)],
    { status: 'resolved', episodeStartedAt: T0, lastEndedAt: T0 + 60_000, changedBy: 2 },
  ],
  [
    'resolved without an end ends when it was received',
    [firing(T0), resolved(T0, null)],
    { status: 'resolved', episodeStartedAt: T0, lastEndedAt: T0 + 500_000, changedBy: 2 },
  ],
  [
    'resolved with a start equal to its end keeps the start already known',
    [firing(T0), resolved(T0 + 60_000, T0 + 60_000)],
    { status: 'resolved', episodeStartedAt: T0, lastEndedAt: T0 + 60_000, changedBy: 2 },
  ],
  [
    'a first resolved is known with its times',
    [resolved(T0, T0 + 60_000)],
    { status: 'resolved', episodeStartedAt: T0, lastEndedAt: T0 + 60_000, changedBy: 1 },
  ],
  [
    'a first resolved with a start equal to its end has no known start',
    [resolved(T0, T0)],
    { status: 'resolved', episodeStartedAt: null, lastEndedAt: T0, changedBy: 1 },
  ],
  [
    'firing again begins a new episode and keeps the end of the last',
    [firing(T0), resolved(T0, T0 + 60_000), firing(T0 + 90_000)],
    { status: 'firing', episodeStartedAt: T0 + 90_000, lastEndedAt: T0 + 60_000, changedBy: 3 },
  ],
  [
    'a late copy of a firing shows by its start not after the known end',
    [firing(T0), resolved(T0, T0 + 60_000), firing(T0)],
    { status: 'firing', episodeStartedAt: T0, lastEndedAt: T0 + 60_000, changedBy: 3 },
  ],
  [
    'a repeated resolved changes nothing, not even with another replica’s end',
    [firing(T0), resolved(T0, T0 + 60_000), resolved(T0, T0 + 70_000)],
    { status: 'resolved', episodeStartedAt: T0, lastEndedAt: T0 + 60_000, changedBy: 2 },
  ],
  [
    'an episode that began and ended unseen replaces the last',
    [resolved(T0, T0 + 60_000), resolved(T0 + 70_000, T0 + 80_000)],
    { status: 'resolved', episodeStartedAt: T0 + 70_000, lastEndedAt: T0 + 80_000, changedBy: 2 },
  ],
];

export function alertStateSuite(open: OpenSubject): void {
  describe('latest known alert states', () => {
    it.each(CASES)('%s', async (_name, sightings, told) => {
      const { store } = await open();
      const seqs: number[] = [];
      for (const sighting of sightings) {
        const result = await store.accept(makeAccepted({ alerts: [sighting], receivedAt: T0 + 500_000 }));
        seqs.push(result.kind === 'kept' ? result.seq : Number.NaN);
      }

      const states = (await store.claim(claimOf()))?.lines[0]?.alertStates;

      const { changedBy, ...state } = told;
      expect(states).toEqual([{ fingerprint: 'f', ...state, changedSeq: seqs[changedBy - 1] }]);
    });

    it('are kept apart by scope: each contact point sees an alert newly firing', async () => {
      const { store } = await open();
      await store.accept(makeAccepted({ group: 'a', alerts: [firing(T0)] }));
      const second = await store.accept(
        makeAccepted({ group: 'b', alerts: [firing(T0)], deliveries: [{ channel: 'dev' }] }),
      );

      const states = (await store.claim(claimOf('dev')))?.lines[0]?.alertStates;

      expect(states?.map((state) => state.changedSeq)).toEqual([second.kind === 'kept' ? second.seq : -1]);
    });

    it('of all scopes of a line come with it', async () => {
      const { store } = await open();
      const one = { ...firing(T0), fingerprint: 'one' };
      const two = { ...firing(T0), fingerprint: 'two' };
      await store.accept(makeAccepted({ scopeHash: 'routed', alerts: [one] }));
      await store.accept(makeAccepted({ scopeHash: 'by-path', pathChannel: 'ops', alerts: [two] }));

      const line = (await store.claim(claimOf()))?.lines[0];

      expect(line?.alertStates.map((state) => state.fingerprint).sort()).toEqual(['one', 'two']);
      expect(line?.entries).toHaveLength(2);
    });
  });
}
