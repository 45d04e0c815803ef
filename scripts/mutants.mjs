/**
 * Applies each mutant of test/mutants/list.mjs to a copy of the tree and runs the tests that must catch it.
 * Fails when a mutant lives, when its text is not found exactly once, or when the tests fail without it.
 * Arguments pick mutants by words of their names.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { MUTANTS } from '../test/mutants/list.mjs';

const tree = resolve(import.meta.dirname, '..');
/** Modules under a folder named node_modules are not transformed by vitest, so the copy lies outside. */
const copy = mkdtempSync(join(tmpdir(), 'alertcard-mutants-'));
const NEEDED = [
  'src',
  'test',
  'templates',
  'fixtures',
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'vitest.config.ts',
];

const picked = MUTANTS.filter(({ name }) => process.argv.slice(2).every((word) => name.includes(word)));
try {
  process.exitCode = run() ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function run() {
  const unfit = picked.filter(({ file, find }) => count(readFileSync(join(tree, file), 'utf8'), find) !== 1);
  for (const { name, file } of unfit) console.error(`not found exactly once in ${file}: ${name}`);
  if (unfit.length > 0 || picked.length === 0) return false;
  for (const path of NEEDED) cpSync(join(tree, path), join(copy, path), { recursive: true });
  symlinkSync(join(tree, 'node_modules'), join(copy, 'node_modules'));
  if (failedTests([...new Set(picked.flatMap(({ tests }) => tests))]) !== 0) {
    console.error('the tests do not pass without a mutant, so they prove nothing');
    return false;
  }
  const living = picked.filter((mutant) => !isCaught(mutant));
  console.log(`${picked.length - living.length} of ${picked.length} mutants caught`);
  return living.length === 0;
}

function isCaught({ name, file, find, replace, tests }) {
  const path = join(copy, file);
  const source = readFileSync(path, 'utf8');
  writeFileSync(path, source.split(find).join(replace));
  const failed = failedTests(tests);
  writeFileSync(path, source);
  if (failed === undefined) console.log(`BROKEN  ${name}: the tests did not run`);
  else console.log(`${failed > 0 ? 'caught' : 'LIVES '}  ${name} (${failed} failed)`);
  return failed !== undefined && failed > 0;
}

/** Number of failed tests; undefined when they did not run at all, a mutant that does not compile for instance. */
function failedTests(tests) {
  const report = join(copy, 'report.json');
  rmSync(report, { force: true });
  const args = ['run', ...tests, '--reporter=json', `--outputFile=${report}`];
  spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { cwd: copy, stdio: 'ignore' });
  try {
    const { numFailedTests, numPassedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return numFailedTests + numPassedTests > 0 ? numFailedTests : undefined;
  } catch {
    return undefined;
  }
}

function count(text, part) {
  return text.split(part).length - 1;
}
