import type { FastifyInstance } from 'fastify';

/** Remembers every route as it is registered, to tell a wrong method from a wrong path. */
export interface KnownRoutes {
  /** Methods some route takes at this path; empty when there is none. */
  methodsAt(path: string): readonly string[];
}

/** Starts to remember: call before any route is registered. */
export function rememberRoutes(app: FastifyInstance): KnownRoutes {
  const methodsByPattern = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const known = methodsByPattern.get(url) ?? { pattern: toPattern(url), methods: new Set<string>() };
    for (const name of [method].flat()) known.methods.add(name);
    methodsByPattern.set(url, known);
  });
  return {
    methodsAt: (path) =>
      [...methodsByPattern.values()]
        .filter(({ pattern }) => pattern.test(path))
        .flatMap(({ methods }) => [...methods]),
  };
}

/** `/api/deliveries/:id` to an expression; a parameter is one non-empty segment. */
function toPattern(url: string): RegExp {
  const escaped = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[^/]+/g, '[^/]+');
  return new RegExp(`^${escaped}$`);
}
