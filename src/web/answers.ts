import type { FastifyReply } from 'fastify';
import type { ErrorCode } from '../domain/errors.ts';
import { PROBLEM_CONTENT_TYPE, problem } from '../domain/problem.ts';

/** Sends a refusal as problem+json, with what a program may want to know beside it. */
export function sendProblem(
  reply: FastifyReply,
  code: ErrorCode,
  detail: string,
  members: Readonly<Record<string, unknown>> = {},
): FastifyReply {
  const body = problem(code, detail);
  return reply
    .code(body.status)
    .type(PROBLEM_CONTENT_TYPE)
    .send(JSON.stringify({ ...body, ...members }));
}
