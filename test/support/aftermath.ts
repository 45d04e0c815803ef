import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect } from 'vitest';
import { ADMIN_TOKEN, HMAC_SECRET, type Program, pause, startProgram } from './program.ts';

/** What no log, and no file of the store, may hold. The last is in the URL of every robot of `startEar`. */
const SECRETS = [HMAC_SECRET, ADMIN_TOKEN, 'process-test-robot-token'];
/** A backlog of the tests here drains in seconds; a machine under load may take longer. */
const DRAIN_MS = 90_000;

interface AfterFault {
  /** Folder of the store, the file being `alertcard.db`. */
  readonly dir: string;
  readonly config: string;
  readonly port: number;
  /** Ids that were answered 2xx. */
  readonly acknowledged: readonly string[];
  /** What the programs printed that met the fault. */
  readonly outputs: readonly string[];
  /** The program still running; without one an honest build is started over what the fault left. */
  readonly program?: Program;
}

/**
 * Holds the store to what every fault must leave intact: each acknowledged notification is there, the
 * queue drains, the program ends in order, the file is sound in the eyes of a connection of ours, and no
 * secret stands in logs or store.
 */
export async function expectSoundAftermath(fault: AfterFault): Promise<void> {
  const program = fault.program ?? (await startProgram(fault.config, fault.port));
  await untilDrained(fault);
  program.child.kill('SIGTERM');
  const { code } = await program.ended;

  expect(code).toBe(0);
  expect(lostOf(fault)).toEqual([]);
  expect(integrityOf(fault.dir)).toEqual(['ok']);
  expect(leaksIn([...fault.outputs, program.output(), ...filesOf(fault.dir)])).toEqual([]);
}

/** Acknowledged notifications the store does not know. */
export function lostOf({ dir, acknowledged }: Pick<AfterFault, 'dir' | 'acknowledged'>): readonly string[] {
  return inspect(dir, (db) => {
    const find = db.prepare<[string], { id: string }>('SELECT id FROM inbox WHERE id = ?');
    return acknowledged.filter((id) => find.get(id) === undefined);
  });
}

export function integrityOf(dir: string): readonly string[] {
  return inspect(dir, (db) => {
    const broken = db.pragma('foreign_key_check');
    const report = db.pragma('integrity_check') as { integrity_check: string }[];
    return [
      ...report.map((row) => row.integrity_check),
      ...(Array.isArray(broken) ? broken.map(String) : []),
    ];
  });
}

/** Deliveries by state. */
export function statesIn(dir: string): Readonly<Record<string, number>> {
  return inspect(dir, (db) =>
    Object.fromEntries(
      db
        .prepare<[], { state: string; count: number }>(
          'SELECT state, count(*) AS count FROM deliveries GROUP BY state',
        )
        .all()
        .map(({ state, count }) => [state, count]),
    ),
  );
}

function inspect<T>(dir: string, look: (db: Sqlite.Database) => T): T {
  const db = new Sqlite(join(dir, 'alertcard.db'), { readonly: true, fileMustExist: true });
  try {
    return look(db);
  } finally {
    db.close();
  }
}

async function untilDrained({ dir }: AfterFault): Promise<void> {
  const deadline = Date.now() + DRAIN_MS;
  while (Date.now() < deadline) {
    const { scheduled = 0, leased = 0, dead = 0 } = statesIn(dir);
    if (scheduled + leased === 0) {
      expect(dead, 'dead letters').toBe(0);
      return;
    }
    await pause(100);
  }
  expect(statesIn(dir), 'the queue did not drain').toEqual({});
}

function leaksIn(texts: readonly string[]): readonly string[] {
  return SECRETS.filter((secret) => texts.some((text) => text.includes(secret)));
}

/** The store's files as text; the configuration beside them holds the secrets by right. */
function filesOf(dir: string): readonly string[] {
  return readdirSync(dir)
    .filter((name) => name.startsWith('alertcard.db'))
    .map((name) => readFileSync(join(dir, name), 'latin1'));
}
