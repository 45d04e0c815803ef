import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../domain/errors.ts';
import { PROBLEM_CONTENT_TYPE } from '../domain/problem.ts';
import type { ApiRoute } from './api/route.ts';
import { OPEN_PATHS } from './openapi-open-paths.ts';

type Json = Readonly<Record<string, unknown>>;

const PROBLEM = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string(),
});

/** Builds the OpenAPI 3.1 document from the schemas that parse and describe each route. */
export function buildOpenapi(version: string, routes: readonly ApiRoute[]): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Alertcard', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    paths: { ...OPEN_PATHS, ...apiPaths(routes) },
    components: {
      securitySchemes: { admin: { type: 'http', scheme: 'bearer' } },
      schemas: { Problem: toSchema(PROBLEM, 'output') },
    },
  };
}

function apiPaths(routes: readonly ApiRoute[]): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return paths;
}

function operation(route: ApiRoute): Json {
  return {
    summary: route.summary,
    security: [{ admin: [] }],
    parameters: [...parameters('path', route.params), ...parameters('query', route.query)],
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body) }),
    responses: {
      200: {
        description: 'OK',
        content: { 'application/json': { schema: toSchema(route.answer, 'output') } },
      },
      ...refusals(['bad_request', 'admin_token_wrong', ...route.problems]),
    },
  };
}

function requestBody(body: z.ZodType): Json {
  return {
    required: !body.safeParse(undefined).success,
    content: { 'application/json': { schema: toSchema(body, 'input') } },
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodObject): Json[] {
  return Object.entries(schema.shape).map(([name, field]) => ({
    name,
    in: place,
    required: !z.safeParse(field, undefined).success,
    schema: toSchema(field, 'input'),
  }));
}

/** One entry a status: several codes may share one. */
function refusals(codes: readonly ErrorCode[]): Json {
  const byStatus: Record<number, Json> = {};
  for (const status of new Set(codes.map((code) => ERROR_CODES[code]))) {
    byStatus[status] = {
      description: codes.filter((code) => ERROR_CODES[code] === status).join(', '),
      content: { [PROBLEM_CONTENT_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } } },
    };
  }
  return byStatus;
}

function toSchema(schema: z.core.$ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, reused: 'inline' });
  return json;
}
