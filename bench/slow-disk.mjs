/** Compiles `slow-fsync.c` and tells which environment makes a child process's disk slow. */
import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Environment for a child whose fsync takes `ms` longer; undefined, said loudly, without a C compiler.
 * `countFile` is where the child writes how many calls it made, when it exits.
 */
export function slowDisk(folder, ms, countFile) {
  const library = join(folder, 'slow-fsync.so');
  const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (compiler === undefined) {
    console.error(
      'SKIPPED: no C compiler (cc, gcc or clang), so no slow disk can be made; nothing was measured',
    );
    return undefined;
  }
  const source = join(import.meta.dirname, 'slow-fsync.c');
  execFileSync(compiler, ['-O2', '-Wall', '-Wextra', '-shared', '-fPIC', '-o', library, source, '-ldl']);
  const count = countFile === undefined ? {} : { SLOW_FSYNC_COUNT: countFile };
  return { LD_PRELOAD: library, SLOW_FSYNC_MS: String(ms), ...count };
}
