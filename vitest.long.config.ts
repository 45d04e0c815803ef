import { defineConfig } from 'vitest/config';

/** Multiplies every effort below: `TEST_BUDGET=10 npm run test:long`. */
const budget = Number(process.env.TEST_BUDGET ?? '1');

/**
 * The property tests of the fast suites with a multiple of their runs and a random seed, and what lives under
 * `test/long`: kill loops, load and soak. Not part of CI. A counterexample it finds becomes an ordinary test.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/setup/build.ts'],
    setupFiles: ['test/long/setup.ts'],
    include: [
      'test/long/**/*.test.ts',
      'test/store/model.test.ts',
      'test/store/alert-states.test.ts',
      'test/domain/*.test.ts',
      'test/channels/dialect.test.ts',
      'test/channels/text.test.ts',
      'test/receive/plugin.test.ts',
      'test/receive/payload/lenient.test.ts',
      'test/receive/verify.test.ts',
      'test/render/compose-properties.test.ts',
      'test/render/fit.test.ts',
      'test/route/plan.test.ts',
    ],
    env: { TEST_BUDGET: String(budget), TEST_FACTOR: String(10 * budget) },
    fileParallelism: false,
    expect: { requireAssertions: true },
    testTimeout: 900_000 * Math.max(1, budget),
    hookTimeout: 60_000,
  },
});
