/** The only file of this folder that imports the program's modules: what the scripts need of them, nothing else. */
import { createHash } from 'node:crypto';
import { buildLive } from '../dist/app/live.js';
import { createSystemClock } from '../dist/app/system-clock.js';
import { createWorkComposer } from '../dist/app/work-composer.js';
import { buildApp } from '../dist/app.js';
import { nodeFiles } from '../dist/config/files.js';
import { loadConfig } from '../dist/config/load.js';
import { makeId } from '../dist/domain/ids.js';
import { LADDERS } from '../dist/domain/settings.js';
import { parseNotification } from '../dist/receive/payload/parse.js';
import { runBatch } from '../dist/store/batch.js';
import { createPrivateFile } from '../dist/store/database.js';
import { openStore } from '../dist/store/open.js';
import { closeWriterDatabase, openWriterDatabase, startCursors } from '../dist/store/writer-database.js';
import { bodyMaker, groupName } from './lib.mjs';

const MAX_STORE_BYTES = 20 * 2 ** 30;
const bodyOf = bodyMaker();

/** The store on its own, as the application opens it. */
export function openBenchStore(path) {
  return openStore({
    path,
    maxSizeBytes: MAX_STORE_BYTES,
    clock: createSystemClock(),
    emit: () => undefined,
  });
}

/** The application with a store that keeps nothing: verifying, parsing and planning remain. */
export async function startWithoutStore(configurationFile) {
  const app = await buildApp(settingsOf(configurationFile), { wrapStore: withoutAccept });
  return { app, url: await app.listen() };
}

function settingsOf(path) {
  return loadConfig({ path, env: {}, cwd: process.cwd(), files: nodeFiles }).settings;
}

/** A store of classes: its methods need the object they were written for. */
function withoutAccept(store) {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'accept') return keepNothing;
      const member = target[name];
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

async function keepNothing({ entry }) {
  return { kind: 'kept', id: entry.id, seq: 0 };
}

const NO_MARKS = { late: undefined, isReplay: false, isPossibleRepeat: false, deaths: 0 };

/** The whole way from the bytes of one body to the vendor's JSON, as a function to time. */
export function composeOnce(configurationFile, body) {
  const live = buildLive(settingsOf(configurationFile));
  const composer = createWorkComposer({
    live: () => live,
    clock: createSystemClock(),
    emit: (event) => {
      throw new Error(`a template failed: ${JSON.stringify(event)}`);
    },
  });
  const [channel] = live.settings.channels.values();
  const work = workOf(body, channel.name);
  return () => composer.compose(work, channel, LADDERS[channel.provider][0], NO_MARKS);
}

/** A claim that hands out one line with one notification. */
function workOf(body, channel) {
  const { entry } = acceptedOf(0, [channel], { body });
  const workEntry = {
    deliveryId: makeId('dlv'),
    notificationId: entry.id,
    seq: 1,
    source: entry.source,
    receivedAt: entry.receivedAt,
    format: entry.format,
    isTest: false,
    pathChannel: '',
    body,
    selection: null,
    mentionAll: false,
  };
  const line = {
    lineHash: entry.groupHash,
    rank: 1,
    rung: 0,
    attempts: 0,
    interruptions: 0,
    isPossibleRepeat: false,
    withoutMentions: false,
    isReplay: false,
    entries: [workEntry],
    deliveryCount: 1,
    oldestReceivedAt: entry.receivedAt,
    oldestSeq: 1,
    newestSeq: 1,
    alertStates: statesOf(body, entry.id),
  };
  const attemptId = makeId('att');
  return { token: 'bench', attemptId, channel, robotKey: 'bench', lines: [line], deathsUntold: 0 };
}

/** What the store knows of the alerts of a first notification. */
function statesOf(body, id) {
  const { alerts } = parseNotification(body, { source: 'grafana', format: 'grafana', id });
  return alerts.map(({ fingerprint, status, startsAt }) => ({
    fingerprint,
    status,
    episodeStartedAt: startsAt ?? null,
    lastEndedAt: null,
    changedSeq: 1,
  }));
}

/** What the planner hands to the store for one firing alert in a group of its own, for every channel named. */
export function acceptedOf(index, channels, { rank = 1, body = bodyOf(index) } = {}) {
  const hash = createHash('sha256').update(groupName(index)).digest('hex').slice(0, 32);
  const lines = channels.map((channel) => ({
    id: makeId('dlv'),
    channel,
    lineHash: hash,
    rank,
    isFiring: true,
    selection: null,
    mentionAll: false,
  }));
  const entry = {
    id: makeId('ntf'),
    source: 'grafana',
    org: '1',
    receiver: 'bench',
    groupKey: `{}:{alertname="${groupName(index)}"}`,
    groupHash: hash,
    pathChannel: '',
    scopeHash: hash,
    receivedAt: Date.now(),
    format: 'grafana',
    status: 'firing',
    isTest: false,
    isSnapshot: true,
    dedup: undefined,
    replay: undefined,
    body,
  };
  return {
    entry,
    deliveries: lines,
    alerts: [{ fingerprint: hash.slice(0, 16), status: 'firing', startsAt: Date.now(), endsAt: null }],
  };
}

const SEED_BATCH = 2_000;

/**
 * Fills a store file that no process has open: notifications `from` to `to` (exclusive), each to all `channels`.
 * The writer's own code applies them, thousands to a transaction, without its thread and without fsync.
 */
export function seed(path, from, to, channels, options) {
  const now = Date.now();
  createPrivateFile(path);
  const db = openWriterDatabase({ path, maxSizeBytes: MAX_STORE_BYTES, busyTimeoutMs: 1_000, now });
  db.pragma('synchronous = OFF');
  const cursors = startCursors();
  for (let first = from; first < to; first += SEED_BATCH) {
    const count = Math.min(SEED_BATCH, to - first);
    const intents = Array.from({ length: count }, (_, offset) => ({
      kind: 'accept',
      accepted: acceptedOf(first + offset, channels, options),
    }));
    const { trouble } = runBatch(db, intents, now, cursors);
    if (trouble !== '') throw new Error(`the store could not be filled: ${trouble}`);
  }
  closeWriterDatabase(db);
}
