import { existsSync, statSync } from 'node:fs';
import { AlertcardError } from '../domain/errors.ts';
import type { Connection } from './connection.ts';
import { openReader } from './database.ts';
import { sqliteCode } from './failures.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { APPLICATION_ID } from './pragmas.ts';

/** A quick_check reads the whole file (0.5 s per GB when cached), so only small ones are checked at every start. */
const QUICK_CHECK_MAX_BYTES = 64 * 1024 * 1024;

/** Refuses a file that is not ours, is newer than this program or is damaged, without touching it. */
export function probe(path: string): void {
  if (!existsSync(path) || statSync(path).size === 0) return;
  let db: Connection | undefined;
  try {
    db = openReader(path);
    refuseForeign(db, path);
    refuseNewer(db, path);
    if (statSync(path).size <= QUICK_CHECK_MAX_BYTES) refuseDamaged(db, path);
  } catch (error) {
    const code = sqliteCode(error);
    if (code === 'SQLITE_NOTADB' || code.startsWith('SQLITE_CORRUPT')) throw corrupt(path, code);
    throw error;
  } finally {
    db?.close();
  }
}

function refuseForeign(db: Connection, path: string): void {
  const id = db.pragma('application_id');
  if (id === APPLICATION_ID) return;
  const tables = db.get<{ count: number }>('SELECT count(*) AS count FROM sqlite_schema')?.count ?? 0;
  if (id === 0 && tables === 0) return;
  throw new AlertcardError(
    'store_foreign',
    `${path} is a database of another program. It was left as it is; point store.url to a file of its own.`,
  );
}

function refuseNewer(db: Connection, path: string): void {
  const version = Number(db.pragma('user_version'));
  if (version <= SCHEMA_VERSION) return;
  throw new AlertcardError(
    'store_newer',
    `${path} was written by a newer Alertcard (schema ${version}, this one knows ${SCHEMA_VERSION}). ` +
      'It was left as it is; start the newer version, or restore a backup from before the upgrade.',
  );
}

function refuseDamaged(db: Connection, path: string): void {
  const answer = db.pragma('quick_check(1)');
  if (answer !== 'ok') throw corrupt(path, String(answer));
}

function corrupt(path: string, detail: string): AlertcardError {
  return new AlertcardError(
    'store_corrupt',
    `${path} is damaged or no database at all (${detail}). It was left as it is; keep it with its -wal file, ` +
      'and restore a backup or salvage it with `sqlite3 FILE .recover`.',
  );
}
