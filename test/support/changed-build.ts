import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from './program.ts';

/** One textual change of a compiled file. */
export interface Change {
  /** Below `dist`. */
  readonly file: string;
  /** Must stand in the file exactly once: a change that finds nothing would prove nothing. */
  readonly find: string;
  readonly replace: string;
}

/** A copy of the build with something wrong in it, removed when the test ends; returns the path of its `cli.js`. */
export function changedBuild(...changes: readonly Change[]): string {
  const build = mkdtempSync(join(ROOT, 'node_modules/.mutant-'));
  onTestFinished(() => rmSync(build, { recursive: true, force: true }));
  cpSync(join(ROOT, 'dist'), join(build, 'dist'), { recursive: true });
  symlinkSync(join(ROOT, 'templates'), join(build, 'templates'));
  writeFileSync(join(build, 'package.json'), readFileSync(join(ROOT, 'package.json')));
  for (const { file, find, replace } of changes) {
    const path = join(build, 'dist', file);
    const parts = readFileSync(path, 'utf8').split(find);
    if (parts.length !== 2)
      throw new Error(`"${find}" stands ${parts.length - 1} times in ${file}, not once`);
    writeFileSync(path, parts.join(replace));
  }
  return join(build, 'dist/cli.js');
}
