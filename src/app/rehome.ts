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

/** What was in flight in a channel that left waits there again when its attempt failed, and is handed on then. */
export async function rehomeOnceLeft(
  left: Promise<void>,
  store: Pick<Store, 'channelsWithLines' | 'rehome'>,
  settings: () => Settings,
  log: Observers['log'],
): Promise<void> {
  try {
    await left;
    await rehomeLeftChannels(store, settings(), log);
  } catch {
    // The store is closed or fails: the next start does it.
  }
}
