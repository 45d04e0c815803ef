import type { Clock } from '../domain/clock.ts';
import type { Event } from '../domain/events.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { Verdict } from '../domain/outcome.ts';

export interface Outcomes {
  /** To be fed every event. */
  observe(event: Event): void;
  /**
   * Resolves with the first verdict on each delivery that says something: one that only costs a rung,
   * tried at once, does not. A delivery without a verdict after `timeoutMs` is left out.
   */
  waitFor(deliveryIds: readonly DeliveryId[], timeoutMs: number): Promise<ReadonlyMap<DeliveryId, Verdict>>;
}

/** Verdicts kept for those who ask just after the attempt. */
const REMEMBERED = 1_000;

export function createOutcomes(clock: Clock): Outcomes {
  const heard = new Map<DeliveryId, Verdict>();
  const waiters = new Map<DeliveryId, Set<(verdict: Verdict) => void>>();

  function hear(deliveryId: DeliveryId, verdict: Verdict): void {
    heard.delete(deliveryId);
    heard.set(deliveryId, verdict);
    for (const oldest of heard.keys()) {
      if (heard.size <= REMEMBERED) break;
      heard.delete(oldest);
    }
    for (const tell of waiters.get(deliveryId) ?? []) tell(verdict);
  }

  function waitForOne(deliveryId: DeliveryId, timeoutMs: number): Promise<Verdict | undefined> {
    const known = heard.get(deliveryId);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => {
      const own = waiters.get(deliveryId) ?? new Set();
      const finish = (verdict: Verdict | undefined): void => {
        cancel();
        own.delete(finish);
        if (own.size === 0) waiters.delete(deliveryId);
        resolve(verdict);
      };
      const cancel = clock.after(timeoutMs, () => finish(undefined));
      waiters.set(deliveryId, own.add(finish));
    });
  }

  return {
    observe(event) {
      if (event.kind !== 'attempted' || event.nextRungAtOnce) return;
      for (const { deliveryId } of event.deliveries) hear(deliveryId, event.verdict);
    },
    async waitFor(deliveryIds, timeoutMs) {
      const waited = await Promise.all(
        deliveryIds.map(async (deliveryId) => [deliveryId, await waitForOne(deliveryId, timeoutMs)] as const),
      );
      return new Map(waited.flatMap(([id, verdict]) => (verdict === undefined ? [] : [[id, verdict]])));
    },
  };
}
