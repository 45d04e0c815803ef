import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../domain/clock.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { Emit } from '../domain/events.ts';
import { PROBLEM_CONTENT_TYPE, problem } from '../domain/problem.ts';
import type { SourceSettings } from '../domain/settings.ts';
import type { Accept } from './accept.ts';
import { type Answer, problemOf, refusal } from './answer.ts';
import { createIntake, type Intake } from './intake.ts';

export interface HooksOptions {
  /** The sources configured now, by name. */
  readonly source: (name: string) => SourceSettings | undefined;
  readonly accept: Accept;
  readonly clock: Clock;
  readonly emit: Emit;
  /** `server.body_limit`: a longer body is kept as a stub. */
  readonly bodyLimitBytes: number;
  /** Told of an exception nobody foresaw, for the log: its text is not for the answer. */
  readonly onFailure: (error: unknown) => void;
}

const PATHS = ['/hooks/:source', '/hooks/:source/:channel'] as const;
const METHODS = ['POST', 'PUT'];

interface HookRoute {
  Params: { source: string; channel?: string };
}

/** The routes that take notifications: `POST` or `PUT` to `/hooks/{source}` and `/hooks/{source}/{channel}`. */
export const hooks: FastifyPluginAsync<HooksOptions> = async (fastify, options) => {
  const intake = createIntake(options);
  takeRawBodies(fastify);
  fastify.setErrorHandler((error, _request, reply) => {
    options.onFailure(error);
    return send(reply, refusal(problemOf(error)));
  });
  for (const url of PATHS) {
    fastify.route<HookRoute>({
      method: METHODS,
      url,
      handler: async (request, reply) => send(reply, await answer(options, intake, request)),
    });
    fastify.route({
      method: fastify.supportedMethods.filter((method) => !METHODS.includes(method)),
      url,
      exposeHeadRoute: false,
      // Before any body is read.
      onRequest: async (_request, reply) => send(reply, methodNotAllowed(options)),
      handler: async (_request, reply) => send(reply, methodNotAllowed(options)),
    });
  }
};

/**
 * Hands bodies to the handler as streams, whatever type they claim: senders may set any, and a malformed
 * one would be refused by the framework before a parser is asked.
 */
function takeRawBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  fastify.addHook('onRequest', async (request) => {
    request.raw.headers['content-type'] = 'application/octet-stream';
  });
}

/** One request from its headers to its answer. What is refused here is refused in the order of what is cheapest to know. */
async function answer(
  options: HooksOptions,
  intake: Intake,
  request: FastifyRequest<HookRoute>,
): Promise<Answer> {
  const startedAt = options.clock.now();
  const { source: name, channel } = request.params;
  const source = options.source(name);
  // A name nobody configured is anyone's text: it must not become a label of a metric.
  if (source === undefined)
    return refuse(options, '', 'unknown_source', 'No source of this name is configured.');
  const encoding = request.raw.headers['content-encoding'] ?? 'identity';
  if (encoding.toLowerCase() !== 'identity')
    return refuse(
      options,
      name,
      'content_encoding_unsupported',
      'Send the body as it was signed, without Content-Encoding.',
    );
  const taken = await intake.take(request.raw, source);
  if (taken.kind === 'refused') {
    const refused = refuse(options, name, taken.refusal.code, taken.refusal.detail);
    return taken.isLast ? { ...refused, headers: { ...refused.headers, connection: 'close' } } : refused;
  }
  return options.accept({
    source,
    pathChannel: channel === undefined || channel === '' ? undefined : channel,
    startedAt,
    ...taken.request,
  });
}

function refuse(options: HooksOptions, source: string, code: ErrorCode, detail: string): Answer {
  const refused = problem(code, detail);
  options.emit({ kind: 'refused', source, code, status: refused.status });
  return refusal(refused);
}

function methodNotAllowed(options: HooksOptions): Answer {
  const refused = refuse(options, '', 'method_not_allowed', 'Send notifications with POST or PUT.');
  return { ...refused, headers: { allow: METHODS.join(', ') } };
}

function send(reply: FastifyReply, { status, body, headers = {} }: Answer): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .type(status >= 400 ? PROBLEM_CONTENT_TYPE : 'application/json')
    .send(JSON.stringify(body));
}
