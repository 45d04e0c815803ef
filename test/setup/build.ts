import { execFileSync } from 'node:child_process';

/** The writer thread always loads from `dist` (a `.ts` worker does not load on Node 20), so tests compile first. */
export function setup(): void {
  execFileSync('node', ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
}
