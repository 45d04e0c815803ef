import type { ChannelSettings } from '../domain/settings.ts';
import type { ChannelState } from '../domain/store.ts';
import type { Notices } from './notices.ts';
import type { DeliveryStore } from './ports.ts';

/** How long deaths may wait for a card of their own channel to tell of them. */
const TELL_DEATHS_AFTER_MS = 120_000;

/**
 * Tells of dead letters that no card has told of in time: in the fallback, or in the channel itself when
 * it has none and works.
 */
export async function tellDeaths(
  deps: { readonly store: Pick<DeliveryStore, 'tellDeaths'>; readonly notices: Notices },
  channel: ChannelSettings,
  fallback: ChannelSettings | undefined,
  state: ChannelState,
): Promise<void> {
  const count = state.deathsUntold;
  if (count === 0 || (state.oldestDeathMs ?? 0) < TELL_DEATHS_AFTER_MS) return;
  const teller = fallback ?? (state.broken === undefined ? channel : undefined);
  if (teller === undefined) return;
  // Noted before the lane is woken: else the notice, in the channel itself, would tell of them twice.
  await deps.notices.give(teller.name, { kind: 'deaths', channel: channel.name, count, reasons: {} }, () =>
    deps.store.tellDeaths(channel.name, count),
  );
}
