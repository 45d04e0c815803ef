import { AlertcardError } from '../../domain/errors.ts';
import type { WebStore } from '../ports.ts';
import { type ApiRoute, route } from './route.ts';
import { IdParams, NotificationDetail, NotificationPage, NotificationsQuery } from './schemas.ts';
import { deliveryView, notificationView, timelineView } from './views.ts';

export function notificationRoutes(store: Pick<WebStore, 'notifications' | 'notification'>): ApiRoute[] {
  return [
    route({
      method: 'GET',
      path: '/api/notifications',
      summary: 'Accepted notifications, newest first',
      query: NotificationsQuery,
      answer: NotificationPage,
      handle: async ({ query: { limit, cursor, source } }) => {
        const page = await store.notifications({
          limit,
          ...(cursor === undefined ? {} : { cursor }),
          ...(source === undefined ? {} : { source }),
        });
        return { items: page.items.map(notificationView), next: page.next };
      },
    }),
    route({
      method: 'GET',
      path: '/api/notifications/{id}',
      summary: 'One notification with its timeline',
      params: IdParams,
      answer: NotificationDetail,
      problems: ['not_found'],
      handle: async ({ params: { id } }) => {
        const found = await store.notification(id);
        if (found === undefined) {
          throw new AlertcardError('not_found', 'No notification has this id: it is unknown or pruned.');
        }
        return {
          ...notificationView(found),
          body_bytes: found.bodyBytes,
          timeline: found.timeline.map(timelineView),
          deliveries: found.deliveries.map(deliveryView),
        };
      },
    }),
  ];
}
