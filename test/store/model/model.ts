import type { DeliveryState } from '../../../src/domain/work.ts';

export interface ModelDelivery {
  readonly id: string;
  readonly seq: number;
  readonly channel: string;
  readonly group: string;
  readonly rank: number;
  readonly isFiring: boolean;
  readonly isSnapshot: boolean;
  state: DeliveryState;
  budgetFrom: number;
}

export interface ModelLine {
  /** undefined: due now. */
  dueAt: number | undefined;
  interruptions: number;
}

export interface ModelAttempt {
  readonly token: string;
  readonly groups: readonly string[];
  readonly carried: readonly ModelDelivery[];
}

/** The store as a few arrays: slow, obvious, and what the real one is held to. */
export class Model {
  readonly deliveries: ModelDelivery[] = [];
  readonly attempts = new Map<string, ModelAttempt>();
  readonly staleTokens: string[] = [];
  readonly #lines = new Map<string, ModelLine>();
  lastSeq = 0;
  deaths = 0;

  waiting(channel: string, group?: string): ModelDelivery[] {
    return this.deliveries
      .filter((one) => one.channel === channel && (group === undefined || one.group === group))
      .filter((one) => one.state === 'scheduled' || one.state === 'leased')
      .sort((a, b) => b.seq - a.seq);
  }

  line(channel: string, group: string): ModelLine {
    const key = `${channel} ${group}`;
    const line = this.#lines.get(key) ?? { dueAt: undefined, interruptions: 0 };
    this.#lines.set(key, line);
    return line;
  }

  /** Forgets lines with nothing left to deliver. */
  sweep(channel: string): void {
    for (const key of [...this.#lines.keys()]) {
      const [ofChannel = '', group = ''] = key.split(' ');
      if (ofChannel === channel && this.waiting(channel, group).length === 0) this.#lines.delete(key);
    }
  }

  /** A wait that is over stays over, even if the clock is set back afterwards. */
  promote(channel: string, now: number): void {
    for (const [key, line] of this.#lines)
      if (key.startsWith(`${channel} `) && (line.dueAt ?? 0) <= now) line.dueAt = undefined;
  }

  lines(): Iterable<ModelLine> {
    return this.#lines.values();
  }

  /** Groups with a due line, in the order they must come. */
  dueGroups(channel: string, now: number): string[] {
    const groups = [...new Set(this.waiting(channel).map((one) => one.group))];
    const due = groups.filter((group) => (this.line(channel, group).dueAt ?? 0) <= now);
    const oldest = (group: string) => this.waiting(channel, group).at(-1)?.seq ?? 0;
    return due.sort((a, b) => this.rank(channel, a) - this.rank(channel, b) || oldest(a) - oldest(b));
  }

  /** The newest snapshot's rank, or a worse one of what came after it. */
  rank(channel: string, group: string): number {
    const waiting = this.waiting(channel, group);
    const snapshot = waiting.findIndex((one) => one.isSnapshot);
    const counting = snapshot === -1 ? waiting : waiting.slice(0, snapshot + 1);
    return Math.min(...counting.map((one) => one.rank));
  }

  bury(delivery: ModelDelivery): void {
    delivery.state = 'dead';
    this.deaths += 1;
  }
}
