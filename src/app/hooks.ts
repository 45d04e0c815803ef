import type { FastifyPluginAsync } from 'fastify';
import type { Engine } from '../deliver/engine.ts';
import type { PlannedDelivery } from '../domain/accepted.ts';
import type { Clock } from '../domain/clock.ts';
import { groupHash } from '../domain/dedup.ts';
import { hintFor } from '../domain/hints.ts';
import type { DeliveryId } from '../domain/ids.ts';
import { makeId } from '../domain/ids.ts';
import type { Verdict } from '../domain/outcome.ts';
import type { Store } from '../domain/store.ts';
import { createAccept, type Plan } from '../receive/accept.ts';
import { hooks } from '../receive/plugin.ts';
import type { Live } from './live.ts';
import type { Observers } from './observers.ts';

export interface HookDeps {
  readonly live: () => Live;
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly observers: Observers;
}

/** The receiving side, joined with the planner that is live and with the lanes it has to wake. */
export function buildHooks({ live, store, engine, clock, observers }: HookDeps): FastifyPluginAsync {
  const { emit, log } = observers;
  const accept = createAccept({
    store,
    plan: planLive(live),
    channelNames: () => [...live().settings.channels.keys()],
    clock,
    makeId,
    emit,
    waitForOutcomes: (deliveries, timeoutMs) => heardOf(engine, deliveries, timeoutMs),
    advise: (reason, channel) =>
      hintFor(reason, live().settings.channels.get(channel)?.provider ?? 'dingtalk'),
    onPlanFailure: (error, source) =>
      log.error({ err: error, source }, 'a notification was kept as unreadable: planning it failed'),
  });
  return (app) =>
    hooks(app, {
      source: (name) => live().settings.sources.get(name),
      accept,
      clock,
      emit,
      bodyLimitBytes: live().settings.server.bodyLimitBytes,
      onFailure: (error) => log.error({ err: error }, 'a hook failed'),
    });
}

function planLive(live: () => Live): Plan {
  return (notification, source, pathChannel) =>
    live().planner.plan({
      notification,
      source,
      pathChannel: pathChannel ?? '',
      groupHash: groupHash(source.name, notification.org, notification.receiver, notification.groupKey),
    });
}

/** Whoever waits has to hear the truth now: paused robots are tried at once. */
function heardOf(
  engine: Engine,
  deliveries: readonly PlannedDelivery[],
  timeoutMs: number,
): Promise<ReadonlyMap<DeliveryId, Verdict>> {
  for (const channel of new Set(deliveries.map((delivery) => delivery.channel))) engine.probe(channel);
  return engine.waitForOutcomes(
    deliveries.map(({ id }) => id),
    timeoutMs,
  );
}
