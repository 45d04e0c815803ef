import { AlertcardError } from '../domain/errors.ts';
import type { Connection } from './connection.ts';

/** `Alrt`: marks a file as ours in SQLite's header. */
export const APPLICATION_ID = 0x416c7274;
export const PAGE_BYTES = 4096;

/** A WAL file longer than this is cut after a checkpoint; SQLite's default never shrinks it. */
const WAL_LIMIT_BYTES = 64 * 1024 * 1024;
/** 4 MiB of WAL per checkpoint, SQLite's own default: its fsyncs are the slow commits, larger ones are slower. */
const CHECKPOINT_PAGES = 1_000;
/** Below this no schema fits. */
const MIN_PAGES = 256;

export interface Pragma {
  readonly name: string;
  readonly set: string | number;
  readonly expect: string | number;
}

/** The quota in pages. A checkpoint may grow the file by what the WAL holds, so that much stays free. */
export function quotaPages(maxSizeBytes: number): number {
  const walRoomBytes = Math.min(WAL_LIMIT_BYTES, maxSizeBytes / 8);
  return Math.max(MIN_PAGES, Math.floor((maxSizeBytes - walRoomBytes) / PAGE_BYTES));
}

/**
 * In this order: `auto_vacuum` takes effect only before the first table and before WAL mode writes the
 * header. `synchronous` falls back to the library's default on every open, hence set and read back.
 */
export function writerPragmas(busyTimeoutMs: number): readonly Pragma[] {
  return [
    { name: 'auto_vacuum', set: 'INCREMENTAL', expect: 2 },
    { name: 'journal_mode', set: 'WAL', expect: 'wal' },
    { name: 'synchronous', set: 'FULL', expect: 2 },
    { name: 'wal_autocheckpoint', set: CHECKPOINT_PAGES, expect: CHECKPOINT_PAGES },
    { name: 'journal_size_limit', set: WAL_LIMIT_BYTES, expect: WAL_LIMIT_BYTES },
    ...commonPragmas(busyTimeoutMs),
  ];
}

/** For connections on the main thread, where a wait for a lock stops everything: at most 100 ms. */
export function readerPragmas(): readonly Pragma[] {
  return [{ name: 'query_only', set: 1, expect: 1 }, ...commonPragmas(100)];
}

function commonPragmas(busyTimeoutMs: number): readonly Pragma[] {
  return [
    { name: 'busy_timeout', set: busyTimeoutMs, expect: busyTimeoutMs },
    // mapped files turn I/O errors into a crash of the process
    { name: 'mmap_size', set: 0, expect: 0 },
    { name: 'cell_size_check', set: 1, expect: 1 },
    { name: 'trusted_schema', set: 0, expect: 0 },
  ];
}

export function setPragmas(db: Connection, pragmas: readonly Pragma[]): void {
  for (const { name, set } of pragmas) db.pragma(`${name} = ${set}`);
}

/** Throws `store_not_durable` when the connection does not say what was asked of it. */
export function checkPragmas(db: Connection, pragmas: readonly Pragma[]): void {
  for (const { name, expect } of pragmas) {
    const actual = db.pragma(name);
    if (actual === expect) continue;
    throw new AlertcardError(
      'store_not_durable',
      `The database reports ${name} = ${String(actual)} instead of ${expect}, so what is acknowledged might be lost. ` +
        'Put store.url on a local disk with an ordinary file system.',
    );
  }
}
