import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { z } from 'zod';
import { requireAdminToken } from '../auth.ts';
import { buildOpenapi } from '../openapi.ts';
import type { WebDeps } from '../ports.ts';
import { channelRoutes } from './channels.ts';
import { deliveryRoutes } from './deliveries.ts';
import { notificationRoutes } from './notifications.ts';
import { previewRoutes } from './preview.ts';
import { reloadRoutes } from './reload.ts';
import { type ApiRoute, registerRoutes, route } from './route.ts';

/** Every route of the API, all behind the admin token. */
export function apiPlugin(deps: WebDeps): FastifyPluginAsync {
  return async (app) => {
    app.addHook('onRequest', requireAdminToken(deps.adminToken));
    readEmptyJsonAsNone(app);
    registerRoutes(app, apiRoutes(deps));
  };
}

/** Many clients set Content-Type whether they send a body or not; Fastify's own parser refuses an empty one. */
function readEmptyJsonAsNone(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, undefined);
    else void parseJson(request, body, done);
  });
}

function apiRoutes(deps: WebDeps): readonly ApiRoute[] {
  const routes = [
    ...notificationRoutes(deps.store),
    ...deliveryRoutes(deps),
    ...channelRoutes(deps),
    ...previewRoutes(deps),
    ...reloadRoutes(deps),
  ];
  const openapiRoute = route({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This document',
    answer: z.record(z.string(), z.unknown()),
    handle: async () => document,
  });
  const document = buildOpenapi(deps.version, [...routes, openapiRoute]);
  return [...routes, openapiRoute];
}
