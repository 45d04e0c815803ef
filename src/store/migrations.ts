import type { Connection } from './connection.ts';
import { APPLICATION_ID } from './pragmas.ts';
import { INITIAL_SCHEMA } from './schema/0001-initial.ts';

/** Numbered from 1 by position. Never edited once released: a change of the schema is a new entry. */
const MIGRATIONS: readonly string[] = [INITIAL_SCHEMA];

/** The schema this program writes, kept in `user_version`. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Brings the database to the current schema, each step in a transaction of its own. */
export function migrate(db: Connection): void {
  const from = Number(db.pragma('user_version'));
  for (const [index, sql] of MIGRATIONS.entries()) {
    if (index < from) continue;
    db.raw
      .transaction(() => {
        db.raw.exec(sql);
        db.pragma(`application_id = ${APPLICATION_ID}`);
        db.pragma(`user_version = ${index + 1}`);
      })
      .immediate();
  }
}
