import type { FastifyInstance, FastifyReply } from 'fastify';
import { type ZodObject, z } from 'zod';
import type { ErrorCode } from '../../domain/errors.ts';

/** One route of the API: registered in Fastify and written into the OpenAPI document from the same value. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  /** As OpenAPI writes it: `/api/deliveries/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly params: ZodObject;
  readonly query: ZodObject;
  /** undefined: none is read. */
  readonly body: z.ZodType | undefined;
  readonly answer: z.ZodType;
  /** Refusals beside 400 and 401, which every route may answer. */
  readonly problems: readonly ErrorCode[];
  /** Answers the body, or the reply itself when it has already sent one. */
  readonly handle: (request: RawRequest, reply: FastifyReply) => Promise<unknown>;
}

interface RawRequest {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

interface RouteSpec<P extends ZodObject, Q extends ZodObject, B extends z.ZodType, A extends z.ZodType> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: A;
  readonly problems?: readonly ErrorCode[];
  readonly handle: (
    input: { readonly params: z.output<P>; readonly query: z.output<Q>; readonly body: z.output<B> },
    reply: FastifyReply,
  ) => Promise<z.input<A> | FastifyReply>;
}

const NOTHING = z.strictObject({});

/** Declares a route whose handler gets parsed input, typed by the schemas. */
export function route<
  A extends z.ZodType,
  P extends ZodObject = ZodObject,
  Q extends ZodObject = ZodObject,
  B extends z.ZodType = z.ZodType,
>(spec: RouteSpec<P, Q, B, A>): ApiRoute {
  return {
    method: spec.method,
    path: spec.path,
    summary: spec.summary,
    params: spec.params ?? NOTHING,
    query: spec.query ?? NOTHING,
    body: spec.body,
    answer: spec.answer,
    problems: spec.problems ?? [],
    handle: async (request, reply) =>
      spec.handle(
        {
          params: parse(spec.params, request.params),
          query: parse(spec.query, request.query),
          body: parse(spec.body, request.body ?? undefined),
        },
        reply,
      ),
  };
}

/** Without a schema nothing is read, and the handler's type offers nothing to read. */
function parse<S extends z.ZodType>(schema: S | undefined, value: unknown): z.output<S> {
  return (schema ?? z.any()).parse(schema === undefined ? {} : value) as z.output<S>;
}

/** Registers the routes in Fastify's way of writing paths. */
export function registerRoutes(app: FastifyInstance, routes: readonly ApiRoute[]): void {
  for (const { method, path, handle } of routes) {
    app.route({
      method,
      url: path.replace(/\{(\w+)\}/g, ':$1'),
      handler: async (request, reply) => handle(request, reply),
    });
  }
}
