import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/program.ts';
import { killRounds } from './kill-rounds.ts';

describe('SIGKILL at random moments under load', () => {
  it('loses nothing that was answered 2xx, in 25 rounds', async () => {
    const report = await killRounds(25);

    expect(report.acknowledged).toBeGreaterThan(25);
    expect(report.lost).toEqual([]);
    expect(report.stuck).toEqual([]);
  });

  it('catches a build that answers before the commit', async () => {
    const build = mutantThatAnswersFirst();

    try {
      const report = await killRounds(6, join(build, 'dist/cli.js'));

      expect(report.acknowledged).toBeGreaterThan(6);
      expect(report.lost.length).toBeGreaterThan(0);
    } finally {
      rmSync(build, { recursive: true, force: true });
    }
  });
});

/**
 * A copy of the build whose store answers `kept` at once and writes a little later: what every tool
 * does that stores after answering. The kill test is worth something only if it catches this one.
 */
function mutantThatAnswersFirst(): string {
  const build = mkdtempSync(join(ROOT, 'node_modules/.mutant-'));
  cpSync(join(ROOT, 'dist'), join(build, 'dist'), { recursive: true });
  symlinkSync(join(ROOT, 'templates'), join(build, 'templates'));
  writeFileSync(join(build, 'package.json'), readFileSync(join(ROOT, 'package.json')));
  const path = join(build, 'dist/receive/accept.js');
  const source = readFileSync(path, 'utf8');
  const honest = /await (deps\.store\.accept)\((buildAccepted\([^)]*\))\)/;
  if (!honest.test(source)) throw new Error('the mutant found nothing to change in receive/accept');
  writeFileSync(
    path,
    source.replace(
      honest,
      "await ((accepted) => { setTimeout(() => void $1(accepted), 30); return { kind: 'kept', id: accepted.entry.id, seq: 0 }; })($2)",
    ),
  );
  return build;
}
