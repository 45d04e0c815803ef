import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectSoundAftermath, lostOf } from '../../support/aftermath.ts';
import { type Change, changedBuild } from '../../support/changed-build.ts';
import { startLoad } from '../../support/load.ts';
import { pause } from '../../support/program.ts';
import { type Stage, setStage, until } from '../../support/stage.ts';
import { faultyDisk, HAS_NO_COMPILER } from './preload.ts';

/** A disk writes a sector whole or not at all. */
const SECTOR_BYTES = 512;
/** Notifications acknowledged before the cut. */
const ENOUGH = 60;
const FILES = ['alertcard.db', 'alertcard.db-wal'];

const SYNCS_AT_CHECKPOINTS_ONLY: Change = {
  file: 'store/pragmas.js',
  find: "{ name: 'synchronous', set: 'FULL', expect: 2 }",
  replace: "{ name: 'synchronous', set: 'NORMAL', expect: 1 }",
};

describe('a power cut under load', () => {
  beforeEach((context) => {
    if (HAS_NO_COMPILER) context.skip('ALERTCARD_NO_COMPILER=1');
  });

  it.each(['none', 'some'] as const)(
    'loses nothing that was acknowledged, when of the writes since the last sync %s reached the disk',
    async (survivors) => {
      const stage = await setStage();

      const cut = await cutPower(stage, survivors);

      expect(cut.acknowledged.length).toBeGreaterThanOrEqual(ENOUGH);
      await expectSoundAftermath({ ...stage, ...cut });
    },
  );

  it('loses acknowledged notifications of a build that does not sync every commit', async () => {
    const stage = await setStage();

    const cut = await cutPower(stage, 'none', changedBuild(SYNCS_AT_CHECKPOINTS_ONLY));
    const honest = await stage.start();

    expect(lostOf({ ...stage, ...cut }).length).toBeGreaterThan(0);
    honest.child.kill('SIGTERM');
    expect((await honest.ended).code).toBe(0);
  });
});

interface Cut {
  readonly acknowledged: readonly string[];
  readonly outputs: readonly string[];
}

/** Runs the program under load, cuts the power, and leaves on the stage's disk what the disk would hold. */
async function cutPower(stage: Stage, survivors: 'none' | 'some', cli?: string): Promise<Cut> {
  const disk = faultyDisk({ durable: true });
  const program = await stage.start({ env: disk.env, ...(cli === undefined ? {} : { cli }) });
  const load = startLoad(stage.port);
  await until(() => load.acknowledged.length >= ENOUGH);
  await pause(Math.random() * 100);
  program.child.kill('SIGKILL');
  await program.ended;
  await load.stop();
  for (const file of FILES) cutFile(join(stage.dir, file), join(disk.durableDir, file), survivors);
  for (const file of ['-shm', '.owner']) rmSync(join(stage.dir, `alertcard.db${file}`), { force: true });
  return { acknowledged: load.acknowledged, outputs: [program.output()] };
}

/** Makes the file what the last sync left of it, with a random part of the later writes. */
function cutFile(path: string, durable: string, survivors: 'none' | 'some'): void {
  if (!existsSync(durable)) {
    rmSync(path, { force: true });
    return;
  }
  if (survivors === 'none') {
    copyFileSync(durable, path);
    return;
  }
  const [written, synced] = [readFileSync(path), readFileSync(durable)];
  const kept = Buffer.alloc(Math.max(written.length, synced.length));
  synced.copy(kept);
  for (let at = 0; at < written.length; at += SECTOR_BYTES)
    if (Math.random() < 0.5) written.copy(kept, at, at, at + SECTOR_BYTES);
  writeFileSync(path, kept);
}
