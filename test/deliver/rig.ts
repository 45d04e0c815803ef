import { createEngine, type Engine } from '../../src/deliver/engine.ts';
import type { Composed, Composer, Marks } from '../../src/deliver/ports.ts';
import type { ChannelReport } from '../../src/domain/channel-report.ts';
import type { Event } from '../../src/domain/events.ts';
import { makeId } from '../../src/domain/ids.ts';
import type { Notice } from '../../src/domain/notice.ts';
import type { Verdict } from '../../src/domain/outcome.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ChannelSettings, RobotSettings, Settings } from '../../src/domain/settings.ts';
import type { Work } from '../../src/domain/work.ts';
import { createManualClock, type ManualClock } from '../support/clock.ts';
import { createFakeStore, type FakeStore } from '../support/fake-store.ts';

export const DELIVERED: Verdict = { outcome: 'delivered', reason: 'ok' };
export const REFUSED: Verdict = { outcome: 'rejected', reason: 'bad_message' };
export const UNREACHABLE: Verdict = { outcome: 'unavailable', reason: 'connect' };
export const THROTTLED: Verdict = { outcome: 'throttled', reason: 'rate_limited' };
export const WRONG_TOKEN: Verdict = { outcome: 'misconfigured', reason: 'unknown_token' };
export const TIMED_OUT: Verdict = { outcome: 'unconfirmed', reason: 'timeout' };

export function robot(key: string): RobotSettings {
  return { url: new Secret(`https://robot.example/${key}`), secret: undefined, key };
}

export function channel(name: string, changes: Partial<ChannelSettings> = {}): ChannelSettings {
  return {
    name,
    provider: 'dingtalk',
    robots: [robot(`${name}-1`)],
    keyword: '',
    form: 'card',
    template: 'default',
    locale: 'en',
    timezone: 'UTC',
    sendResolved: true,
    group: 'together',
    mention: { all: false, on: ['firing'] },
    fallback: undefined,
    brokenAfterMs: 120_000,
    lateAfterMs: 300_000,
    giveUpAfterMs: 86_400_000,
    pacing: { perSecond: undefined, perMinute: 18 },
    digestAbove: 6,
    ...changes,
  };
}

export function settingsOf(...channels: readonly ChannelSettings[]): Settings {
  return {
    server: { host: '', port: 0, publicUrl: '', adminToken: undefined, bodyLimitBytes: 0, drainDelayMs: 0 },
    store: { path: '', retention: { deliveredMs: 1, bodiesMs: 1, deadMs: 1, maxSizeBytes: 1 } },
    defaults: { locale: 'en', timezone: 'UTC' },
    templatesDir: undefined,
    severity: { label: 'severity', ranks: [] },
    links: { rewrites: [], logs: undefined, images: 'link' },
    egress: { allowHosts: [], allowPrivate: false, proxy: undefined, caFile: '' },
    sources: new Map([
      [
        'grafana',
        {
          name: 'grafana',
          auth: { kind: 'none' },
          dedupWindowMs: 0,
          channels: channels.slice(0, 1).map(({ name }) => name),
          allowChannels: [],
        },
      ],
    ]),
    channels: new Map(channels.map((one) => [one.name, one])),
    routes: [],
    mentions: [],
    sandbox: false,
  };
}

/** One POST that reached a robot. */
export interface Sent {
  readonly at: number;
  readonly channel: string;
  readonly robotKey: string;
  readonly rung: string;
  /** What the newest entry of the card holds: the group's name, or a notice. */
  readonly text: string;
  readonly marks: Marks;
}

export interface Rig {
  readonly clock: ManualClock;
  readonly store: FakeStore;
  readonly engine: Engine;
  readonly sent: Sent[];
  readonly events: Event[];
  readonly unstored: { channel: string; robotKey: string; notice: Notice }[];
  readonly reports: () => readonly ChannelReport[];
  /** What robots answer from now on; by default all deliver. */
  answer(robot: (sent: Sent) => Verdict | Promise<Verdict>): void;
  /** Keeps notifications for a channel and wakes its lane. */
  put(name: string, ...options: Parameters<FakeStore['put']>[1][]): ReturnType<FakeStore['put']>[];
  notices(): readonly (Notice & { readonly to: string })[];
  texts(name?: string): readonly string[];
}

export interface RigOptions {
  readonly clock?: ManualClock;
  readonly store?: FakeStore;
  readonly compose?: Composer['compose'];
}

/** An engine with a manual clock, an honest fake store and robots that answer as told; started. */
export async function startRig(settings: Settings, options: RigOptions = {}): Promise<Rig> {
  const clock = options.clock ?? createManualClock();
  const store = options.store ?? createFakeStore(clock);
  const sent: Sent[] = [];
  const events: Event[] = [];
  const unstored: Rig['unstored'][number][] = [];
  let reports: readonly ChannelReport[] = [];
  let answer: (one: Sent) => Verdict | Promise<Verdict> = () => DELIVERED;
  const engine = createEngine(
    {
      store,
      clock,
      random: () => 0.5,
      emit: (event) => events.push(event),
      accept: (accepted) => store.accept(accepted),
      makeId,
      hash: (...parts) => parts.join('|'),
      summarise: ({ worst }) =>
        worst.map(({ body }) => ({
          name: new TextDecoder().decode(body),
          severity: 'critical',
          summary: '',
          startedAt: null,
        })),
      sendUnstored: async (to, robotKey, notice) => unstored.push({ channel: to.name, robotKey, notice }),
      onReport: (next) => {
        reports = next;
      },
      composer: { compose: options.compose ?? composePlainly },
      sender: {
        async send(to, robotKey, { rung, json }) {
          const { text, marks } = json as { text: string; marks: Marks };
          const one = { at: clock.now(), channel: to.name, robotKey, rung, text, marks };
          sent.push(one);
          return answer(one);
        },
      },
    },
    settings,
  );
  await engine.start();
  await clock.settle();
  return {
    clock,
    store,
    engine,
    sent,
    events,
    unstored,
    reports: () => reports,
    answer(next) {
      answer = next;
    },
    put(name, ...all) {
      const ids = (all.length === 0 ? [{}] : all).map((one) => store.put(name, one));
      engine.wake(name);
      return ids;
    },
    notices: () =>
      store.accepted.map(({ entry }) => ({
        ...(JSON.parse(new TextDecoder().decode(entry.body)) as Notice),
        to: entry.pathChannel,
      })),
    texts: (name) => sent.filter((one) => name === undefined || one.channel === name).map(({ text }) => text),
  };
}

export function composePlainly(
  work: Work,
  _channel: ChannelSettings,
  rung: Composed['message']['rung'],
  marks: Marks,
): Composed {
  const text = new TextDecoder().decode(work.lines[0]?.entries[0]?.body);
  return {
    message: { rung, json: { text, marks } },
    bytes: text.length,
    shown: 1,
    omitted: 0,
    template: 'dingtalk/default',
  };
}

export function attempts(rig: Rig): readonly Extract<Event, { kind: 'attempted' }>[] {
  return rig.events.filter((event) => event.kind === 'attempted');
}
