import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import type { SqliteStore } from '../../src/store/sqlite-store.ts';
import { makeAccepted, openTestStore } from '../support/store.ts';

const MIB = 1_048_576;
/** What is written between two checkpoints, and a commit on top. */
const CHECKPOINT_BYTES = 6 * MIB;

it('a long reader stops no write, and the log is used anew once it has gone', async () => {
  const { store, path } = await openTestStore();
  const reader = new Sqlite(path, { readonly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT count(*) FROM inbox').get();

  const whileRead = await write(store, 12);
  const pinnedBytes = statSync(`${path}-wal`).size;
  reader.exec('COMMIT');
  reader.close();
  const afterwards = await write(store, 24);
  const laterBytes = statSync(`${path}-wal`).size;

  expect([...whileRead, ...afterwards].every((kind) => kind === 'kept')).toBe(true);
  expect(pinnedBytes).toBeGreaterThan(12 * MIB);
  expect(laterBytes).toBeLessThan(pinnedBytes + CHECKPOINT_BYTES);
});

/** Keeps so many notifications of a MiB that does not compress, each its own commit. */
async function write(store: SqliteStore, count: number): Promise<string[]> {
  const kinds: string[] = [];
  for (let written = 0; written < count; written += 1)
    kinds.push((await store.accept(makeAccepted({ body: randomBytes(MIB) }))).kind);
  return kinds;
}
