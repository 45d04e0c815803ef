import type { NotificationId } from '../domain/ids.ts';
import { type Problem, RETRY_AFTER_SECONDS } from '../domain/problem.ts';

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

/** The body of every answer to a notification that was kept. */
export function keptBody(id: NotificationId): Readonly<Record<string, unknown>> {
  return { id, status: 'accepted', status_url: `/api/notifications/${id}` };
}
