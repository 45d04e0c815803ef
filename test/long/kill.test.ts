import { describe, expect, it } from 'vitest';
import { expectSoundAftermath } from '../support/aftermath.ts';
import { runs } from '../support/budget.ts';
import { type Change, changedBuild } from '../support/changed-build.ts';
import { startLoad } from '../support/load.ts';
import { pause } from '../support/program.ts';
import { setStage, until } from '../support/stage.ts';

const ROUNDS = 2;

/** Does nearly nothing but copy its log into the database. */
const CHECKPOINTS_ALWAYS: readonly Change[] = [
  {
    file: 'store/pragmas.js',
    find: 'const CHECKPOINT_PAGES = 1_000;',
    replace: 'const CHECKPOINT_PAGES = 4;',
  },
];
/** Prunes what was delivered at once, a slice each second. */
const PRUNES_ALWAYS: readonly Change[] = [
  {
    file: 'deliver/maintenance.js',
    find: 'await store.prune(retention());',
    replace: 'await store.prune({ ...retention(), bodiesMs: 0 });',
  },
  {
    file: 'deliver/maintenance.js',
    find: 'const PRUNE_EVERY_MS = 60_000;',
    replace: 'const PRUNE_EVERY_MS = 0;',
  },
  {
    file: 'deliver/maintenance.js',
    find: 'const PRUNE_AT_LEAST_EVERY_MS = 120_000;',
    replace: 'const PRUNE_AT_LEAST_EVERY_MS = 0;',
  },
  { file: 'deliver/maintenance.js', find: 'const TICK_MS = 1_000;', replace: 'const TICK_MS = 20;' },
];

describe('SIGKILL', () => {
  it.each([
    ['checkpointing', CHECKPOINTS_ALWAYS],
    ['pruning', PRUNES_ALWAYS],
  ])('while %s loses nothing, in any round', async (_, changes) => {
    const stage = await setStage();
    const cli = changedBuild(...changes);
    const acknowledged: string[] = [];
    const outputs: string[] = [];

    for (let round = 0; round < runs(ROUNDS); round += 1) {
      const program = await stage.start({ cli });
      const load = startLoad(stage.port);
      await until(() => load.acknowledged.length >= 20);
      await pause(Math.random() * 200);
      program.child.kill('SIGKILL');
      await program.ended;
      await load.stop();
      acknowledged.push(...load.acknowledged);
      outputs.push(program.output());
    }

    expect(acknowledged.length).toBeGreaterThanOrEqual(20 * runs(ROUNDS));
    await expectSoundAftermath({ ...stage, acknowledged, outputs });
  });

  it('while the schema is made leaves what the next start finishes', async () => {
    const stage = await setStage();
    const outputs: string[] = [];

    for (let round = 0; round < runs(ROUNDS); round += 1) {
      const program = stage.spawn();
      await pause(200 + Math.random() * 600);
      program.child.kill('SIGKILL');
      await program.ended;
      outputs.push(program.output());
    }

    expect(outputs).toHaveLength(runs(ROUNDS));
    await expectSoundAftermath({ ...stage, acknowledged: [], outputs });
  });
});
