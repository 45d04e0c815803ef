/** The only source of time; tests hand in one they move by hand. */
export interface Clock {
  /** True wall clock, epoch ms: for signatures and for what people read. */
  wall(): number;
  /** Epoch ms anchored at start and advanced monotonically: for scheduling, so that an NTP step moves no timer. */
  now(): number;
  /** Calls `wake` once after `ms` (clamped at 0); returns a function that cancels it. */
  after(ms: number, wake: () => void): () => void;
}
