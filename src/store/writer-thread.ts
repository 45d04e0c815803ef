import { Worker } from 'node:worker_threads';
import type { Clock } from '../domain/clock.ts';
import { AlertcardError } from '../domain/errors.ts';
import type { BatchReply, Intent, WriterData, WriterReply, WriterRequest } from './intents.ts';

interface Pending<T> {
  resolve(value: T): void;
  reject(error: AlertcardError): void;
}

/** Whoever owns the write connection, seen from the main thread. */
export interface Writer {
  /** Carries out a batch. Rejects with `store_outcome_unknown` when the writer dies over it. */
  run(intents: readonly Intent[], now: number): Promise<BatchReply>;
  /** Resolves when the writer answers; it does so between batches. */
  ping(timeoutMs: number, clock: Clock): Promise<void>;
  /** Checkpoints and closes the database. */
  close(): Promise<void>;
  /** Ends as a crash would. */
  kill(): Promise<void>;
}

/** Starts a writer; `onDeath` hears when it ends without having been told to. */
export type StartWriter = (data: WriterData, onDeath: (reason: string) => void) => Promise<Writer>;

/** The main thread's end of the writer thread: one batch at a time, pings beside it, and one death that ends everything. */
export class WriterThread implements Writer {
  readonly #worker: Worker;
  readonly #onDeath: (reason: string) => void;
  readonly #pings = new Map<number, () => void>();
  readonly #exited: Promise<void>;
  #starting: Pending<void> | undefined;
  #batch: Pending<BatchReply> | undefined;
  #lastPing = 0;
  #isClosing = false;
  #deathReason: string | undefined;

  private constructor(worker: Worker, starting: Pending<void>, onDeath: (reason: string) => void) {
    this.#worker = worker;
    this.#starting = starting;
    this.#onDeath = onDeath;
    this.#exited = new Promise((resolve) => {
      worker.once('exit', () => resolve());
    });
    worker.on('message', (reply: WriterReply) => this.#hear(reply));
    worker.on('error', (error) => this.#die(error.message));
    worker.on('exit', () => this.#die('the writer thread ended'));
  }

  /** Starts the thread and resolves once it has the database open, migrated and recovered. */
  static start(url: URL, data: WriterData, onDeath: (reason: string) => void): Promise<WriterThread> {
    return new Promise((resolve, reject) => {
      // no loader or flag of this process, and nothing of its environment, where secrets may be
      const worker = new Worker(url, { workerData: data, execArgv: [], env: {} });
      const thread: WriterThread = new WriterThread(
        worker,
        { resolve: () => resolve(thread), reject },
        onDeath,
      );
    });
  }

  run(intents: readonly Intent[], now: number): Promise<BatchReply> {
    if (this.#deathReason !== undefined) return Promise.reject(goneError(this.#deathReason));
    return new Promise((resolve, reject) => {
      this.#batch = { resolve, reject };
      this.#send({ kind: 'batch', now, intents });
    });
  }

  ping(timeoutMs: number, clock: Clock): Promise<void> {
    if (this.#deathReason !== undefined) return Promise.reject(goneError(this.#deathReason));
    this.#lastPing += 1;
    const id = this.#lastPing;
    return new Promise((resolve, reject) => {
      const cancel = clock.after(timeoutMs, () => {
        this.#pings.delete(id);
        reject(
          new AlertcardError('store_unavailable', `The store's writer has not answered for ${timeoutMs} ms.`),
        );
      });
      this.#pings.set(id, () => {
        cancel();
        resolve();
      });
      this.#send({ kind: 'ping', id });
    });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (this.#deathReason === undefined) this.#send({ kind: 'close' });
    await this.#exited;
  }

  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(request: WriterRequest): void {
    this.#worker.postMessage(request);
  }

  #hear(reply: WriterReply): void {
    switch (reply.kind) {
      case 'ready':
        this.#starting?.resolve();
        this.#starting = undefined;
        return;
      case 'refused':
        this.#isClosing = true;
        this.#starting?.reject(new AlertcardError(reply.code, reply.message));
        return;
      case 'batch': {
        const batch = this.#batch;
        this.#batch = undefined;
        batch?.resolve(reply.reply);
        return;
      }
      case 'pong':
        this.#pings.get(reply.id)?.();
        this.#pings.delete(reply.id);
    }
  }

  #die(reason: string): void {
    if (this.#deathReason !== undefined) return;
    this.#deathReason = reason;
    this.#starting?.reject(goneError(reason));
    this.#batch?.reject(
      new AlertcardError(
        'store_outcome_unknown',
        `The store's writer died over this write (${reason}); whether it was kept is known after a restart.`,
      ),
    );
    this.#batch = undefined;
    if (!this.#isClosing) this.#onDeath(reason);
  }
}

function goneError(reason: string): AlertcardError {
  return new AlertcardError(
    'store_unavailable',
    `The store's writer is gone (${reason}); restart Alertcard.`,
  );
}
