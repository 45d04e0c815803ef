import type { Clock } from '../domain/clock.ts';
import type { ClaimRequest, Settlement, SettleResult } from '../domain/work.ts';
import type { DeliveryStore } from './ports.ts';

const RETRY_STEPS_MS = [200, 500, 1_000, 2_000, 5_000];

/**
 * Settles until the store has it or the lease is surely lost (undefined): a verdict is too dear to drop,
 * since without it the card goes out again. A claim made with a settle that was not heard of ends with its
 * own lease.
 */
export async function settleSurely(
  deps: { readonly store: Pick<DeliveryStore, 'settle'>; readonly clock: Clock },
  lease: { readonly token: string; readonly endsAt: number },
  settlement: Settlement,
  thenClaim: ClaimRequest | undefined,
): Promise<SettleResult | undefined> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await deps.store.settle(lease.token, settlement, thenClaim);
    } catch {
      const waitMs = RETRY_STEPS_MS[Math.min(tries, RETRY_STEPS_MS.length - 1)] ?? 0;
      if (deps.clock.now() + waitMs > lease.endsAt) return undefined;
      await new Promise<void>((resolve) => deps.clock.after(waitMs, resolve));
    }
  }
}
