import type { Settings } from '../domain/settings.ts';
import type { Store } from '../domain/store.ts';
import type { Observers } from './observers.ts';

/**
 * Hands what waits for channels that left the configuration to the default channels of each one's source,
 * so that taking a channel out loses no alert.
 */
export async function rehomeLeftChannels(
  store: Pick<Store, 'channelsWithLines' | 'rehome'>,
  settings: Settings,
  log: Observers['log'],
): Promise<void> {
  const defaults = new Map([...settings.sources.values()].map(({ name, channels }) => [name, channels]));
  for (const channel of await store.channelsWithLines()) {
    if (settings.channels.has(channel)) continue;
    const { moved } = await store.rehome(channel, defaults);
    log.warn(
      { channel, moved },
      'a channel left the configuration: what waited goes to the default channels',
    );
  }
}
