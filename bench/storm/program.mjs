/** The real store, planner, engine and composer under a simulated clock; only the wire is replaced. */
import { join } from 'node:path';
import { buildLive } from '../../dist/app/live.js';
import { summarise } from '../../dist/app/summarise.js';
import { createWorkComposer } from '../../dist/app/work-composer.js';
import { createEngine } from '../../dist/deliver/engine.js';
import { groupHash, hashParts } from '../../dist/domain/dedup.js';
import { makeId } from '../../dist/domain/ids.js';
import { buildAccepted } from '../../dist/receive/entry.js';
import { parseNotification } from '../../dist/receive/payload/parse.js';
import { runBatch } from '../../dist/store/batch.js';
import { openStore } from '../../dist/store/open.js';
import { closeWriterDatabase, openWriterDatabase, startCursors } from '../../dist/store/writer-database.js';
import { robotSettings } from './robots.mjs';

const ANSWER_MS = 200;

/** Starts the program on a database in `folder`. */
export async function startStorm(folder, clock, robots) {
  const settings = settingsIn(folder);
  const live = buildLive(settings);
  const pending = { count: 0 };
  const events = [];
  const emit = (event) => events.push({ ...event, at: clock.now() });
  const opened = await openStore({
    path: settings.store.path,
    maxSizeBytes: 2 ** 30,
    clock,
    emit,
    startWriter,
  });
  const store = counting(opened, pending);
  const engine = createEngine(
    {
      store,
      clock,
      emit,
      random: () => 0.5,
      composer: createWorkComposer({ live: () => live, clock, emit }),
      sender: { send: (channel, key, message) => send(channel, key, message, clock, robots) },
      accept: (accepted) => store.accept(accepted),
      makeId,
      hash: (...texts) => hashParts(texts),
      summarise: (waiting) => summarise(waiting, live),
      sendUnstored: async () => undefined,
      onReport: () => undefined,
    },
    settings,
  );
  /** Waits until the store has answered everything and nobody has asked anew. */
  const settle = async () => {
    for (let quiet = 0; quiet < 2; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (pending.count > 0) quiet = -1;
    }
  };
  await engine.start();
  return {
    engine,
    store,
    events,
    settings,
    settle,
    accept: (body) => accept(body, { settings, live, clock, store, engine }),
  };
}

/** The writer on this thread: simulated time must not run while a real thread works. */
async function startWriter(data) {
  const db = openWriterDatabase(data);
  const cursors = startCursors();
  return {
    run: async (intents, now) => structuredClone(runBatch(db, structuredClone(intents), now, cursors)),
    ping: async () => undefined,
    close: async () => closeWriterDatabase(db),
    kill: async () => db.close(),
  };
}

function counting(store, pending) {
  return new Proxy(store, {
    get(target, name) {
      const value = target[name];
      if (typeof value !== 'function') return value;
      return (...given) => {
        const result = value.apply(target, given);
        if (typeof result?.finally !== 'function') return result;
        pending.count += 1;
        return result.finally(() => {
          pending.count -= 1;
        });
      };
    },
  });
}

async function send(channel, key, message, clock, robots) {
  await new Promise((resolve) => clock.after(ANSWER_MS, resolve));
  const robot = channel.robots.find((each) => each.key === key);
  return robots.post(key, message, robot, clock.now());
}

async function accept(body, { settings, live, clock, store, engine }) {
  const id = makeId('ntf');
  const source = settings.sources.get('grafana');
  const notification = parseNotification(body, { source: source.name, id });
  const group = groupHash(source.name, notification.org, notification.receiver, notification.groupKey);
  const deliveries = live.planner.plan({ notification, source, pathChannel: '', groupHash: group });
  const arrival = { id, notification, source, pathChannel: '', body, bodyHash: '', timestamp: undefined };
  await store.accept(buildAccepted({ ...arrival, receivedAt: clock.wall() }, deliveries));
  for (const { channel } of deliveries) engine.wake(channel);
  return deliveries;
}

/** Everything goes to `ops` and `team`, what is critical to `oncall` as well. */
function settingsIn(folder) {
  const ranks = ['critical', 'error', 'warning', 'info'].map((name) => ({ name, values: [name] }));
  const isCritical = {
    label: 'severity',
    operator: '=',
    value: 'critical',
    matches: (value) => value === 'critical',
  };
  return {
    server: {
      host: '',
      port: 0,
      publicUrl: '',
      adminToken: undefined,
      bodyLimitBytes: 2 ** 20,
      drainDelayMs: 0,
    },
    store: {
      path: join(folder, 'alertcard.db'),
      retention: {
        deliveredMs: 7 * 86_400_000,
        bodiesMs: 3 * 86_400_000,
        deadMs: 30 * 86_400_000,
        maxSizeBytes: 2 ** 30,
      },
    },
    defaults: { locale: 'en', timezone: 'Asia/Shanghai' },
    templatesDir: undefined,
    severity: { label: 'severity', ranks },
    links: { rewrites: [], logs: undefined, images: 'link' },
    egress: { allowHosts: [], allowPrivate: false, proxy: undefined, caFile: '' },
    sources: new Map([
      [
        'grafana',
        {
          name: 'grafana',
          auth: { kind: 'none' },
          dedupWindowMs: 0,
          channels: ['ops', 'team'],
          allowChannels: [],
        },
      ],
    ]),
    channels: new Map([
      ['ops', channel('ops', 'dingtalk', ['ops-1', 'ops-2'], 'team')],
      ['oncall', channel('oncall', 'dingtalk', ['oncall-1'], 'team')],
      ['team', channel('team', 'feishu', ['team-1'], 'ops')],
    ]),
    routes: [
      { matchers: [isCritical], channels: ['oncall', 'ops', 'team'], mentionAll: false, continue: false },
    ],
    mentions: [],
    sandbox: false,
  };
}

function channel(name, provider, keys, fallback) {
  const isDingtalk = provider === 'dingtalk';
  return {
    name,
    provider,
    robots: keys.map(robotSettings),
    keyword: '',
    form: isDingtalk ? 'card' : 'card2',
    template: 'default',
    locale: 'en',
    timezone: 'Asia/Shanghai',
    sendResolved: true,
    group: 'together',
    mention: { all: false, on: ['firing'] },
    fallback,
    brokenAfterMs: 120_000,
    lateAfterMs: 300_000,
    giveUpAfterMs: 86_400_000,
    pacing: isDingtalk ? { perSecond: undefined, perMinute: 18 } : { perSecond: 4, perMinute: 90 },
    digestAbove: 6,
  };
}
