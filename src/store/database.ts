import { closeSync, existsSync, openSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { AlertcardError } from '../domain/errors.ts';
import { Connection } from './connection.ts';
import { checkPragmas, quotaPages, readerPragmas, setPragmas, writerPragmas } from './pragmas.ts';

/** Earlier versions can corrupt a WAL when two connections write and checkpoint together (https://sqlite.org/wal.html). */
const MIN_SQLITE_VERSION = '3.51.3';

export interface WriterOptions {
  readonly path: string;
  readonly maxSizeBytes: number;
  readonly busyTimeoutMs: number;
}

/** Opens the one connection that writes. */
export function openWriter({ path, maxSizeBytes, busyTimeoutMs }: WriterOptions): Connection {
  const db = new Connection(new Sqlite(path, { fileMustExist: true, timeout: busyTimeoutMs }));
  try {
    requireVersion(String(db.get<{ version: string }>('SELECT sqlite_version() AS version')?.version));
    const pragmas = writerPragmas(busyTimeoutMs);
    setPragmas(db, pragmas);
    db.pragma(`max_page_count = ${quotaPages(maxSizeBytes)}`);
    checkPragmas(db, pragmas);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a connection that cannot write. */
export function openReader(path: string): Connection {
  const db = new Connection(new Sqlite(path, { readonly: true, fileMustExist: true, timeout: 100 }));
  const pragmas = readerPragmas();
  setPragmas(db, pragmas);
  checkPragmas(db, pragmas);
  return db;
}

/**
 * Makes an empty file, if there is none, that only its owner can read; SQLite gives WAL and shared memory the
 * same mode. A file that is there must not be opened: closing it would drop the locks SQLite holds on it.
 */
export function createPrivateFile(path: string): void {
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
}

export function requireVersion(version: string): void {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [needMajor = 0, needMinor = 0, needPatch = 0] = MIN_SQLITE_VERSION.split('.').map(Number);
  const isOld =
    major !== needMajor ? major < needMajor : minor !== needMinor ? minor < needMinor : patch < needPatch;
  if (!isOld) return;
  throw new AlertcardError(
    'store_not_durable',
    `SQLite ${version} can corrupt its log; ${MIN_SQLITE_VERSION} or later is needed. Reinstall better-sqlite3.`,
  );
}
