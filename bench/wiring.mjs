/** The only file of this folder that imports the program's modules: what the scripts need of them, nothing else. */
import { createHash } from 'node:crypto';
import { buildApp, buildComposer } from '../dist/app.js';
import { loadSettings } from '../dist/config/load.js';
import { makeId } from '../dist/domain/ids.js';
import { LADDERS } from '../dist/domain/settings.js';
import { openStore } from '../dist/store/open.js';
import { groupName } from './lib.mjs';

/** The store on its own, as the application opens it. */
export function openBenchStore(path) {
  return openStore({ path, maxSizeBytes: 20 * 2 ** 30 });
}

/** The application with a store that keeps nothing: verifying, parsing and planning remain. */
export async function startWithoutStore(configurationFile) {
  const settings = await loadSettings({ file: configurationFile, environment: {} });
  const app = await buildApp(settings, { wrapStore: (store) => ({ ...store, accept: keepNothing }) });
  await app.listen();
  return app;
}

async function keepNothing({ entry }) {
  return { kind: 'kept', id: entry.id, seq: 0 };
}

const NO_MARKS = { late: undefined, isReplay: false, isPossibleRepeat: false, deaths: 0 };

/** The whole way from the bytes of one body to the vendor's JSON, as a function to time. */
export async function composeOnce(configurationFile, body) {
  const settings = await loadSettings({ file: configurationFile, environment: {} });
  const composer = buildComposer(settings);
  const [channel] = settings.channels.values();
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
    alertStates: [],
  };
  const attemptId = makeId('att');
  return { token: 'bench', attemptId, channel, robotKey: 'bench', lines: [line], deathsUntold: 0 };
}

/** What the planner hands to the store for one firing alert in a group of its own, for every channel named. */
export function acceptedOf(index, channels, { rank = 1, body = Buffer.from('{}') } = {}) {
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

/** Accepts notifications `from` to `to` (exclusive), many at a time, so that they share commits. */
export async function seed(store, from, to, channels, options) {
  const atOnce = 256;
  for (let index = from; index < to; index += atOnce) {
    const batch = Array.from({ length: Math.min(atOnce, to - index) }, (_, offset) =>
      store.accept(acceptedOf(index + offset, channels, options)),
    );
    await Promise.all(batch);
  }
}
