import { existsSync, statSync } from 'node:fs';
import { AlertcardError } from '../domain/errors.ts';
import type { Connection } from './connection.ts';
import { openReader } from './database.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { PAGE_BYTES } from './pragmas.ts';
import { probe } from './probe.ts';

/** Rows are counted up to here: counting ten million takes 200 ms, and more than this many is "many". */
const COUNT_LIMIT = 10_001;

export interface DoctorReport {
  /** `['ok']`, or what is wrong. */
  readonly integrity: readonly string[];
  readonly sqliteVersion: string;
  readonly schemaVersion: number;
  readonly knownSchemaVersion: number;
  readonly journalMode: string;
  readonly fileBytes: number;
  readonly walBytes: number;
  /** Space inside the file that deleted rows have left. */
  readonly freeBytes: number;
  /** Rows by table; 10,001 means more than 10,000. */
  readonly counts: Readonly<Record<string, number>>;
}

const COUNTED = ['inbox', 'deliveries', 'lines', 'attempts', 'alerts'] as const;

/** Examines a database without changing it; reads all of it, so it takes a while on a large one. */
export function examine(path: string): DoctorReport {
  if (!existsSync(path)) throw new AlertcardError('not_found', `There is no database at ${path}.`);
  probe(path);
  const db = openReader(path);
  try {
    return {
      integrity: db
        .all<{ integrity_check: string }>('PRAGMA integrity_check')
        .map((row) => row.integrity_check),
      sqliteVersion: db.get<{ version: string }>('SELECT sqlite_version() AS version')?.version ?? '',
      schemaVersion: Number(db.pragma('user_version')),
      knownSchemaVersion: SCHEMA_VERSION,
      journalMode: String(db.pragma('journal_mode')),
      fileBytes: statSync(path).size,
      walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      freeBytes: Number(db.pragma('freelist_count')) * PAGE_BYTES,
      counts: Object.fromEntries(COUNTED.map((table) => [table, countOf(db, table)])),
    };
  } finally {
    db.close();
  }
}

function countOf(db: Connection, table: (typeof COUNTED)[number]): number {
  const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM ${table} LIMIT ${COUNT_LIMIT})`;
  return db.get<{ count: number }>(sql)?.count ?? 0;
}
