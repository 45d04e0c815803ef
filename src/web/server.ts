import { type FastifyInstance, type FastifyPluginAsync, fastify } from 'fastify';
import { sendProblem } from './answers.ts';
import { answerClientError } from './client-error.ts';
import { answerFrameworkError, handleErrors, type WebLog } from './errors.ts';
import { rememberRoutes } from './known-routes.ts';

/** How long a request may take to arrive. Fastify's default is to wait for ever. */
const REQUEST_TIMEOUT_MS = 10_000;
const HEADERS_TIMEOUT_MS = 5_000;
/** Node looks for late requests only so often; its own default of 30 s would outlast both limits. */
const CHECKING_INTERVAL_MS = 1_000;
/** Above the 60 s that load balancers keep idle connections, so that they close first and never meet a reset. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const MAX_CONNECTIONS = 4_096;
/** Names of sources and channels may be longer than Fastify's 100. */
const MAX_PARAM_LENGTH = 256;

export interface ServerOptions {
  /** Largest body of the API; the hook, which streams, has its own. */
  readonly bodyLimitBytes: number;
  readonly log?: WebLog;
  /** Each registers routes in a scope of its own. */
  readonly plugins: readonly FastifyPluginAsync[];
  /** Shorter limits for tests. */
  readonly timeouts?: {
    readonly requestMs: number;
    readonly headersMs: number;
    readonly checkingIntervalMs: number;
  };
}

/** Builds the HTTP server with all its routes, not yet listening. */
export async function createServer(options: ServerOptions): Promise<FastifyInstance> {
  const app = fastify({
    logger: false,
    requestIdHeader: false,
    genReqId: () => '',
    trustProxy: false,
    bodyLimit: options.bodyLimitBytes,
    requestTimeout: options.timeouts?.requestMs ?? REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    // While the listener closes, what still arrives on open connections is served: the store closes after it.
    return503OnClosing: false,
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    http: {
      headersTimeout: options.timeouts?.headersMs ?? HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: options.timeouts?.checkingIntervalMs ?? CHECKING_INTERVAL_MS,
    },
    clientErrorHandler: answerClientError,
    frameworkErrors: answerFrameworkError,
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  app.setErrorHandler(handleErrors(options.log));
  refuseUnknownRoutes(app);
  for (const plugin of options.plugins) await app.register(plugin);
  await app.ready();
  return app;
}

function refuseUnknownRoutes(app: FastifyInstance): void {
  const routes = rememberRoutes(app);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const methods = routes.methodsAt(path);
    if (methods.length === 0) return sendProblem(reply, 'not_found', 'There is nothing at this path.');
    reply.header('allow', methods.join(', '));
    return sendProblem(reply, 'method_not_allowed', `This path takes ${methods.join(', ')}.`);
  });
}
