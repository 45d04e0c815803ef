import type { Settings } from '../domain/settings.ts';
import type { Store } from '../domain/store.ts';
import type { Observers } from './observers.ts';

/**
 * Hands what waits for channels that left the configuration to the default channels of the sources, so
 * that taking a channel out loses no alert.
 */
export async function rehomeLeftChannels(
  store: Pick<Store, 'channelsWithLines' | 'rehome'>,
  settings: Settings,
  log: Observers['log'],
): Promise<void> {
  const defaults = [...new Set([...settings.sources.values()].flatMap(({ channels }) => channels))];
  for (const channel of await store.channelsWithLines()) {
    if (settings.channels.has(channel)) continue;
    const { moved } = await store.rehome(channel, defaults);
    log.warn(
      { channel, moved },
      'a channel left the configuration: what waited goes to the default channels',
    );
  }
}
