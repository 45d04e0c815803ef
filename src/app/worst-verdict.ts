import type { Outcome, Verdict } from '../domain/outcome.ts';

/** The more a person has to do, the worse; no verdict yet stands between those that pass and a delivery. */
const WORST_FIRST: readonly (Outcome | undefined)[] = [
  'misconfigured',
  'rejected',
  'unconfirmed',
  'unavailable',
  'throttled',
  undefined,
  'delivered',
];

/** What to say of several deliveries in one word; undefined while the worst is that one still waits. */
export function worstVerdict(verdicts: readonly (Verdict | undefined)[]): Verdict | undefined {
  const outcomes = verdicts.map((verdict) => verdict?.outcome);
  const worst = WORST_FIRST.find((outcome) => outcomes.includes(outcome));
  return verdicts.find((verdict) => verdict?.outcome === worst);
}
