import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { apiPlugin } from '../../src/web/api/plugin.ts';
import { healthPlugin } from '../../src/web/health.ts';
import { createServer } from '../../src/web/server.ts';
import { AUTH, fakeDeps } from './support.ts';

let app: FastifyInstance | undefined;

afterEach(async () => {
  await app?.close();
  app = undefined;
});

/** The paths of the hook as its plugin registers them. */
const hookPlugin: FastifyPluginAsync = async (scope) => {
  for (const url of ['/hooks/:source', '/hooks/:source/:channel']) {
    scope.route({ method: ['POST', 'PUT'], url, handler: async () => ({}) });
  }
};

/** Collects what is registered in scopes that are set up after it. */
function collector(found: Set<string>, plugins: readonly FastifyPluginAsync[]): FastifyPluginAsync {
  return async (scope) => {
    scope.addHook('onRoute', ({ method, url }) => {
      for (const name of [method].flat()) {
        if (name !== 'HEAD') found.add(`${name} ${url.replace(/:(\w+)/g, '{$1}')}`);
      }
    });
    for (const plugin of plugins) await scope.register(plugin);
  };
}

interface Operation {
  readonly summary: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: object }[];
  readonly requestBody?: { required: boolean; content: Record<string, { schema: object }> };
  readonly responses: Record<string, object>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Record<string, Record<string, Operation>>;
}

async function fetchDocument(registered = new Set<string>()): Promise<Document> {
  const { deps } = fakeDeps();
  const plugins = [healthPlugin(deps), apiPlugin(deps), hookPlugin];
  app = await createServer({ bodyLimitBytes: 1_000, plugins: [collector(registered, plugins)] });
  const response = await app.inject({ url: '/api/openapi.json', headers: AUTH });
  return response.json();
}

describe('the OpenAPI document', () => {
  it('names every registered route and no other', async () => {
    const registered = new Set<string>();

    const document = await fetchDocument(registered);

    const documented = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.length).toBeGreaterThan(15);
    expect(documented.toSorted()).toEqual([...registered].toSorted());
  });

  it('is of version 3.1 and carries our version', async () => {
    const document = await fetchDocument();

    expect(document.openapi).toBe('3.1.0');
    expect(document.info.version).toBe('1.2.3');
  });

  it('asks for the admin token exactly on the API', async () => {
    const document = await fetchDocument();

    for (const [path, operations] of Object.entries(document.paths)) {
      for (const operation of Object.values(operations)) {
        expect([path, operation.security !== undefined]).toEqual([path, path.startsWith('/api/')]);
      }
    }
  });

  it('declares each parameter of a path', async () => {
    const document = await fetchDocument();

    for (const [path, operations] of Object.entries(document.paths)) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      for (const operation of Object.values(operations)) {
        const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
        expect(declared.map((parameter) => parameter.name)).toEqual(inPath);
        expect(declared.every((parameter) => parameter.required)).toBe(true);
      }
    }
  });

  it('describes queries and bodies with the schemas that parse them', async () => {
    const document = await fetchDocument();

    const list = document.paths['/api/deliveries']?.get;
    const pause = document.paths['/api/channels/{name}/pause']?.post;
    const test = document.paths['/api/channels/{name}/test']?.post;

    expect(list?.parameters?.find(({ name }) => name === 'state')).toMatchObject({
      in: 'query',
      required: false,
      schema: { type: 'string', enum: ['scheduled', 'leased', 'delivered', 'folded', 'dead'] },
    });
    expect(list?.parameters?.find(({ name }) => name === 'limit')).toMatchObject({
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
    });
    expect(pause?.requestBody).toMatchObject({
      required: true,
      content: { 'application/json': { schema: { required: ['for'], additionalProperties: false } } },
    });
    expect(test?.requestBody?.required).toBe(false);
    expect(Object.keys(test?.responses ?? {})).toEqual(['200', '400', '401', '404', '502']);
  });
});
