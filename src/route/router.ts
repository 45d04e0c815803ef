import type { Alert, Labels } from '../domain/alert.ts';
import type { Notification } from '../domain/notification.ts';
import type { RouteSettings } from '../domain/settings.ts';
import { matchesAll, pseudoLabels } from './matcher.ts';

/** Where one alert goes, and by which rules. */
export interface AlertRouting {
  /** Positions in the configured routes; empty when none matched or the path named a channel. */
  readonly routes: readonly number[];
  readonly by: 'routes' | 'source' | 'path';
  readonly channels: readonly { readonly name: string; readonly mentionAll: boolean }[];
}

export type Router = (
  notification: Notification,
  sourceChannels: readonly string[],
  pathChannel: string,
) => readonly AlertRouting[];

/** Builds the function that says of each alert, in the notification's order, where it goes. */
export function createRouter(routes: readonly RouteSettings[]): Router {
  return (notification, sourceChannels, pathChannel) => {
    const pseudo = pseudoLabels(notification);
    return notification.alerts.map((alert) =>
      pathChannel === ''
        ? routeAlert(alert, routes, pseudo, sourceChannels)
        : { routes: [], by: 'path', channels: plain([pathChannel]) },
    );
  };
}

/** The first matching route wins; one with `continue` lets the later ones have their say too. */
function routeAlert(
  alert: Alert,
  routes: readonly RouteSettings[],
  pseudo: Labels,
  sourceChannels: readonly string[],
): AlertRouting {
  const met: number[] = [];
  const mentionAllBy = new Map<string, boolean>();
  for (const [position, route] of routes.entries()) {
    if (!matchesAll(route.matchers, alert.labels, pseudo)) continue;
    met.push(position);
    for (const name of route.channels)
      mentionAllBy.set(name, (mentionAllBy.get(name) ?? false) || route.mentionAll);
    if (!route.continue) break;
  }
  if (met.length === 0) return { routes: met, by: 'source', channels: plain(sourceChannels) };
  const channels = [...mentionAllBy].map(([name, mentionAll]) => ({ name, mentionAll }));
  return { routes: met, by: 'routes', channels };
}

function plain(names: readonly string[]): AlertRouting['channels'] {
  return [...new Set(names)].map((name) => ({ name, mentionAll: false }));
}
