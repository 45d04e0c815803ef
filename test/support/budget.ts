/** How many times the usual effort `npm run test:long` asks of property tests; 1 everywhere else. */
const factor = Number(process.env.TEST_FACTOR ?? '1');

/** Runs of a property: so many in the fast suite, a multiple in the long one. */
export function runs(usual: number): number {
  return Math.round(usual * factor);
}
