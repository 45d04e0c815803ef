import { statSync } from 'node:fs';
import type { Accepted, AcceptResult } from '../domain/accepted.ts';
import type { Clock } from '../domain/clock.ts';
import { AlertcardError } from '../domain/errors.ts';
import type { AttemptId, DeliveryId } from '../domain/ids.ts';
import type {
  ActResult,
  BrokenNote,
  ChannelState,
  DeliveryDetail,
  DeliveryQuery,
  DeliveryRow,
  ExpireRequest,
  NotificationDetail,
  NotificationQuery,
  NotificationRow,
  Page,
  RetentionRequest,
  RobotPause,
  SourceDefaults,
  Store,
  StoreAction,
  WaitingFiring,
} from '../domain/store.ts';
import type { ClaimRequest, Settlement, SettleResult, Work } from '../domain/work.ts';
import type { Connection } from './connection.ts';
import { classifyFailure } from './failures.ts';
import { findDelivery, listDeliveries, listNotifications } from './history.ts';
import type { ClaimIntent } from './intents.ts';
import * as lane from './lane-reads.ts';
import { findBody, findNotification } from './notification-history.ts';
import type { Ownership } from './owner.ts';
import { REHOME_LIMIT } from './rehome.ts';
import type { WriteQueue } from './write-queue.ts';
import type { Writer } from './writer-thread.ts';

/** Names for what a claim or a rehoming makes; random, hence handed in. */
export interface NameSource {
  attemptId(): AttemptId;
  deliveryId(): DeliveryId;
  /** At least 128 random bits. */
  token(): string;
}

export interface StoreParts {
  readonly path: string;
  readonly clock: Clock;
  readonly names: NameSource;
  readonly queue: WriteQueue;
  readonly writer: Writer;
  readonly reader: Connection;
  readonly ownership: Ownership;
  readonly warnings: readonly string[];
}

/** Beyond this an ArrayBuffer under a body is somebody else's memory, not to be copied along to the writer. */
const POOL_BYTES = 8 * 1024;

/** Writes go to the writer thread through the queue, reads to a connection of this thread that cannot write. */
export class SqliteStore implements Store {
  /** What is doubtful about the place the database is in, for the log at start. */
  readonly warnings: readonly string[];
  readonly #parts: StoreParts;
  #closing: Promise<void> | undefined;

  constructor(parts: StoreParts) {
    this.#parts = parts;
    this.warnings = parts.warnings;
  }

  accept(accepted: Accepted): Promise<AcceptResult> {
    const { entry } = accepted;
    const body = ownBytes(entry.body);
    // at least 1, so that even a bodiless entry is known for a notification
    const bytes = Math.max(1, body.byteLength);
    return this.#parts.queue.submit<'accept'>(
      { kind: 'accept', accepted: { ...accepted, entry: { ...entry, body } } },
      bytes,
    );
  }

  claim(request: ClaimRequest): Promise<Work | undefined> {
    return this.#parts.queue.submit<'claim'>({ kind: 'claim', claim: this.#toClaim(request) });
  }

  settle(token: string, settlement: Settlement, thenClaim?: ClaimRequest): Promise<SettleResult> {
    return this.#parts.queue.submit<'settle'>({
      kind: 'settle',
      token,
      settlement,
      thenClaim: thenClaim === undefined ? undefined : this.#toClaim(thenClaim),
    });
  }

  release(token: string): Promise<boolean> {
    return this.#parts.queue.submit<'release'>({ kind: 'release', token });
  }

  act(action: StoreAction): Promise<ActResult> {
    return this.#parts.queue.submit<'act'>({ kind: 'act', action });
  }

  expire(request: ExpireRequest): Promise<{ readonly dead: number }> {
    return this.#parts.queue.submit<'expire'>({ kind: 'expire', request });
  }

  reap(): Promise<{ readonly reaped: number }> {
    return this.#parts.queue.submit<'reap'>({ kind: 'reap' });
  }

  prune(retention: RetentionRequest): Promise<{ readonly pruned: number; readonly more: boolean }> {
    return this.#parts.queue.submit<'prune'>({ kind: 'prune', retention });
  }

  /** In slices, so that other writes come in between. */
  async rehome(channel: string, defaults: SourceDefaults): Promise<{ readonly moved: number }> {
    const { queue, names } = this.#parts;
    const copies = REHOME_LIMIT * Math.max(0, new Set([...defaults.values()].flat()).size - 1);
    let moved = 0;
    for (;;) {
      const newIds = Array.from({ length: copies }, () => names.deliveryId());
      const slice = await queue.submit<'rehome'>({ kind: 'rehome', channel, defaults, newIds });
      moved += slice.moved;
      if (!slice.more) return { moved };
    }
  }

  async wakeChannel(channel: string): Promise<void> {
    while ((await this.#parts.queue.submit<'wakeChannel'>({ kind: 'wakeChannel', channel })).more);
  }

  async noteBroken(channel: string, broken: BrokenNote | null): Promise<void> {
    await this.#parts.queue.submit<'noteBroken'>({ kind: 'noteBroken', channel, broken });
  }

  async tellDeaths(channel: string, count: number): Promise<void> {
    await this.#parts.queue.submit<'tellDeaths'>({ kind: 'tellDeaths', channel, count });
  }

  channelState(channel: string): Promise<ChannelState> {
    return this.#read((db, now) => lane.channelState(db, channel, now));
  }

  recentAttempts(robotKey: string, withinMs: number): Promise<readonly number[]> {
    return this.#read((db, now) => lane.recentAttempts(db, robotKey, withinMs, now));
  }

  robotPauses(): Promise<readonly RobotPause[]> {
    return this.#read((db, now) => lane.robotPauses(db, now));
  }

  channelsWithLines(): Promise<readonly string[]> {
    return this.#read((db) => lane.channelsWithLines(db));
  }

  knowsChannel(channel: string): Promise<boolean> {
    return this.#read((db) => lane.knowsChannel(db, channel));
  }

  waitingFiring(channel: string, limit: number): Promise<WaitingFiring> {
    return this.#read((db) => lane.waitingFiring(db, channel, limit));
  }

  nextDueInMs(channel: string): Promise<number | undefined> {
    return this.#read((db, now) => lane.nextDueInMs(db, channel, now));
  }

  notifications(query: NotificationQuery): Promise<Page<NotificationRow>> {
    return this.#read((db) => listNotifications(db, query));
  }

  notification(id: string): Promise<NotificationDetail | undefined> {
    return this.#read((db) => findNotification(db, id));
  }

  body(id: string): ReturnType<Store['body']> {
    return this.#read((db) => findBody(db, id));
  }

  deliveries(query: DeliveryQuery): Promise<Page<DeliveryRow>> {
    return this.#read((db) => listDeliveries(db, query));
  }

  delivery(id: string): Promise<DeliveryDetail | undefined> {
    return this.#read((db) => findDelivery(db, id));
  }

  sizeBytes(): Promise<number> {
    const { path } = this.#parts;
    const sizes = [path, `${path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    return Promise.resolve(sizes.reduce((total, size) => total + size, 0));
  }

  ping(timeoutMs: number): Promise<void> {
    return this.#parts.writer.ping(timeoutMs, this.#parts.clock);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  /** Lets go of everything as a crash would: what is queued is lost, nothing is checkpointed. */
  async kill(): Promise<void> {
    this.#closing ??= Promise.resolve();
    const { queue, writer, reader, ownership } = this.#parts;
    const stopped = queue.stop(closedError(), true);
    await writer.kill();
    await stopped;
    reader.close();
    ownership.release();
  }

  async #close(): Promise<void> {
    const { queue, writer, reader, ownership } = this.#parts;
    await queue.stop(closedError(), false);
    // the reader first: the writer's checkpoint can only cut the log when nobody reads it
    reader.close();
    await writer.close();
    ownership.release();
  }

  #toClaim(request: ClaimRequest): ClaimIntent {
    const { names } = this.#parts;
    return { request, attemptId: names.attemptId(), token: names.token() };
  }

  async #read<T>(query: (db: Connection, now: number) => T | Promise<T>): Promise<T> {
    const { reader, clock } = this.#parts;
    if (this.#closing !== undefined) throw closedError();
    try {
      return await query(reader, clock.now());
    } catch (error) {
      if (error instanceof AlertcardError) throw error;
      const { code, message } = classifyFailure(error);
      throw new AlertcardError(code, message, { cause: error });
    }
  }
}

/** The bytes without the pool or socket chunk they may be a window of: crossing the thread copies the whole of it. */
function ownBytes(body: Uint8Array): Uint8Array {
  return body.buffer.byteLength > body.byteLength + POOL_BYTES ? new Uint8Array(body) : body;
}

function closedError(): AlertcardError {
  return new AlertcardError('store_unavailable', 'The store is closed.');
}
