import { AlertcardError } from '../domain/errors.ts';
import type { NotificationId } from '../domain/ids.ts';
import { type Problem, problem } from '../domain/problem.ts';

/** Seconds a 503 asks the sender to wait; Grafana ignores it, Alertmanager and people do not. */
const RETRY_AFTER_SECONDS = 5;

/** What the hook answers, before any framework. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal as an answer; the ones that time heals say when to come back. */
export function refusal(refused: Problem): Answer {
  const body = { ...refused };
  if (refused.status !== 503) return { status: refused.status, body };
  return { status: refused.status, body, headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } };
}

/** The refusal for anything thrown: our own errors by their code, all else `internal_error` without its text. */
export function problemOf(error: unknown): Problem {
  if (error instanceof AlertcardError && error.status !== 0) return problem(error.code, error.message);
  return problem('internal_error', 'Something failed on our side: the log says what.');
}

/** The body of every answer to a notification that was kept. */
export function keptBody(id: NotificationId): Readonly<Record<string, unknown>> {
  return { id, status: 'accepted', status_url: `/api/notifications/${id}` };
}
