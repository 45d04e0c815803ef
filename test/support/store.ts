import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Accepted, Entry, PlannedDelivery } from '../../src/domain/accepted.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Event } from '../../src/domain/events.ts';
import { makeId } from '../../src/domain/ids.ts';
import type { ClaimRequest, Settlement } from '../../src/domain/work.ts';
import { runBatch } from '../../src/store/batch.ts';
import { type OpenStoreOptions, openStore } from '../../src/store/open.ts';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import { closeWriterDatabase, openWriterDatabase, startCursors } from '../../src/store/writer-database.ts';
import { type StartWriter, WriterThread } from '../../src/store/writer-thread.ts';

/**
 * Does the writer thread's work on this thread: the same code over the same file, values copied as between
 * threads. A thread takes 100 ms to start, which a hundred tests of what is written need not wait for.
 */
const startInlineWriter: StartWriter = async (data) => {
  const db = openWriterDatabase(data);
  const cursors = startCursors();
  return {
    run: async (intents, now) => structuredClone(runBatch(db, structuredClone(intents), now, cursors)),
    ping: async () => undefined,
    close: async () => closeWriterDatabase(db),
    kill: async () => db.close(),
  };
};

export interface ManualClock extends Clock {
  /** Moves both readings and fires what came due. */
  advance(ms: number): void;
  /** Moves the clock without firing anything: what a restart finds after the machine's time was changed. */
  set(at: number): void;
}

/** A clock that stands still until a test moves it. */
function manualClock(startAt = 1_700_000_000_000): ManualClock {
  let now = startAt;
  const timers = new Set<{ readonly at: number; readonly wake: () => void }>();
  return {
    wall: () => now,
    now: () => now,
    after(ms, wake) {
      const timer = { at: now + Math.max(0, ms), wake };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(ms) {
      now += ms;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.wake();
      }
    },
    set(at) {
      now = at;
    },
  };
}

/** Memory where there is such a place: tests of content need not wait for a disk. */
const TEMP_ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

/** A folder of its own for one test, removed afterwards. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(TEMP_ROOT, 'alertcard-store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** An open SQLite store in a folder of its own, with its clock and the events it emitted. */
export interface StoreUnderTest {
  readonly store: SqliteStore;
  readonly clock: ManualClock;
  readonly path: string;
  readonly events: Event[];
  /** Closes the store and opens the file again. */
  reopen(): Promise<SqliteStore>;
  /** Drops the store as a crash would and opens the file again. */
  crash(): Promise<SqliteStore>;
}

/** For `openTestStore`: the writer in its own thread, as in the program. */
export const IN_THREAD: Partial<OpenStoreOptions> = {
  startWriter: (data, onDeath) =>
    WriterThread.start(new URL('../../dist/store/writer.js', import.meta.url), data, onDeath),
};

/** Opens a store that is closed and removed when the test ends. */
export async function openTestStore(options: Partial<OpenStoreOptions> = {}): Promise<StoreUnderTest> {
  const path = options.path ?? join(tempFolder(), 'alertcard.db');
  const clock = manualClock();
  const events: Event[] = [];
  const all: OpenStoreOptions = {
    path,
    maxSizeBytes: 1024 ** 3,
    clock,
    emit: (event) => events.push(event),
    startWriter: startInlineWriter,
    ...options,
  };
  let store = await openStore(all);
  onTestFinished(() => store.close());
  const again = async (): Promise<SqliteStore> => {
    store = await openStore(all);
    return store;
  };
  return {
    get store() {
      return store;
    },
    clock,
    path,
    events,
    reopen: async () => {
      await store.close();
      return again();
    },
    crash: async () => {
      await store.kill();
      return again();
    },
  };
}

export type EntryOptions = Partial<Omit<Entry, 'body'>> & {
  readonly body?: string | Uint8Array;
  readonly group?: string;
};
export type DeliveryOptions = Partial<PlannedDelivery>;

/** A notification of group `g` with one firing delivery to channel `ops`, as far as not said otherwise. */
export function makeAccepted(
  options: EntryOptions & {
    readonly deliveries?: readonly DeliveryOptions[];
    readonly alerts?: Accepted['alerts'];
  } = {},
): Accepted {
  const { deliveries = [{}], alerts = [], group = 'g', body = '{}', ...entry } = options;
  return {
    entry: {
      id: makeId('ntf'),
      source: 'grafana',
      org: '1',
      receiver: 'team',
      groupKey: group,
      groupHash: group,
      pathChannel: '',
      scopeHash: group,
      receivedAt: 1_700_000_000_000,
      format: 'grafana',
      status: 'firing',
      isTest: false,
      isSnapshot: true,
      dedup: undefined,
      replay: undefined,
      body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
      ...entry,
    },
    deliveries: deliveries.map((delivery) => ({
      id: makeId('dlv'),
      channel: 'ops',
      lineHash: group,
      rank: 10,
      isFiring: true,
      selection: null,
      mentionAll: false,
      ...delivery,
    })),
    alerts,
  };
}

export function claimOf(channel = 'ops', options: Partial<ClaimRequest> = {}): ClaimRequest {
  return { channel, robotKey: 'robot', maxLines: 1, leaseMs: 30_000, ...options };
}

export function delivered(options: Partial<Settlement> = {}): Settlement {
  return {
    verdict: { outcome: 'delivered', reason: 'ok', httpStatus: 200, providerCode: '0' },
    durationMs: 12,
    rung: 'card',
    next: { kind: 'delivered' },
    deathsTold: 0,
    ...options,
  };
}

export function retried(
  inMs: number,
  next: Partial<Extract<Settlement['next'], { kind: 'retry' }>> = {},
  options: Partial<Settlement> = {},
): Settlement {
  return {
    verdict: { outcome: 'unavailable', reason: 'connect' },
    durationMs: 3,
    rung: 'card',
    next: { kind: 'retry', inMs, rung: 0, isPossibleRepeat: false, withoutMentions: false, ...next },
    deathsTold: 0,
    ...options,
  };
}
