import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../domain/clock.ts';
import { AlertcardError } from '../domain/errors.ts';
import type { Emit } from '../domain/events.ts';
import { makeId } from '../domain/ids.ts';
import type { Connection } from './connection.ts';
import { createPrivateFile, openReader } from './database.ts';
import { classifyFailure } from './failures.ts';
import { prepareFolder } from './filesystem.ts';
import { type Ownership, takeOwnership } from './owner.ts';
import { probe } from './probe.ts';
import { type NameSource, SqliteStore } from './sqlite-store.ts';
import { WriteQueue } from './write-queue.ts';
import { type StartWriter, WriterThread } from './writer-thread.ts';

export interface OpenStoreOptions {
  /** Absolute path of the database file; its folder is made if it is missing. */
  readonly path: string;
  /** The file grows no larger: past it notifications are refused until pruning has made room. */
  readonly maxSizeBytes: number;
  readonly clock: Clock;
  readonly emit: Emit;
  /** Default: random ones. */
  readonly names?: NameSource;
  /** Default: the compiled writer, in a thread of its own. */
  readonly startWriter?: StartWriter;
  /** How long one try for the write lock waits, in the writer thread. Default 1,000 ms; five tries are made. */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens the database for this process, creating it if it is missing. Throws, leaving the file as it was,
 * `store_foreign`, `store_newer`, `store_corrupt`, `store_in_use`, `store_not_durable` or `store_unavailable`.
 */
export async function openStore(options: OpenStoreOptions): Promise<SqliteStore> {
  const { path, clock } = options;
  try {
    const warnings = prepareFolder(path);
    probe(path);
    const since = new Date(clock.wall()).toISOString();
    const ownership = takeOwnership(path, { pid: process.pid, host: hostname(), since });
    try {
      return await start(options, ownership, warnings);
    } catch (error) {
      ownership.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof AlertcardError) throw error;
    const { message } = classifyFailure(error);
    throw new AlertcardError('store_unavailable', `The database ${path} could not be opened. ${message}`, {
      cause: error,
    });
  }
}

async function start(
  options: OpenStoreOptions,
  ownership: Ownership,
  warnings: readonly string[],
): Promise<SqliteStore> {
  const { path, maxSizeBytes, clock, emit, names = randomNames(), busyTimeoutMs = 1_000 } = options;
  createPrivateFile(path);
  const data = { path, maxSizeBytes, busyTimeoutMs, now: clock.now() };
  let fail = (_reason: string): void => undefined;
  const writer = await (options.startWriter ?? startThread)(data, (reason) => fail(reason));
  const queue = new WriteQueue({
    writer,
    clock,
    emit,
    onFatal: (reason) => {
      fail(reason);
      void writer.kill();
    },
  });
  fail = (reason) => {
    queue.setWritable(false, reason);
    void queue.stop(goneError(reason), true);
  };
  let reader: Connection;
  try {
    reader = openReader(path);
  } catch (error) {
    await writer.close();
    throw error;
  }
  return new SqliteStore({ path, clock, names, queue, writer, reader, ownership, warnings });
}

/** A thread cannot be started from TypeScript source on Node 20, so the source tree uses the build's writer too. */
const startThread: StartWriter = (data, onDeath) => {
  const here = import.meta.url;
  const url = new URL(here.endsWith('.ts') ? '../../dist/store/writer.js' : './writer.js', here);
  return WriterThread.start(url, data, onDeath);
};

function goneError(reason: string): AlertcardError {
  return new AlertcardError(
    'store_unavailable',
    `The store's writer has stopped (${reason}); restart Alertcard.`,
  );
}

function randomNames(): NameSource {
  return {
    attemptId: () => makeId('att'),
    deliveryId: () => makeId('dlv'),
    token: () => randomBytes(16).toString('base64url'),
  };
}
