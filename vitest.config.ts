import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globalSetup: ['test/setup/build.ts'],
    include: ['test/**/*.test.ts'],
    exclude: ['test/process/**', 'test/long/**', 'test/node24/**'],
    sequence: { shuffle: true },
    expect: { requireAssertions: true },
    testTimeout: 20_000,
  },
});
