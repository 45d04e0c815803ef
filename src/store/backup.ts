import { closeSync, existsSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { AlertcardError } from '../domain/errors.ts';
import { openReader } from './database.ts';
import { probe } from './probe.ts';

/**
 * Writes a consistent copy of the database, compacted, while a server may be using it. The connection cannot
 * write, so it does not disturb the server; copying the bare file would miss what is still in its log.
 */
export function backupTo(path: string, target: string): void {
  if (!existsSync(path)) throw new AlertcardError('not_found', `There is no database at ${path}.`);
  if (existsSync(target))
    throw new AlertcardError('bad_request', `${target} exists; name a file that does not.`);
  probe(path);
  // only its owner may read it, and it must be there before SQLite writes into it
  const file = openSync(target, 'wx', 0o600);
  try {
    const db = openReader(path);
    try {
      // the file is open read-only; this would forbid writing the copy too
      db.pragma('query_only = 0');
      db.raw.prepare('VACUUM INTO ?').run(target);
    } finally {
      db.close();
    }
    fsyncSync(file);
  } catch (error) {
    // An empty or half-written file would pass for a backup, and the next try would refuse it.
    rmSync(target, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}
