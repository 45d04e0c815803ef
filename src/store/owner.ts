import Sqlite from 'better-sqlite3';
import { AlertcardError } from '../domain/errors.ts';
import { createPrivateFile } from './database.ts';
import { isBusy } from './failures.ts';

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** ISO time. */
  readonly since: string;
}

export interface Ownership {
  release(): void;
}

/**
 * Takes the database for this process. The side file `<path>.owner` stays in an open write transaction
 * for as long as the process lives: the kernel frees it even after kill -9, so there is nothing to clean up.
 * The row in it only names the holder.
 */
export function takeOwnership(path: string, holder: Holder): Ownership {
  const ownerPath = `${path}.owner`;
  createPrivateFile(ownerPath);
  const db = new Sqlite(ownerPath, { timeout: 0 });
  try {
    // the lock counts, not the row: losing that to a power cut loses nothing
    db.pragma('synchronous = OFF');
    db.exec('BEGIN IMMEDIATE');
    db.exec(
      'CREATE TABLE IF NOT EXISTS owner (pid INTEGER NOT NULL, host TEXT NOT NULL, since TEXT NOT NULL)',
    );
    db.exec('DELETE FROM owner');
    db.prepare('INSERT INTO owner (pid, host, since) VALUES (?, ?, ?)').run(
      holder.pid,
      holder.host,
      holder.since,
    );
    db.exec('COMMIT');
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    const refusal = isBusy(error) ? inUse(path, readHolder(db)) : error;
    db.close();
    throw refusal;
  }
  return { release: () => db.close() };
}

function readHolder(db: Sqlite.Database): Holder | undefined {
  try {
    if (db.inTransaction) db.exec('ROLLBACK');
    return db.prepare<[], Holder>('SELECT pid, host, since FROM owner').get();
  } catch {
    // the other server is just writing its row
    return undefined;
  }
}

function inUse(path: string, holder: Holder | undefined): AlertcardError {
  const who =
    holder === undefined
      ? 'another process'
      : `process ${holder.pid} on ${holder.host} since ${holder.since}`;
  return new AlertcardError(
    'store_in_use',
    `The database ${path} is held by ${who}. One file serves one server: stop that one, or give this one its own store.url.`,
  );
}
