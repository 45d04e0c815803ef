/**
 * How many lines the next claim takes. A card carries one line today; digests, which let several share
 * one card when more lines are due than `digest.above`, decide here.
 */
export function claimSize(): number {
  return 1;
}
