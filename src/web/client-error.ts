import type { Socket } from 'node:net';
import type { ErrorCode } from '../domain/errors.ts';
import { PROBLEM_CONTENT_TYPE, problem } from '../domain/problem.ts';

const REASON_PHRASES = { 400: 'Bad Request', 408: 'Request Timeout' } as const;

/**
 * Answers what Node's HTTP parser refuses before any route sees it, and requests that came too slowly
 * (`requestTimeout`), with the same problem documents as every other refusal.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy(error);
    return;
  }
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const answer = isSlow
    ? httpAnswer('request_too_slow', 408, 'The request did not arrive in full in time.')
    : httpAnswer('bad_request', 400, 'The request is no valid HTTP/1.1.');
  socket.write(answer);
  // The error stays readable as `socket.errored`: so a body cut off by the time-out is told from one the sender gave up.
  socket.destroy(error);
}

function httpAnswer(code: ErrorCode, status: keyof typeof REASON_PHRASES, detail: string): string {
  const body = JSON.stringify(problem(code, detail));
  return [
    `HTTP/1.1 ${status} ${REASON_PHRASES[status]}`,
    `Content-Type: ${PROBLEM_CONTENT_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
