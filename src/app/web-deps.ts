import type { ReloadResult } from '../domain/reload.ts';
import type { Readiness, WebDeps } from '../web/ports.ts';
import type { Live } from './live.ts';
import type { Parts, State } from './parts.ts';
import { previewMessages } from './preview.ts';
import { sendTestCard } from './test-card.ts';

/** What the API, the health pages and the metrics take from the program. */
export function buildWebDeps(parts: Parts, reload: () => Promise<ReloadResult>): WebDeps {
  const { state, store, engine, observers, options, clock } = parts;
  const live = (): Live => state.live;
  return {
    store,
    engine,
    adminToken: () => state.adminToken,
    version: options.version ?? '0.0.0',
    readiness: () => readinessOf(state),
    scrape: observers.metrics.scrape,
    scrapeContentType: observers.metrics.contentType,
    preview: async (input) => previewMessages(live(), input, clock.wall()),
    testChannel: (channel, payload) =>
      sendTestCard({ live, store, engine, clock, emit: observers.emit }, channel, payload),
    reload,
  };
}

function readinessOf(state: State): Readiness {
  if (state.isDraining) return { isReady: false, reason: 'draining' };
  if (state.storeRefuses !== '')
    return { isReady: false, reason: `store_not_writable: ${state.storeRefuses}` };
  return { isReady: true };
}
