import { defineConfig } from 'vitest/config';

/** Tests that need a newer Node than the program does (nock 15): see scripts/test-node24.mjs. */
export default defineConfig({
  test: {
    globalSetup: ['test/setup/build.ts'],
    include: ['test/node24/**/*.test.ts'],
    fileParallelism: false,
    expect: { requireAssertions: true },
    testTimeout: 20_000,
  },
});
