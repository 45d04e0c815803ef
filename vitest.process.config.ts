import { defineConfig } from 'vitest/config';

/** Tests that start the real program: signals, crash, command line. One at a time. */
export default defineConfig({
  test: {
    globalSetup: ['test/setup/build.ts'],
    include: ['test/process/**/*.test.ts'],
    fileParallelism: false,
    expect: { requireAssertions: true },
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
