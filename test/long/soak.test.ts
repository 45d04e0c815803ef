import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { expectSoundAftermath } from '../support/aftermath.ts';
import { startLoad } from '../support/load.ts';
import { pause } from '../support/program.ts';
import { setStage } from '../support/stage.ts';

const MIB = 1_048_576;
const MINUTE_MS = 60_000;
const budget = Number(process.env.TEST_BUDGET ?? '1');

describe('a minute under load', () => {
  it('refuses nothing, grows no further once warm, and leaves a sound store', async () => {
    const stage = await setStage();
    const program = await stage.start();
    const load = startLoad(stage.port, 8);
    // the robot takes now no time, now half a second
    const moods = setInterval(() => {
      stage.ear.delayMs = Math.random() < 0.3 ? 500 : 0;
    }, 1_000);

    await pause(MINUTE_MS / 3);
    const warm = residentBytes(program.child.pid);
    await pause((budget - 1 / 3) * MINUTE_MS);
    const late = residentBytes(program.child.pid);
    clearInterval(moods);
    stage.ear.delayMs = 0;
    await load.stop();

    expect([...load.statuses.keys()]).toEqual([202]);
    expect(late).toBeLessThan(warm + 150 * MIB);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: load.acknowledged,
      outputs: [program.output()],
    });
  });
});

function residentBytes(pid: number | undefined): number {
  const [, kib = ''] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}
