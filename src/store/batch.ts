import { performance } from 'node:perf_hooks';
import { apply, type Cursors } from './apply.ts';
import type { Connection } from './connection.ts';
import { classifyFailure, type Failure, isBusy } from './failures.ts';
import type { Answer, BatchReply, Deaths, Intent, Turn } from './intents.ts';
import { hasRoomAgain, roomBytes } from './quota.ts';

type Tried =
  | { readonly kind: 'committed'; readonly answers: readonly Answer[]; readonly deaths: readonly Deaths[] }
  | { readonly kind: 'busy' }
  | { readonly kind: 'failed'; readonly failure: Failure };

/**
 * Carries out intents in one transaction, one fsync for all. When that fails they run again one by one, so
 * that only those fail that must. IMMEDIATE, because a transaction that reads first and then writes fails at
 * once when another has written, without waiting.
 */
export function runBatch(
  db: Connection,
  intents: readonly Intent[],
  now: number,
  cursors: Cursors,
): BatchReply {
  const startedAt = performance.now();
  const together = transact(db, intents, now, cursors);
  if (together.kind === 'busy') return { kind: 'busy' };
  const canSplit = together.kind === 'failed' && intents.length > 1 && !together.failure.isFatal;
  const tries = canSplit ? runSingly(db, intents, now, cursors) : [together];
  const failures = tries.flatMap((one) => (one.kind === 'failed' ? [one.failure] : []));
  return {
    kind: 'done',
    answers: tries.flatMap((one) => answersOf(one, canSplit ? 1 : intents.length)),
    commitMs: performance.now() - startedAt,
    deaths: tries.flatMap((one) => (one.kind === 'committed' ? one.deaths : [])),
    hasRoom: hasRoomAgain(db),
    trouble: failures.find(isTrouble)?.reason ?? '',
    isFatal: failures.some((failure) => failure.isFatal),
  };
}

function runSingly(db: Connection, intents: readonly Intent[], now: number, cursors: Cursors): Tried[] {
  const tries: Tried[] = [];
  for (const intent of intents) {
    const previous = tries.at(-1);
    const isOver = previous?.kind === 'failed' && previous.failure.isFatal;
    tries.push(isOver ? previous : transact(db, [intent], now, cursors));
  }
  return tries;
}

function transact(db: Connection, intents: readonly Intent[], now: number, cursors: Cursors): Tried {
  try {
    db.raw.exec('BEGIN IMMEDIATE');
  } catch (error) {
    return isBusy(error) ? { kind: 'busy' } : { kind: 'failed', failure: classifyFailure(error) };
  }
  try {
    const turn: Turn = { db, now, deaths: [], roomBytes: roomBytes(db) };
    const answers = intents.map((intent): Answer => ({ kind: 'ok', value: apply(turn, intent, cursors) }));
    db.raw.exec('COMMIT');
    return { kind: 'committed', answers, deaths: turn.deaths };
  } catch (error) {
    // SQLite has rolled back by itself after some errors, a full disk among them
    if (db.raw.inTransaction) db.raw.exec('ROLLBACK');
    return { kind: 'failed', failure: classifyFailure(error) };
  }
}

function answersOf(tried: Tried, count: number): readonly Answer[] {
  if (tried.kind === 'committed') return tried.answers;
  const { code, message } = tried.kind === 'busy' ? LOCKED : tried.failure;
  return Array.from({ length: count }, () => ({ kind: 'failed', code, message }));
}

/** Another process took the lock between two intents of a batch that runs singly. */
const LOCKED = { code: 'store_unavailable', message: 'Another process holds the database locked.' } as const;

/** Failures that say something of the database rather than of the intent. */
function isTrouble(failure: Failure): boolean {
  return failure.code === 'store_unavailable' || failure.code === 'store_outcome_unknown';
}
