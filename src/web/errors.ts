import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { AlertcardError, type ErrorCode } from '../domain/errors.ts';
import { sendProblem } from './answers.ts';

/** What the web side needs of a logger. */
export interface WebLog {
  error(fields: object, message: string): void;
}

/** Turns whatever a handler threw into problem+json; only what we threw on purpose keeps its words. */
export function handleErrors(
  log: WebLog | undefined,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  return (error, request, reply) => {
    const { code, detail } = readError(error);
    if (code === 'internal_error') {
      // The route's pattern, not the URL: a path may carry anything.
      log?.error({ err: error, method: request.method, route: request.routeOptions.url }, 'request failed');
    }
    return sendProblem(reply, code, detail);
  };
}

function readError(error: unknown): { readonly code: ErrorCode; readonly detail: string } {
  if (error instanceof AlertcardError && error.status !== 0) {
    return { code: error.code, detail: error.message };
  }
  if (error instanceof ZodError) return { code: 'bad_request', detail: describe(error) };
  const status = statusOf(error);
  if (status === 413) return { code: 'body_too_large', detail: 'The body is larger than server.body_limit.' };
  if (status === 415) {
    return { code: 'bad_request', detail: 'Send the body as JSON, with Content-Type: application/json.' };
  }
  if (status !== undefined && status >= 400 && status < 500) {
    return { code: 'bad_request', detail: 'The request could not be read: check its URL and its JSON.' };
  }
  return { code: 'internal_error', detail: 'Something failed on our side: the log says what.' };
}

function describe(error: ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ');
}

/** Fastify's own errors carry the status they stand for. */
function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('statusCode' in error)) return undefined;
  return typeof error.statusCode === 'number' ? error.statusCode : undefined;
}

/** A URL that cannot be decoded and the like: refused before routing. */
export function answerFrameworkError(
  _error: FastifyError,
  _request: FastifyRequest,
  reply: FastifyReply,
): void {
  sendProblem(reply, 'bad_request', 'The URL cannot be read: check its percent-encoding.');
}
