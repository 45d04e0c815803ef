import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it('keeps the generated pages in step with keys, codes and reasons', () => {
  const { stderr, status } = spawnSync('node', ['scripts/docs.mjs', '--check'], { encoding: 'utf8' });

  expect([stderr, status]).toEqual(['', 0]);
});
