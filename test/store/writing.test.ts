import { randomBytes } from 'node:crypto';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claimOf, delivered, IN_THREAD, makeAccepted, openTestStore } from '../support/store.ts';

const MIB = 1024 ** 2;
const RETENTION = { deliveredMs: 1_000, bodiesMs: 1_000, deadMs: 1_000, maxSizeBytes: 1024 ** 3 };

/** A second connection to the file, as another program might hold. */
function intrude(path: string): Sqlite.Database {
  const db = new Sqlite(path, { timeout: 1_000 });
  onTestFinished(() => {
    db.close();
  });
  return db;
}

describe('a discard', () => {
  it('tells of the death it causes, and of none when the delivery was dead already', async () => {
    const { store, events } = await openTestStore();
    const accepted = makeAccepted();
    const deliveryId = accepted.deliveries[0]?.id ?? '';
    await store.accept(accepted);

    for (let times = 0; times < 3; times += 1) await store.act({ kind: 'discard', deliveryId });

    const deaths = events.filter(({ kind }) => kind === 'died');
    expect(deaths).toEqual([{ kind: 'died', channel: 'ops', reason: 'discarded', count: 1 }]);
  });
});

describe('group commit', () => {
  it('commits what arrives together at once', async () => {
    const { store, events } = await openTestStore();

    await Promise.all(
      Array.from({ length: 100 }, (_, index) => store.accept(makeAccepted({ group: `${index}` }))),
    );

    expect(events).toEqual([{ kind: 'committed', intents: 100, commitMs: expect.any(Number) }]);
  });

  it('takes at most 128 into one commit', async () => {
    const { store, events } = await openTestStore();

    await Promise.all(
      Array.from({ length: 130 }, (_, index) => store.accept(makeAccepted({ group: `${index}` }))),
    );

    expect(events).toMatchObject([{ intents: 128 }, { intents: 2 }]);
  });

  it('takes at most 1 MiB of bodies into one commit, and a larger one alone', async () => {
    const { store, events } = await openTestStore();
    const sizes = [600_000, 300_000, 600_000, 2_000_000, 10];

    await Promise.all(
      sizes.map((size, index) =>
        store.accept(makeAccepted({ group: `${index}`, body: new Uint8Array(size) })),
      ),
    );

    expect(events).toMatchObject([{ intents: 2 }, { intents: 1 }, { intents: 1 }, { intents: 1 }]);
  });

  it('leaves no row of an intent that failed', async () => {
    const { store, path } = await openTestStore();
    const known = makeAccepted();
    await store.accept(known);
    const bad = makeAccepted({ id: known.entry.id, deliveries: [{}, {}] });

    await expect(store.accept(bad)).rejects.toMatchObject({ code: 'internal_error' });

    const db = intrude(path);
    expect(db.prepare('SELECT count(*) AS count FROM deliveries').get()).toEqual({ count: 1 });
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('keeps a delivery whose planner named one id twice from half of its notification', async () => {
    const { store } = await openTestStore();
    const twice = makeAccepted();
    const [first] = twice.deliveries;

    await expect(
      store.accept({
        ...twice,
        deliveries: first === undefined ? [] : [first, { ...first, channel: 'dev' }],
      }),
    ).rejects.toMatchObject({ code: 'internal_error' });

    expect(await store.notification(twice.entry.id)).toBeUndefined();
    expect((await store.channelState('ops')).waiting).toBe(0);
  });
});

describe('bodies on disk', () => {
  it('are compressed when they are large', async () => {
    const { store, path } = await openTestStore();
    await store.accept(makeAccepted({ body: 'alert '.repeat(10_000) }));

    const stored = intrude(path).prepare('SELECT is_deflated, length(body) AS bytes FROM inbox_bodies').get();

    expect(stored).toMatchObject({ is_deflated: 1 });
    expect((stored as { bytes: number }).bytes).toBeLessThan(3_000);
  });

  it('stay as they are when compressing would not make them smaller', async () => {
    const { store, path } = await openTestStore();
    const body = Uint8Array.from({ length: 10_000 }, (_, index) => (index * 2_654_435_761) >>> 13);
    await store.accept(makeAccepted({ body: Buffer.from(body).subarray(0, 4_000) }));

    const stored = intrude(path).prepare('SELECT is_deflated, length(body) AS bytes FROM inbox_bodies').get();

    expect(stored).toEqual({ is_deflated: 0, bytes: 4_000 });
  });
});

describe('a full quota', () => {
  /** Accepts until the store says no; returns how many were kept. */
  async function fill(store: Awaited<ReturnType<typeof openTestStore>>['store']): Promise<number> {
    for (let kept = 0; ; kept += 1) {
      const body = randomBytes(100_000);
      const result = await store
        .accept(makeAccepted({ group: `g${kept}`, body }))
        .catch((error) => error.code);
      if (result === 'store_unavailable') return kept;
    }
  }

  it('refuses notifications, still records outcomes, and heals by pruning', async () => {
    const { store, clock, events } = await openTestStore({ maxSizeBytes: 4 * MIB });
    const kept = await fill(store);
    expect(kept).toBeGreaterThan(20);
    expect(events.at(-1)).toEqual({ kind: 'store_writable', writable: false, reason: 'full' });

    for (let index = 0; index < kept; index += 1) {
      const work = await store.claim(claimOf());
      expect((await store.settle(work?.token ?? '', delivered())).settled).toHaveLength(1);
    }
    await expect(store.accept(makeAccepted({ body: new Uint8Array(100_000) }))).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    clock.advance(1_001);
    while ((await store.prune(RETENTION)).more);

    expect((await store.accept(makeAccepted())).kind).toBe('kept');
    expect(events.filter((event) => event.kind === 'store_writable').map((event) => event.writable)).toEqual([
      false,
      true,
    ]);
  });
});

describe('another process with the lock', () => {
  it('delays a write until it lets go', async () => {
    const { store, path } = await openTestStore(IN_THREAD);
    const other = intrude(path);
    other.exec('BEGIN IMMEDIATE');

    const accepting = store.accept(makeAccepted());
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    other.exec('ROLLBACK');

    expect((await accepting).kind).toBe('kept');
  });

  it('makes the write fail as unavailable when it does not, and the next one work when it has', async () => {
    const { store, path, events } = await openTestStore({ busyTimeoutMs: 5 });
    const other = intrude(path);
    other.exec('BEGIN IMMEDIATE');

    await expect(store.accept(makeAccepted())).rejects.toMatchObject({ code: 'store_unavailable' });
    other.exec('ROLLBACK');

    expect((await store.accept(makeAccepted())).kind).toBe('kept');
    expect(events).toMatchObject([
      { kind: 'store_writable', writable: false, reason: 'busy' },
      { kind: 'committed' },
      { kind: 'store_writable', writable: true },
    ]);
  });
});

describe('pruning alert states', () => {
  it('forgets resolved ones and those of rules deleted while they fired, not those in use', async () => {
    const { store, clock, path } = await openTestStore();
    const alert = { fingerprint: 'f', startsAt: 1, endsAt: 2 };
    for (const status of ['firing', 'resolved'] as const)
      await store.accept(
        makeAccepted({ group: `gone ${status}`, deliveries: [], alerts: [{ ...alert, status }] }),
      );
    for (const status of ['firing', 'resolved'] as const)
      await store.accept(makeAccepted({ group: `kept ${status}`, alerts: [{ ...alert, status }] }));
    clock.advance(1_001);
    while ((await store.prune(RETENTION)).more);

    const left = intrude(path).prepare('SELECT scope_hash FROM alerts ORDER BY scope_hash').pluck().all();

    expect(left).toEqual(['kept firing', 'kept resolved']);
  });

  it('gets through more than a slice of the same moment', async () => {
    const { store, clock, path } = await openTestStore();
    const alerts = Array.from({ length: 1_200 }, (_, index) => ({
      fingerprint: `f${index}`,
      status: 'resolved' as const,
      startsAt: 1,
      endsAt: 2,
    }));
    await store.accept(makeAccepted({ deliveries: [], alerts }));
    clock.advance(1_001);
    while ((await store.prune(RETENTION)).more);

    expect(intrude(path).prepare('SELECT count(*) FROM alerts').pluck().get()).toBe(0);
  });
});
