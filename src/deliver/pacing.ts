import type { Clock } from '../domain/clock.ts';
import { nextFreeAt, tokensLeft } from '../domain/pacing.ts';
import type { Pacing } from '../domain/settings.ts';

/** The right to one POST: it counts from the moment it is taken, and is dated when it is used. */
export interface Token {
  /** The request goes out now. */
  use(): void;
  /** Nothing was sent. */
  refund(): void;
}

interface Usage {
  /** Ascending, epoch ms. */
  starts: number[];
  /** Taken and not yet used: each counts as if it started now. */
  pending: number;
  /** How many starts are remembered: no pacing looks further back than its own limit. */
  keep: number;
}

const UNPACED: Token = { use() {}, refund() {} };

/** The attempts of each robot within the last minute, shared by every lane that names it. */
export class PacingLedger {
  readonly #clock: Clock;
  readonly #onRefund: (robotKey: string) => void;
  readonly #usages = new Map<string, Usage>();

  /** `onRefund` hears when a token comes back, since another lane may wait for it. */
  constructor(clock: Clock, onRefund: (robotKey: string) => void) {
    this.#clock = clock;
    this.#onRefund = onRefund;
  }

  /** Puts in the starts of an earlier process, oldest first. */
  seed(robotKey: string, starts: readonly number[]): void {
    const now = this.#clock.now();
    const usage = this.#usageOf(robotKey);
    usage.starts = [...starts.map((start) => Math.min(start, now)), ...usage.starts];
  }

  /** When the robot may send, leaving `reserved` tokens of the minute untouched. */
  freeAt(robotKey: string, pacing: Pacing, reserved: number): number {
    const { starts, pending } = this.#usageOf(robotKey);
    const now = this.#clock.now();
    return nextFreeAt([...starts, ...Array<number>(pending).fill(now)], pacing, now, reserved);
  }

  /** How many POSTs the minute still holds, leaving `reserved` of them untouched. */
  tokensLeft(robotKey: string, pacing: Pacing, reserved: number): number {
    const { starts, pending } = this.#usageOf(robotKey);
    return tokensLeft(starts, pacing, this.#clock.now(), reserved) - pending;
  }

  take(robotKey: string, pacing: Pacing): Token {
    if (pacing.perMinute <= 0) return UNPACED;
    const usage = this.#usageOf(robotKey);
    usage.keep = Math.max(usage.keep, pacing.perMinute, pacing.perSecond ?? 0);
    usage.pending += 1;
    let isOpen = true;
    const close = (): boolean => {
      if (!isOpen) return false;
      isOpen = false;
      usage.pending -= 1;
      return true;
    };
    return {
      use: () => {
        if (close()) this.#record(usage);
      },
      refund: () => {
        if (close()) this.#onRefund(robotKey);
      },
    };
  }

  #usageOf(robotKey: string): Usage {
    const usage = this.#usages.get(robotKey) ?? { starts: [], pending: 0, keep: 0 };
    this.#usages.set(robotKey, usage);
    return usage;
  }

  #record(usage: Usage): void {
    usage.starts.push(this.#clock.now());
    if (usage.starts.length > usage.keep) usage.starts.splice(0, usage.starts.length - usage.keep);
  }
}
