import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import Fastify from 'fastify';
import type { Accepted, AcceptResult, PlannedDelivery } from '../../src/domain/accepted.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { groupHash } from '../../src/domain/dedup.ts';
import type { Event } from '../../src/domain/events.ts';
import { makeId } from '../../src/domain/ids.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { SourceAuth, SourceSettings } from '../../src/domain/settings.ts';
import { type AcceptDeps, createAccept, type Plan } from '../../src/receive/accept.ts';
import { hooks } from '../../src/receive/plugin.ts';
import { answerClientError } from '../../src/web/client-error.ts';
import { signedHeaders } from '../support/sign.ts';

export const NOW_SECONDS = 1_772_439_671;
export const SECRET = 's3cr3t-signing-key';

/** A promise and the function that fulfils it. */
export function makeGate(): { readonly passed: Promise<void>; readonly open: () => void } {
  let open: () => void = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { passed, open };
}

/** A clock moved by hand. */
export class HandClock implements Clock {
  ms = NOW_SECONDS * 1000;
  #timers: { at: number; wake: () => void }[] = [];

  wall(): number {
    return this.ms;
  }

  now(): number {
    return this.ms;
  }

  after(ms: number, wake: () => void): () => void {
    const timer = { at: this.ms + Math.max(0, ms), wake };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  get waiting(): number {
    return this.#timers.length;
  }

  advance(ms: number): void {
    this.ms += ms;
    const due = this.#timers.filter(({ at }) => at <= this.ms);
    this.#timers = this.#timers.filter(({ at }) => at > this.ms);
    for (const { wake } of due) wake();
  }
}

/** The store as the receiving side sees it: keeps what it is given, tells duplicates by their keys. */
class MemoryStore {
  readonly kept: Accepted[] = [];
  readonly onceKnown = new Set<string>();
  /** Runs before every write; may reject or wait. */
  before: () => Promise<void> = async () => {};

  async accept(accepted: Accepted): Promise<AcceptResult> {
    await this.before();
    const { dedup, replay } = accepted.entry;
    const first = this.kept.find(
      ({ entry }) =>
        (dedup !== undefined && entry.dedup?.key === dedup.key) ||
        (replay !== undefined && entry.replay?.key === replay.key),
    );
    if (first !== undefined) return { kind: 'duplicate', id: first.entry.id };
    this.kept.push(accepted);
    return { kind: 'kept', id: accepted.entry.id, seq: this.kept.length };
  }

  async knowsChannel(channel: string): Promise<boolean> {
    return this.onceKnown.has(channel);
  }
}

export const HMAC = {
  kind: 'hmac',
  secrets: [new Secret(SECRET)],
  header: 'x-grafana-alerting-signature',
  timestampHeaders: ['x-grafana-alerting-timestamp'],
  toleranceMs: 300_000,
} satisfies SourceAuth;

export function makeSource(change: Partial<SourceSettings> = {}): SourceSettings {
  return {
    name: 'grafana',
    auth: HMAC,
    dedupWindowMs: 120_000,
    channels: ['ops'],
    allowChannels: [],
    ...change,
  };
}

/** Everything to the path's channel, else to `ops` and `dev`. */
const planAll: Plan = (notification, _source, pathChannel) =>
  (pathChannel === undefined ? ['ops', 'dev'] : [pathChannel]).map(
    (channel): PlannedDelivery => ({
      id: makeId('dlv'),
      channel,
      lineHash: groupHash(
        notification.source,
        notification.org,
        notification.receiver,
        notification.groupKey,
      ),
      rank: 1,
      isFiring: notification.status === 'firing',
      selection: null,
      mentionAll: false,
    }),
  );

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests read many shapes of JSON
  readonly json: any;
}

export interface Hook {
  readonly port: number;
  readonly clock: HandClock;
  readonly store: MemoryStore;
  readonly events: Event[];
  readonly planFailures: unknown[];
  readonly hookFailures: unknown[];
  request(path: string, init?: RequestInit): Promise<Answered>;
  /** Signs and posts a body to /hooks/grafana. */
  post(
    body: string | Uint8Array,
    init?: { path?: string; headers?: Record<string, string> },
  ): Promise<Answered>;
  /** Sends bytes as they are and gives everything that comes back until the connection ends or goes quiet. */
  raw(parts: (string | Uint8Array)[], untilText?: string): Promise<string>;
  close(): Promise<void>;
}

export interface HookOptions {
  readonly sources?: readonly SourceSettings[];
  readonly bodyLimitBytes?: number;
  readonly requestTimeout?: number;
  readonly deps?: Partial<AcceptDeps>;
}

/** The receiving side on a real server on loopback, with a store in memory. */
export async function startHook(options: HookOptions = {}): Promise<Hook> {
  const clock = new HandClock();
  const store = new MemoryStore();
  const events: Event[] = [];
  const planFailures: unknown[] = [];
  const hookFailures: unknown[] = [];
  const deps: AcceptDeps = {
    store,
    plan: planAll,
    channelNames: () => ['ops', 'dev', '值班/一组'],
    clock,
    makeId,
    emit: (event) => events.push(event),
    waitForOutcomes: async () => new Map(),
    advise: () => '',
    onPlanFailure: (error) => planFailures.push(error),
    ...options.deps,
  };
  const sources = new Map((options.sources ?? [makeSource()]).map((source) => [source.name, source]));
  const app = Fastify({
    requestTimeout: options.requestTimeout ?? 10_000,
    clientErrorHandler: answerClientError,
    // Node leaves slow requests alone while the time for the headers is longer than the one for the whole.
    http: { connectionsCheckingInterval: 50, headersTimeout: (options.requestTimeout ?? 10_000) / 2 },
  });
  await app.register(hooks, {
    source: (name) => sources.get(name),
    accept: createAccept(deps),
    clock,
    emit: deps.emit,
    bodyLimitBytes: options.bodyLimitBytes ?? 10 * 1_048_576,
    onFailure: (error) => hookFailures.push(error),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const request = async (path: string, init: RequestInit = {}): Promise<Answered> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, init);
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json') && text !== '';
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  return {
    port,
    clock,
    store,
    events,
    planFailures,
    hookFailures,
    request,
    post: (body, { path = '/hooks/grafana', headers = {} } = {}) =>
      request(path, {
        method: 'POST',
        body,
        headers: {
          ...signedHeaders(SECRET, body, { timestampSeconds: Math.floor(clock.ms / 1000) }),
          ...headers,
        },
      }),
    raw: (parts, untilText) => sendRaw(port, parts, untilText),
    close: () => app.close(),
  };
}

async function sendRaw(port: number, parts: (string | Uint8Array)[], untilText?: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('utf8');
      if (untilText !== undefined && received.includes(untilText)) resolve();
    });
    socket.on('close', () => resolve());
    socket.on('error', () => {});
  });
  await once(socket, 'connect');
  for (const part of parts) socket.write(part);
  await done;
  socket.destroy();
  return received;
}
