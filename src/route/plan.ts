import type { PlannedDelivery } from '../domain/accepted.ts';
import { type Labels, makeLabels } from '../domain/alert.ts';
import type { DeliveryId } from '../domain/ids.ts';
import type { Notification } from '../domain/notification.ts';
import type { ChannelSettings, Settings, SourceSettings } from '../domain/settings.ts';
import { type AlertRouting, createRouter, type Router } from './router.ts';

/** With `group: each`, how many alerts of a notification get a card of their own; the rest share one. */
const MAX_CARDS_OF_ONE_ALERT = 20;

export interface PlanDependencies {
  /** Severity by labels, 0 is worst; labels without one give the rank of an unknown severity. */
  readonly rankOf: (labels: Labels) => number;
  /** Order of a line in its lane, lower first. */
  readonly lineRank: (isFiring: boolean, severityRank: number) => number;
  /** A hash that tells lists of texts apart. */
  readonly hashParts: (parts: readonly string[]) => string;
  readonly makeDeliveryId: () => DeliveryId;
}

export interface PlanRequest {
  readonly notification: Notification;
  readonly source: SourceSettings;
  /** Channel named in the path, which routes do not get to see; '' when routes decide. */
  readonly pathChannel: string;
  readonly groupHash: string;
}

export interface Planner {
  plan(request: PlanRequest): readonly PlannedDelivery[];
  /** Which routes each alert met and where it goes, before `send_resolved` and `group` are applied. */
  explain(request: RouteRequest): readonly AlertRouting[];
}

type RouteRequest = Pick<PlanRequest, 'notification' | 'source' | 'pathChannel'>;

/** An alert's position, on its way to one channel. */
interface Chosen {
  readonly index: number;
  readonly mentionAll: boolean;
}

interface Split {
  readonly alone: readonly Chosen[];
  readonly rest: readonly Chosen[];
}

/** Builds the pure step from a notification to its deliveries: no clock, and ids only from `makeDeliveryId`. */
export function createPlanner(
  settings: Pick<Settings, 'channels' | 'routes'>,
  dependencies: PlanDependencies,
): Planner {
  return new RoutePlanner(settings, dependencies);
}

class RoutePlanner implements Planner {
  readonly #channels: ReadonlyMap<string, ChannelSettings>;
  readonly #route: Router;
  readonly #dependencies: PlanDependencies;

  constructor({ channels, routes }: Pick<Settings, 'channels' | 'routes'>, dependencies: PlanDependencies) {
    this.#channels = channels;
    this.#route = createRouter(routes);
    this.#dependencies = dependencies;
  }

  plan(request: PlanRequest): readonly PlannedDelivery[] {
    const { notification, source, pathChannel } = request;
    if (notification.alerts.length === 0) {
      const names = pathChannel === '' ? source.channels : [pathChannel];
      return this.#known(names).map((channel) => this.#whole(channel, request));
    }
    const chosenBy = byChannel(this.explain(request));
    return this.#known([...chosenBy.keys()]).flatMap((channel) =>
      this.#planChannel(channel, chosenBy.get(channel.name) ?? [], request),
    );
  }

  explain({ notification, source, pathChannel }: RouteRequest): readonly AlertRouting[] {
    return this.#route(notification, source.channels, pathChannel);
  }

  #known(names: readonly string[]): ChannelSettings[] {
    return [...new Set(names)].flatMap((name) => this.#channels.get(name) ?? []);
  }

  /** For a notification in which no alert could be read: as urgent as a firing one of unknown severity. */
  #whole(channel: ChannelSettings, { notification, groupHash }: PlanRequest): PlannedDelivery {
    const { makeDeliveryId, lineRank, rankOf } = this.#dependencies;
    return {
      id: makeDeliveryId(),
      channel: channel.name,
      lineHash: groupHash,
      rank: lineRank(true, rankOf(notification.commonLabels)),
      isFiring: true,
      selection: null,
      mentionAll: false,
    };
  }

  #planChannel(channel: ChannelSettings, chosen: readonly Chosen[], request: PlanRequest): PlannedDelivery[] {
    const wanted = wantedBy(channel, chosen, request.notification);
    const { alone, rest } =
      channel.group === 'each' ? this.#split(wanted, request.notification) : { alone: [], rest: wanted };
    const deliveries = alone.map((one) =>
      this.#delivery(channel, [one], this.#lineOf(one, request), request),
    );
    if (rest.length > 0) deliveries.push(this.#delivery(channel, rest, request.groupHash, request));
    return deliveries;
  }

  /**
   * Who gets a card of their own must not depend on status, or the resolved card could join another
   * line than the firing one did and overtake it.
   */
  #split(wanted: readonly Chosen[], { alerts }: Notification): Split {
    const order = wanted
      .map((one) => {
        const alert = alerts[one.index];
        const rank = this.#dependencies.rankOf(alert?.labels ?? makeLabels());
        return { one, rank, fingerprint: alert?.fingerprint ?? '' };
      })
      .sort((a, b) => a.rank - b.rank || compare(a.fingerprint, b.fingerprint) || a.one.index - b.one.index)
      .map(({ one }) => one);
    return {
      alone: order.slice(0, MAX_CARDS_OF_ONE_ALERT),
      rest: order.slice(MAX_CARDS_OF_ONE_ALERT).sort((a, b) => a.index - b.index),
    };
  }

  #lineOf(one: Chosen, { groupHash, notification }: PlanRequest): string {
    const fingerprint = notification.alerts[one.index]?.fingerprint ?? '';
    return this.#dependencies.hashParts(['line', groupHash, fingerprint]);
  }

  #delivery(
    channel: ChannelSettings,
    chosen: readonly Chosen[],
    lineHash: string,
    { notification }: PlanRequest,
  ): PlannedDelivery {
    const { makeDeliveryId, lineRank, rankOf } = this.#dependencies;
    const alerts = chosen.flatMap(({ index }) => notification.alerts[index] ?? []);
    const firing = alerts.filter((alert) => alert.status === 'firing');
    const isFiring = firing.length > 0 || notification.truncatedAlerts > 0;
    const ranked = firing.length > 0 ? firing : alerts;
    const worst = ranked.reduce((rank, { labels }) => Math.min(rank, rankOf(labels)), Infinity);
    return {
      id: makeDeliveryId(),
      channel: channel.name,
      lineHash,
      rank: lineRank(isFiring, worst),
      isFiring,
      selection: alerts.length === notification.alerts.length ? null : chosen.map(({ index }) => index),
      mentionAll: chosen.some(({ mentionAll }) => mentionAll),
    };
  }
}

function byChannel(routings: readonly AlertRouting[]): Map<string, Chosen[]> {
  const chosenBy = new Map<string, Chosen[]>();
  for (const [index, routing] of routings.entries()) {
    for (const { name, mentionAll } of routing.channels) {
      const chosen = chosenBy.get(name) ?? [];
      chosen.push({ index, mentionAll });
      chosenBy.set(name, chosen);
    }
  }
  return chosenBy;
}

/**
 * Leaves out what resolved where a channel does not want it. When nothing stays of a notification that
 * the sender cut short, all of it stays: what was cut off may fire.
 */
function wantedBy(
  channel: ChannelSettings,
  chosen: readonly Chosen[],
  notification: Notification,
): readonly Chosen[] {
  if (channel.sendResolved) return chosen;
  const firing = chosen.filter(({ index }) => notification.alerts[index]?.status === 'firing');
  return firing.length === 0 && notification.truncatedAlerts > 0 ? chosen : firing;
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
