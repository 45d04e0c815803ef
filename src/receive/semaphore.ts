import type { Clock } from '../domain/clock.ts';

interface Waiter {
  readonly amount: number;
  readonly grant: () => void;
}

/** Shares a fixed amount of something among callers, first come first served, each waiting a bounded time. */
export class Semaphore {
  readonly #clock: Clock;
  readonly #waiters: Waiter[] = [];
  #free: number;

  constructor(capacity: number, clock: Clock) {
    this.#free = capacity;
    this.#clock = clock;
  }

  /** Whether `amount` was granted within `timeoutMs`; what was granted must be released. */
  acquire(amount: number, timeoutMs: number): Promise<boolean> {
    if (this.#waiters.length === 0 && amount <= this.#free) {
      this.#free -= amount;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const waiter: Waiter = {
        amount,
        grant: () => {
          cancel();
          resolve(true);
        },
      };
      const cancel = this.#clock.after(timeoutMs, () => {
        this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
        resolve(false);
        this.#grantWaiting();
      });
      this.#waiters.push(waiter);
    });
  }

  release(amount: number): void {
    this.#free += amount;
    this.#grantWaiting();
  }

  #grantWaiting(): void {
    for (
      let next = this.#waiters[0];
      next !== undefined && next.amount <= this.#free;
      next = this.#waiters[0]
    ) {
      this.#waiters.shift();
      this.#free -= next.amount;
      next.grant();
    }
  }
}
