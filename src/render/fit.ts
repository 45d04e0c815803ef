/** Rounds of guessing by proportion before halving takes over, so that odd sizes cannot make it slow. */
const GUESSES = 6;

/** Past so many, whether one more fits is not worth another rendering. */
const MANY = 20;

/** The first two tries of many are small: they tell what the card itself and what each alert takes. */
const SMALL_TRIES = [2, 8] as const;

interface Sized {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Finds the largest number in 1..max whose size is within the limit, 0 when not even 1 is. Sizes grow
 * with the number, roughly in proportion, and are dear to measure (a card is rendered for each), so
 * the search guesses by proportion. What it answers was measured and fits; past MANY it may be one short.
 */
export function largestWithin(max: number, limit: number, measure: (count: number) => number): number {
  const tried: Sized[] = [];
  let low = 0;
  let high = max;
  while (low < high) {
    // A few mostly fit all together.
    const next = tried.length === 0 && max <= MANY ? max : nextTry(tried, low, high, limit);
    const count = Math.min(Math.max(next, low + 1), high);
    const bytes = measure(count);
    tried.push({ count, bytes });
    if (bytes <= limit) low = count;
    else high = count - 1;
    if (bytes <= limit && count > MANY && limit - bytes < perAlert(tried)) break;
  }
  return low;
}

/** Bytes that one more alert takes, by the last two tries. */
function perAlert(tried: readonly Sized[]): number {
  const [before, last] = tried.slice(-2);
  if (before === undefined || last === undefined || before.count === last.count) return 0;
  return (last.bytes - before.bytes) / (last.count - before.count);
}

function nextTry(tried: readonly Sized[], low: number, high: number, limit: number): number {
  const small = SMALL_TRIES[tried.length];
  const last = tried.at(-1);
  if (small !== undefined || last === undefined) return small ?? low + 1;
  if (tried.length > GUESSES) return Math.ceil((low + high) / 2);
  return last.count + Math.floor((limit - last.bytes) / Math.max(perAlert(tried), 1));
}
