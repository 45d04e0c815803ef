import type { Cursors } from './apply.ts';
import type { Connection } from './connection.ts';
import { openWriter } from './database.ts';
import type { WriterData } from './intents.ts';
import { migrate } from './migrations.ts';
import { FIRST_ALERT } from './prune.ts';
import { recover } from './recover.ts';

/** Opens the database to write to it: migrated, and with what an earlier process left open put right. */
export function openWriterDatabase(data: WriterData): Connection {
  const db = openWriter(data);
  try {
    migrate(db);
    db.raw.transaction(() => recover({ db, now: data.now, deaths: [], roomBytes: 0 })).immediate();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Leaves a compact file behind: no log to replay, statistics refreshed. */
export function closeWriterDatabase(db: Connection): void {
  db.pragma('optimize');
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

export function startCursors(): Cursors {
  return { expiry: new Map(), prune: { alerts: FIRST_ALERT } };
}
