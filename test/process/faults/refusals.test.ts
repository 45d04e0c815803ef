import { chmodSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { expectSoundAftermath } from '../../support/aftermath.ts';
import { notificationBody, postSigned } from '../../support/program.ts';
import { type Stage, setStage, untilHeard } from '../../support/stage.ts';

/** Somebody without rights, where the tests run as root. */
const NOBODY = 65_534;

interface Spoiled {
  readonly what: string;
  readonly spoil: (path: string) => void;
  /** What the refusal tells to do. */
  readonly advice: RegExp;
}

const SPOILED: readonly Spoiled[] = [
  { what: 'with a damaged header', spoil: (path) => overwrite(path, 0, 100), advice: /restore a backup/ },
  {
    what: 'with a damaged page',
    spoil: (path) => overwrite(path, 4096 * 3, 4096),
    advice: /restore a backup/,
  },
  {
    what: 'cut in the middle',
    spoil: (path) => truncateSync(path, 4096 * 5 + 100),
    advice: /restore a backup/,
  },
  {
    what: 'that is no database',
    spoil: (path) => writeFileSync(path, 'alerts, as text\n'.repeat(1_000)),
    advice: /restore a backup/,
  },
  {
    what: 'of another program',
    spoil: (path) => execute(path, 'PRAGMA application_id = 42'),
    advice: /point store\.url to a file of its own/,
  },
  {
    what: 'of a newer version',
    spoil: (path) => execute(path, 'PRAGMA user_version = 9999'),
    advice: /start the newer version/,
  },
];

describe('a database', () => {
  it('that cannot be trusted is refused with code 3 and what to do, and left as it was', async () => {
    const stage = await setStage();
    const path = join(stage.dir, 'alertcard.db');
    await makeDatabase(stage);
    const sound = readFileSync(path);
    const seen: { what: string; code: number | null; isTold: boolean; isUntouched: boolean }[] = [];
    const outputs: string[] = [];

    for (const { what, spoil, advice } of SPOILED) {
      writeFileSync(path, sound);
      spoil(path);
      const before = readFileSync(path);
      const refused = stage.spawn();
      const { code } = await refused.ended;
      outputs.push(refused.output());
      const isTold = advice.test(refused.output()) && refused.output().includes(path);
      seen.push({ what, code, isTold, isUntouched: readFileSync(path).equals(before) });
    }

    const refusedEach = SPOILED.map(({ what }) => ({ what, code: 3, isTold: true, isUntouched: true }));
    expect(seen).toEqual(refusedEach);
    writeFileSync(path, sound);
    await expectSoundAftermath({ ...stage, acknowledged: [], outputs });
  });
});

describe('a place for the database', () => {
  it('that cannot be written is refused with what to check', async () => {
    const stage = await setStage();
    chmodSync(stage.dir, 0o555);
    chmodSync(stage.config, 0o444);

    const refused = stage.spawn(process.getuid?.() === 0 ? { uid: NOBODY } : {});
    const { code } = await refused.ended;
    chmodSync(stage.dir, 0o755);

    expect(code).toBe(1);
    expect(refused.output()).toMatch(/permission/);
    expect(existsSync(join(stage.dir, 'alertcard.db'))).toBe(false);
    await expectSoundAftermath({ ...stage, acknowledged: [], outputs: [refused.output()] });
  });
});

describe('a second server on the same file', () => {
  it('is refused with code 3 and the name of the first, which goes on', async () => {
    const stage = await setStage();
    const first = await stage.start();

    const second = stage.spawn();
    const { code } = await second.ended;
    const answer = await postSigned(stage.port, notificationBody('still-served'));

    expect(code).toBe(3);
    expect(second.output()).toContain(`process ${first.child.pid}`);
    expect(answer?.status).toBe(202);
    expect(await untilHeard(stage, 'summary of still-served')).toBe(true);
    await expectSoundAftermath({
      ...stage,
      program: first,
      acknowledged: [answer?.id ?? ''],
      outputs: [second.output()],
    });
    expect(stage.ear.heard).toHaveLength(1);
  });
});

async function makeDatabase(stage: Stage): Promise<void> {
  const program = await stage.start();
  await postSigned(stage.port, notificationBody('kept before'));
  await untilHeard(stage, 'kept before');
  program.child.kill('SIGTERM');
  await program.ended;
}

function overwrite(path: string, at: number, length: number): void {
  const bytes = readFileSync(path);
  bytes.fill(0xa5, at, at + length);
  writeFileSync(path, bytes);
}

function execute(path: string, sql: string): void {
  const db = new Sqlite(path);
  db.exec(sql);
  db.close();
}
