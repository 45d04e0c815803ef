import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Secret } from '../domain/secret.ts';
import { sendProblem } from './answers.ts';

const SCHEME = /^Bearer +(\S+) *$/i;

/** Lets a request pass that carries the admin token, whatever address it comes from; a hook for `onRequest`. */
export function requireAdminToken(
  adminToken: () => Secret,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined> {
  return async (request, reply) => {
    const given = SCHEME.exec(request.headers.authorization ?? '')?.[1];
    if (given !== undefined && isSame(given, adminToken().reveal())) return undefined;
    reply.header('www-authenticate', 'Bearer realm="alertcard"');
    return sendProblem(
      reply,
      'admin_token_wrong',
      'Send Authorization: Bearer with server.admin_token, or with the text of <data>/admin-token.',
    );
  };
}

/** Compares in constant time whatever the lengths; an empty token never passes. */
function isSame(given: string, expected: string): boolean {
  if (expected === '') return false;
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
