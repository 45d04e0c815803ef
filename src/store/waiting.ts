import { AlertcardError } from '../domain/errors.ts';
import type { Answer, Answers, Intent } from './intents.ts';

/** Larger batches gain no throughput and lose latency. */
const MAX_BATCH_INTENTS = 128;
const MAX_BATCH_BYTES = 1024 * 1024;

/** An intent in the queue, and who waits for its commit. */
export interface Waiting {
  readonly intent: Intent;
  readonly bodyBytes: number;
  /** Epoch ms of the scheduling clock. */
  readonly queuedAt: number;
  resolve(value: Answers[keyof Answers]): void;
  reject(error: AlertcardError): void;
}

/** Takes the next batch off the queue's front: within both limits, but always the first, which may be larger alone. */
export function takeBatch(queue: Waiting[]): readonly Waiting[] {
  let bytes = 0;
  let count = 0;
  for (const { bodyBytes } of queue) {
    bytes += bodyBytes;
    if (count > 0 && (bytes > MAX_BATCH_BYTES || count === MAX_BATCH_INTENTS)) break;
    count += 1;
  }
  return queue.splice(0, count);
}

/** Hands an intent its answer. */
export function settleWaiting(waiting: Waiting, answer: Answer | undefined): void {
  if (answer?.kind === 'ok') waiting.resolve(answer.value);
  else waiting.reject(asRefusal(answer));
}

/** The error for whoever waits, whatever went wrong. */
export function asRefusal(problem: unknown): AlertcardError {
  if (problem instanceof AlertcardError) return problem;
  if (isFailed(problem)) return new AlertcardError(problem.code, problem.message);
  return new AlertcardError('internal_error', 'The store failed unexpectedly.', { cause: problem });
}

function isFailed(problem: unknown): problem is Extract<Answer, { kind: 'failed' }> {
  return typeof problem === 'object' && problem !== null && 'kind' in problem && problem.kind === 'failed';
}
