import type { Clock } from '../domain/clock.ts';
import type { Event } from '../domain/events.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { Outcome, Reason } from '../domain/outcome.ts';

/** What became of one delivery within the time someone waited for it. */
export interface DeliveryOutcome {
  readonly deliveryId: DeliveryId;
  /** '' when nothing was heard of it. */
  readonly channel: string;
  /** `scheduled`: no verdict yet. */
  readonly outcome: Outcome | 'scheduled';
  readonly reason: Reason | undefined;
  readonly providerCode: string | undefined;
  readonly providerText: string | undefined;
}

export interface Outcomes {
  /** To be fed every event. */
  observe(event: Event): void;
  /**
   * Resolves with the first verdict on each delivery that says something: one that only costs a rung,
   * tried at once, does not. What has no verdict after `timeoutMs` is `scheduled`.
   */
  waitFor(deliveryIds: readonly DeliveryId[], timeoutMs: number): Promise<readonly DeliveryOutcome[]>;
}

/** Verdicts kept for those who ask just after the attempt. */
const REMEMBERED = 1_000;

export function createOutcomes(clock: Clock): Outcomes {
  const heard = new Map<DeliveryId, DeliveryOutcome>();
  const waiters = new Map<DeliveryId, Set<(outcome: DeliveryOutcome) => void>>();

  function hear(outcome: DeliveryOutcome): void {
    heard.delete(outcome.deliveryId);
    heard.set(outcome.deliveryId, outcome);
    for (const oldest of heard.keys()) {
      if (heard.size <= REMEMBERED) break;
      heard.delete(oldest);
    }
    for (const tell of waiters.get(outcome.deliveryId) ?? []) tell(outcome);
  }

  function waitForOne(deliveryId: DeliveryId, timeoutMs: number): Promise<DeliveryOutcome> {
    const known = heard.get(deliveryId);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => {
      const own = waiters.get(deliveryId) ?? new Set();
      const finish = (outcome: DeliveryOutcome): void => {
        cancel();
        own.delete(finish);
        if (own.size === 0) waiters.delete(deliveryId);
        resolve(outcome);
      };
      const cancel = clock.after(timeoutMs, () => finish(unheard(deliveryId)));
      waiters.set(deliveryId, own.add(finish));
    });
  }

  return {
    observe(event) {
      if (event.kind !== 'attempted' || event.nextRungAtOnce) return;
      const { outcome, reason, providerCode, providerText } = event.verdict;
      for (const { deliveryId } of event.deliveries)
        hear({ deliveryId, channel: event.channel, outcome, reason, providerCode, providerText });
    },
    waitFor: (deliveryIds, timeoutMs) =>
      Promise.all(deliveryIds.map((deliveryId) => waitForOne(deliveryId, timeoutMs))),
  };
}

function unheard(deliveryId: DeliveryId): DeliveryOutcome {
  return {
    deliveryId,
    channel: '',
    outcome: 'scheduled',
    reason: undefined,
    providerCode: undefined,
    providerText: undefined,
  };
}
