/** How many messages a robot takes. */
export interface RateRules {
  readonly perSecond: number | undefined;
  readonly perMinute: number;
  /** How long it takes nothing after that, ms; 0 when it only refuses what is too much. */
  readonly muteMs: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Counts one robot's messages over sliding windows. */
export class RateCounter {
  readonly #rules: RateRules;
  #takenAt: number[] = [];
  #muteUntil = Number.NEGATIVE_INFINITY;

  constructor(rules: RateRules) {
    this.#rules = rules;
  }

  /** Counts a message and says whether it may pass. Refused ones do not count. */
  take(at: number): boolean {
    if (at < this.#muteUntil) return false;
    this.#takenAt = this.#takenAt.filter((taken) => taken > at - MINUTE_MS);
    const inSecond = this.#takenAt.filter((taken) => taken > at - SECOND_MS).length;
    const { perSecond, perMinute, muteMs } = this.#rules;
    if (this.#takenAt.length >= perMinute || (perSecond !== undefined && inSecond >= perSecond)) {
      this.#muteUntil = at + muteMs;
      return false;
    }
    this.#takenAt.push(at);
    return true;
  }
}
