import { defineConfig } from 'vitest/config';

/** Tests that start the real program: signals, crash, command line. One at a time. */
export default defineConfig({
  test: {
    globalSetup: ['test/setup/build.ts'],
    include: ['test/process/**/*.test.ts'],
    fileParallelism: false,
    // A machine shared with others may starve a test once; twice in a row is a finding.
    retry: process.env.CI === undefined ? 0 : 2,
    expect: { requireAssertions: true },
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
