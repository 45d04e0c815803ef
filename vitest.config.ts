import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/setup/build.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/process/**', 'test/long/**', 'test/node24/**'],
    sequence: { shuffle: true },
    // A machine shared with others may starve a test once; twice in a row is a finding.
    retry: process.env.CI === undefined ? 0 : 2,
    expect: { requireAssertions: true },
    testTimeout: 20_000,
  },
});
