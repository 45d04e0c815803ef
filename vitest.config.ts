import { defineConfig } from 'vitest/config';

const results = process.env.TEST_RESULTS_DIR;

export default defineConfig({
  test: {
    // Where somebody counts, as .ci/run does: a report for programs beside the one for people.
    ...(results === undefined
      ? {}
      : { reporters: ['default', 'json'], outputFile: { json: `${results}/test.json` } }),
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
