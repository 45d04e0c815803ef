import type { FastifyInstance } from 'fastify';
import { ensureAdminToken } from './app/admin-token.ts';
import { buildHooks } from './app/hooks.ts';
import { buildLive, type Live } from './app/live.ts';
import { createObservers, namesOf } from './app/observers.ts';
import type { AppOptions } from './app/options.ts';
import { createOutbound, sendUnstored } from './app/outbound.ts';
import type { Parts, State } from './app/parts.ts';
import { rehomeLeftChannels, rehomeOnceLeft } from './app/rehome.ts';
import { problemsOf, readAnew } from './app/reload.ts';
import { summarise } from './app/summarise.ts';
import { createSystemClock } from './app/system-clock.ts';
import { buildWebDeps } from './app/web-deps.ts';
import { createWorkComposer } from './app/work-composer.ts';
import { watchWriter } from './app/writer-watch.ts';
import { createEngine, type Engine } from './deliver/engine.ts';
import { hashParts } from './domain/dedup.ts';
import { AlertcardError } from './domain/errors.ts';
import { makeId } from './domain/ids.ts';
import type { ReloadResult } from './domain/reload.ts';
import type { Settings } from './domain/settings.ts';
import type { Store } from './domain/store.ts';
import { openStore } from './store/open.ts';
import { apiPlugin } from './web/api/plugin.ts';
import { healthPlugin } from './web/health.ts';
import { createServer } from './web/server.ts';

/** The API takes templates and payloads to preview, nothing larger. */
const API_BODY_LIMIT_BYTES = 4 * 1024 * 1024;
/** How long what is in flight may take on the way out: an attempt has 15 s. */
const DRAIN_BUDGET_MS = 15_000;
const DRAINING = 'draining: the server is about to end and reads nothing anew';

/** The whole program in one process: what accepts, keeps and delivers, joined by hand. */
export class App {
  readonly engine: Engine;
  readonly store: Store;
  /** Set by `buildApp`, which awaits its plugins. */
  readonly http: FastifyInstance;
  /** Settles when it has drained; rejects when it can no longer serve. */
  readonly closed: Promise<void>;
  readonly #parts: Parts;
  readonly #stopWatching: () => void;
  #draining: Promise<void> | undefined;
  #reloading: Promise<unknown> = Promise.resolve();

  constructor(parts: Parts, http: FastifyInstance) {
    this.#parts = parts;
    this.engine = parts.engine;
    this.store = parts.store;
    this.http = http;
    this.closed = new Promise((resolve, reject) => {
      parts.ending.resolve = resolve;
      parts.ending.reject = reject;
    });
    // Whoever does not ask is told by /healthz; an unhandled rejection would be a second story.
    this.closed.catch(() => undefined);
    this.#stopWatching = watchWriter(parts.store, parts.clock, (error) => parts.ending.reject(error));
  }

  /** Starts to deliver and to listen; resolves to the root URL. When it cannot listen, it closes. */
  async listen(): Promise<string> {
    await this.start();
    const { options, observers, state } = this.#parts;
    const { server, sources, channels, sandbox } = state.live.settings;
    const address = await this.#listenAt(server.host, server.port);
    const names = { sources: [...sources.keys()], channels: [...channels.keys()] };
    observers.log.info({ version: options.version, address, ...names, sandbox }, 'listening');
    return address;
  }

  async #listenAt(host: string, port: number): Promise<string> {
    try {
      return await this.http.listen({ host, port });
    } catch (error) {
      // An attempt that is cut off counts against its line, which dies after five.
      await this.close();
      throw error;
    }
  }

  /** Starts to deliver what waits, without listening. */
  async start(): Promise<void> {
    const { store, state, observers, engine } = this.#parts;
    await rehomeLeftChannels(store, state.live.settings, observers.log);
    await engine.start();
  }

  /** Reads configuration and templates anew, checks all, then swaps; a bad one changes nothing. */
  reload(): Promise<ReloadResult> {
    const reloaded = this.#reloading.then(() => this.#reload());
    this.#reloading = reloaded.catch(() => undefined);
    return reloaded;
  }

  /** Finishes or hands back what is in flight and closes everything; the same promise each time. */
  drain(): Promise<void> {
    this.#draining ??= this.#drain(this.#parts.state.live.settings.server.drainDelayMs);
    return this.#draining;
  }

  /** As `drain`, without waiting for load balancers to notice. */
  close(): Promise<void> {
    this.#draining ??= this.#drain(0);
    return this.#draining;
  }

  async #reload(): Promise<ReloadResult> {
    const { state, options } = this.#parts;
    if (state.isDraining) return this.#refuseReload([DRAINING]);
    const again = options.loadAgain ?? (async () => ({ settings: state.live.settings, warnings: [] }));
    const reloaded = await readAnew(again, state.live);
    if (reloaded.kind === 'refused') return this.#refuseReload(reloaded.problems);
    const swapped = { isDone: false };
    try {
      await this.#workBy(reloaded.live, swapped);
      return { ok: true, warnings: reloaded.warnings };
    } catch (error) {
      const [problem = ''] = problemsOf(error);
      if (!swapped.isDone) return this.#refuseReload([problem], error);
      this.#parts.observers.log.error({ err: error }, 'reloaded, but what waits could not be woken or moved');
      const warning = `In force, but what waits is not yet tried or moved (reload again): ${problem}`;
      return { ok: true, warnings: [...reloaded.warnings, warning] };
    }
  }

  #refuseReload(problems: readonly string[], err?: unknown): ReloadResult {
    const fields = { problems: problems.length, ...(err === undefined ? {} : { err }) };
    this.#parts.observers.log.error(fields, 'reload refused: nothing has changed');
    return { ok: false, problems };
  }

  /** What can fail comes before the swap, as far as possible. */
  async #workBy(live: Live, swapped: { isDone: boolean }): Promise<void> {
    const { state, store, observers, engine, outbound } = this.#parts;
    const { settings } = live;
    const adminToken = await ensureAdminToken(settings);
    await engine.reload(settings, () => {
      if (state.isDraining) throw new AlertcardError('wrong_state', DRAINING);
      state.live = live;
      state.adminToken = adminToken;
      outbound.reload();
      observers.metrics.rename(namesOf(live));
      swapped.isDone = true;
    });
    await rehomeLeftChannels(store, settings, observers.log);
    void rehomeOnceLeft(engine.left(), store, () => state.live.settings, observers.log);
    observers.log.info({ channels: settings.channels.size }, 'reloaded');
  }

  async #drain(delayMs: number): Promise<void> {
    const { state, clock, engine, outbound, store, observers, ending } = this.#parts;
    state.isDraining = true;
    this.#stopWatching();
    if (delayMs > 0) await new Promise<void>((passed) => clock.after(delayMs, passed));
    const drained = engine.drain(DRAIN_BUDGET_MS);
    const cancel = clock.after(DRAIN_BUDGET_MS, () => this.http.server.closeAllConnections());
    await this.http.close().finally(cancel);
    const { releasedUnsent, unfinished } = await drained;
    await outbound.close();
    await store.close();
    observers.stop();
    observers.log.info({ released_unsent: releasedUnsent, unfinished }, 'drained');
    ending.resolve();
  }
}

/** Builds everything from settings; nothing is delivered and nobody is listened to until `listen`. */
export async function buildApp(settings: Settings, options: AppOptions = {}): Promise<App> {
  const parts = await buildParts(settings, options);
  const app: { current?: App } = {};
  const web = buildWebDeps(parts, () => app.current?.reload() ?? Promise.resolve({ ok: true, warnings: [] }));
  const http = await createServer({
    bodyLimitBytes: API_BODY_LIMIT_BYTES,
    log: parts.observers.log,
    plugins: [buildHooks({ ...parts, live: () => parts.state.live }), healthPlugin(web), apiPlugin(web)],
  });
  app.current = new App(parts, http);
  return app.current;
}

async function buildParts(settings: Settings, options: AppOptions): Promise<Parts> {
  const clock = options.clock ?? createSystemClock();
  const adminToken = await ensureAdminToken(settings);
  const state: State = { live: buildLive(settings), adminToken, isDraining: false, storeRefuses: '' };
  const live = (): Live => state.live;
  const late: { engine?: Engine; store?: Store } = {};
  const observers = createObservers(options, live, async () => ({
    channels: late.engine?.states() ?? [],
    storeBytes: (await late.store?.sizeBytes()) ?? 0,
  }));
  const { emit } = observers;
  const opened = await openStore({
    ...settings.store,
    maxSizeBytes: settings.store.retention.maxSizeBytes,
    clock,
    emit,
  });
  for (const warning of opened.warnings) observers.log.warn({ warning }, 'the store is in a doubtful place');
  const store = options.wrapStore?.(opened) ?? opened;
  const outbound = createOutbound(live, clock, options);
  const engine = createEngine(
    {
      store,
      composer: createWorkComposer({ live, clock, emit }),
      sender: outbound,
      clock,
      random: options.random ?? Math.random,
      emit,
      accept: (accepted) => store.accept(accepted),
      makeId,
      hash: (...texts) => hashParts(texts),
      summarise: (waiting) => summarise(waiting, live()),
      sendUnstored: (channel, robotKey, notice) =>
        sendUnstored({ live, sender: outbound, clock }, channel, robotKey, notice),
      onReport: () => undefined,
    },
    settings,
  );
  Object.assign(late, { engine, store });
  observers.add((event) => {
    engine.observe(event);
    if (event.kind === 'accepted') for (const channel of event.channels) engine.wake(channel);
    if (event.kind === 'store_writable') state.storeRefuses = event.writable ? '' : event.reason;
  });
  for (const { template, message } of state.live.templates.broken)
    emit({ kind: 'template_broken', template, message });
  const ending = { resolve: () => undefined, reject: () => undefined };
  return { options, clock, state, store, observers, outbound, engine, ending };
}
