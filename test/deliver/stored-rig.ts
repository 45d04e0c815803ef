import { createEngine, type Engine } from '../../src/deliver/engine.ts';
import type { Marks } from '../../src/deliver/ports.ts';
import type { Event } from '../../src/domain/events.ts';
import { type DeliveryId, makeId } from '../../src/domain/ids.ts';
import { type Notice, readNotice } from '../../src/domain/notice.ts';
import type { Verdict } from '../../src/domain/outcome.ts';
import type { Settings } from '../../src/domain/settings.ts';
import type { Work } from '../../src/domain/work.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import { createManualClock, type ManualClock } from '../support/clock.ts';
import { type EntryOptions, makeAccepted, openTestStore } from '../support/store.ts';
import { composePlainly, DELIVERED } from './rig.ts';

/** Turns of the event loop in which a chain of writes comes to its end. */
const STORE_TURNS = 6;

/** One card that reached a robot: the newest body of its first line, and how many lines it carries. */
export interface SentCard {
  readonly at: number;
  readonly channel: string;
  readonly text: string;
  readonly lines: number;
  readonly marks: Marks;
}

export interface StoredRig {
  readonly clock: ManualClock;
  readonly store: SqliteStore;
  readonly engine: Engine;
  readonly sent: SentCard[];
  readonly events: Event[];
  answer(robot: (sent: SentCard) => Verdict): void;
  /** Keeps a notification of a group for a channel and wakes its lane. */
  put(channel: string, group: string, options?: PutOptions): Promise<DeliveryId>;
  /** Notices that a channel's robot was sent. */
  noticesIn(channel: string): readonly Notice[];
}

export interface PutOptions extends EntryOptions {
  readonly rank?: number;
  readonly isFiring?: boolean;
}

/** An engine over a real database file, with a manual clock and robots that answer as told; started. */
export async function startStoredRig(settings: Settings): Promise<StoredRig> {
  const clock = createManualClock(undefined, STORE_TURNS);
  const { store } = await openTestStore({ clock });
  const sent: SentCard[] = [];
  const events: Event[] = [];
  const composed = new Map<object, Work>();
  let answer: (one: SentCard) => Verdict = () => DELIVERED;
  const engine = createEngine(
    {
      store,
      clock,
      random: () => 0.5,
      emit: (event) => events.push(event),
      accept: (accepted) => store.accept(accepted),
      makeId,
      hash: (...parts) => parts.join('|'),
      summarise: ({ worst }) =>
        worst.map(({ body }) => ({
          name: new TextDecoder().decode(body),
          severity: 'critical',
          summary: '',
          startedAt: null,
        })),
      sendUnstored: async () => undefined,
      onReport: () => undefined,
      composer: {
        async compose(work, ...rest) {
          const made = await composePlainly(work, ...rest);
          composed.set(made.message, work);
          return made;
        },
      },
      sender: {
        async send(to, _robotKey, message) {
          const { text, marks } = message.json as { text: string; marks: Marks };
          const lines = composed.get(message)?.lines.length ?? 0;
          const one = { at: clock.now(), channel: to.name, text, lines, marks };
          sent.push(one);
          return answer(one);
        },
      },
    },
    settings,
  );
  await engine.start();
  await clock.settle();
  return {
    clock,
    store,
    engine,
    sent,
    events,
    answer(next) {
      answer = next;
    },
    async put(channel, group, { rank = 1, isFiring = true, ...entry } = {}) {
      const delivery = { id: makeId('dlv'), channel, lineHash: group, rank, isFiring };
      const accepted = { group, body: group, receivedAt: clock.wall(), ...entry, deliveries: [delivery] };
      await store.accept(makeAccepted(accepted));
      engine.wake(channel);
      return delivery.id;
    },
    noticesIn: (name) =>
      sent.flatMap(({ channel, text }) => (channel === name ? (readNotice(text) ?? []) : [])),
  };
}
