import type { Clock } from '../domain/clock.ts';
import { AlertcardError } from '../domain/errors.ts';
import type { Emit } from '../domain/events.ts';
import type { Answers, BatchReply, Intent, IntentOf } from './intents.ts';
import { asRefusal, settleWaiting, takeBatch, type Waiting } from './waiting.ts';
import type { Writer } from './writer-thread.ts';

/** Bodies that may wait for the writer; past that a notification is refused at once. */
const MAX_QUEUED_BYTES = 64 * 1024 * 1024;
/** How long a notification waits for the writer before its sender is told to come back. */
const MAX_WAIT_MS = 5_000;
/** Tries to get the lock, each as long as the writer's busy timeout (1 s). */
const MAX_BUSY_TRIES = 5;

export interface WriteQueueOptions {
  readonly writer: Pick<Writer, 'run'>;
  readonly clock: Clock;
  readonly emit: Emit;
  /** The writer must not be given anything more. */
  readonly onFatal: (reason: string) => void;
}

/**
 * Natural group commit: whatever arrived while the last commit ran goes into the next transaction, and
 * when nothing ran, whatever this turn of the event loop brings. Only notifications are shed when the writer
 * is slow: Grafana sends them again, while an outcome that is not recorded becomes a second card.
 */
export class WriteQueue {
  readonly #options: WriteQueueOptions;
  #queue: Waiting[] = [];
  #queuedBytes = 0;
  #state: 'idle' | 'scheduled' | 'running' = 'idle';
  #refusal: AlertcardError | undefined;
  #cancelShedding: (() => void) | undefined;
  #isWritable = true;
  readonly #idle: (() => void)[] = [];

  constructor(options: WriteQueueOptions) {
    this.#options = options;
  }

  /** Resolves after the commit that carries the intent. */
  submit<K extends Intent['kind']>(intent: IntentOf<K>, bodyBytes = 0): Promise<Answers[K]> {
    if (this.#refusal !== undefined) return Promise.reject(this.#refusal);
    if (bodyBytes > 0 && this.#queuedBytes >= MAX_QUEUED_BYTES) return Promise.reject(overloaded());
    return new Promise<Answers[K]>((resolve, reject) => {
      const queuedAt = this.#options.clock.now();
      this.#queuedBytes += bodyBytes;
      // the writer answers each intent with its own kind of answer; a thread boundary carries no types
      this.#queue.push({
        intent,
        bodyBytes,
        queuedAt,
        resolve: (value) => resolve(value as Answers[K]),
        reject,
      });
      if (this.#state === 'idle') this.#schedule();
      this.#armShedding();
    });
  }

  /** Refuses what comes from now on, and what still waits if asked to; resolves when nothing is in work. */
  async stop(refusal: AlertcardError, dropQueued: boolean): Promise<void> {
    this.#refusal ??= refusal;
    if (dropQueued) this.#rejectAll(this.#queue.splice(0), refusal);
    if (this.#state !== 'idle') await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** For the event `store_writable`, told once per change. */
  setWritable(isWritable: boolean, reason: string): void {
    if (isWritable === this.#isWritable) return;
    this.#isWritable = isWritable;
    this.#options.emit({ kind: 'store_writable', writable: isWritable, reason });
  }

  #schedule(): void {
    this.#state = 'scheduled';
    setImmediate(() => {
      this.#state = 'running';
      void this.#drain();
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = takeBatch(this.#queue);
      for (const { bodyBytes } of batch) this.#queuedBytes -= bodyBytes;
      await this.#commit(batch);
    }
    this.#state = 'idle';
    this.#cancelShedding?.();
    this.#cancelShedding = undefined;
    for (const wake of this.#idle.splice(0)) wake();
  }

  async #commit(batch: readonly Waiting[]): Promise<void> {
    const intents = batch.map((waiting) => waiting.intent);
    try {
      for (let tries = 0; tries < MAX_BUSY_TRIES; tries += 1) {
        const reply = await this.#options.writer.run(intents, this.#options.clock.now());
        if (reply.kind === 'busy') continue;
        this.#hear(batch, reply);
        return;
      }
      this.setWritable(false, 'busy');
      this.#rejectAll(
        batch,
        new AlertcardError('store_unavailable', 'Another process holds the database locked.'),
      );
    } catch (error) {
      this.#rejectAll(batch, asRefusal(error));
    }
  }

  #hear(batch: readonly Waiting[], reply: Exclude<BatchReply, { kind: 'busy' }>): void {
    const { answers, deaths, commitMs, trouble, hasRoom, isFatal } = reply;
    const { emit, onFatal } = this.#options;
    if (isFatal) onFatal(trouble);
    for (const [index, waiting] of batch.entries()) settleWaiting(waiting, answers[index]);
    const committed = answers.filter((answer) => answer.kind === 'ok').length;
    if (committed > 0) emit({ kind: 'committed', intents: committed, commitMs });
    for (const death of deaths) emit({ kind: 'died', ...death });
    if (trouble !== '') this.setWritable(false, trouble);
    else if (hasRoom && committed > 0) this.setWritable(true, '');
  }

  #rejectAll(batch: readonly Waiting[], error: AlertcardError): void {
    for (const waiting of batch) waiting.reject(error);
  }

  /** Refuses notifications that have waited too long, and looks again when the next one will have. */
  #shed(): void {
    const now = this.#options.clock.now();
    const isOver = ({ intent, queuedAt }: Waiting): boolean =>
      intent.kind === 'accept' && now - queuedAt >= MAX_WAIT_MS;
    const over = this.#queue.filter(isOver);
    if (over.length > 0) this.#queue = this.#queue.filter((waiting) => !isOver(waiting));
    for (const { bodyBytes } of over) this.#queuedBytes -= bodyBytes;
    this.#rejectAll(over, overloaded());
    this.#cancelShedding = undefined;
    this.#armShedding();
  }

  #armShedding(): void {
    if (this.#cancelShedding !== undefined) return;
    const oldest = this.#queue.find((waiting) => waiting.intent.kind === 'accept');
    if (oldest === undefined) return;
    const inMs = oldest.queuedAt + MAX_WAIT_MS - this.#options.clock.now();
    this.#cancelShedding = this.#options.clock.after(inMs, () => this.#shed());
  }
}

function overloaded(): AlertcardError {
  return new AlertcardError(
    'overloaded',
    'The store is busy: the disk is slower than what arrives. Try again.',
  );
}
