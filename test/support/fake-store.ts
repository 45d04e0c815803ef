import type { DeliveryStore } from '../../src/deliver/ports.ts';
import type { Accepted, AcceptResult } from '../../src/domain/accepted.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { goesAlone, linesToTake } from '../../src/domain/digest-rule.ts';
import { AlertcardError } from '../../src/domain/errors.ts';
import { type DeliveryId, makeId, type NotificationId } from '../../src/domain/ids.ts';
import type { BrokenNote, ChannelState, RobotPause, WaitingFiring } from '../../src/domain/store.ts';
import type {
  AttemptRecord,
  ClaimRequest,
  DeliveryState,
  Settlement,
  SettleResult,
  Work,
  WorkEntry,
} from '../../src/domain/work.ts';

interface Delivery {
  readonly id: DeliveryId;
  readonly notificationId: NotificationId;
  readonly isFiring: boolean;
  readonly entry: WorkEntry;
  state: DeliveryState;
}

interface Line {
  readonly channel: string;
  readonly lineHash: string;
  rank: number;
  readonly sinceSeq: number;
  /** 0: due now. */
  dueAt: number;
  rung: number;
  attempts: number;
  interruptions: number;
  isPossibleRepeat: boolean;
  withoutMentions: boolean;
  isReplay: boolean;
  isAlone: boolean;
  deliveries: Delivery[];
}

interface Lease {
  readonly token: string;
  readonly record: { -readonly [K in keyof AttemptRecord]: AttemptRecord[K] };
  readonly expiresAt: number;
  readonly lines: readonly Line[];
  readonly deliveries: readonly Delivery[];
  readonly robotKey: string;
}

interface Channel {
  pausedUntil: number;
  broken: BrokenNote | undefined;
  deathsUntold: number;
  oldestDeathAt: number | undefined;
  lastDeliveredAt: number | undefined;
  lastAttempt: AttemptRecord | undefined;
  open: Lease | undefined;
}

export interface FakeStore extends DeliveryStore {
  accept(accepted: Accepted): Promise<AcceptResult>;
  /** Keeps one notification for one channel and returns its delivery; equal `group` joins one line. */
  put(
    channel: string,
    options?: { group?: string; rank?: number; isFiring?: boolean; line?: Partial<Line> },
  ): DeliveryId;
  pauseChannel(channel: string, forMs: number): void;
  /** Dead letters nobody was told of yet. */
  addDeaths(channel: string, count: number): void;
  /** Makes calls of one method fail until told otherwise. */
  fail(method: 'accept' | keyof DeliveryStore, isFailing: boolean): void;
  deliveryState(id: DeliveryId): DeliveryState | undefined;
  /** Open attempts: nothing is left behind at the end of a test. */
  openLeases(): number;
  /** What the next calls of expire and prune answer; nothing to do once used up. */
  readonly expiring: number[];
  readonly pruning: boolean[];
  readonly settlements: readonly (Settlement & { readonly channel: string })[];
  readonly calls: ReadonlyMap<string, number>;
  readonly accepted: readonly Accepted[];
  /** As settled: the throttle pauses that outlive the process. */
  readonly pauses: readonly RobotPause[];
}

/**
 * Keeps what the lanes need in memory, honest about leases, tokens and due times: one open attempt per
 * channel, void tokens change nothing, a claim takes the worst due line whole.
 */
export function createFakeStore(clock: Clock): FakeStore {
  const lines: Line[] = [];
  const channels = new Map<string, Channel>();
  const deliveries = new Map<DeliveryId, Delivery>();
  const failing = new Set<string>();
  const settlements: (Settlement & { channel: string })[] = [];
  const calls = new Map<string, number>();
  const acceptedEntries: Accepted[] = [];
  const starts: { robotKey: string; at: number }[] = [];
  const pauses: (RobotPause & { until: number })[] = [];
  const expiring: number[] = [];
  const pruning: boolean[] = [];
  let seq = 0;
  let tokens = 0;

  function channelOf(name: string): Channel {
    const channel = channels.get(name) ?? {
      pausedUntil: 0,
      broken: undefined,
      deathsUntold: 0,
      oldestDeathAt: undefined,
      lastDeliveredAt: undefined,
      lastAttempt: undefined,
      open: undefined,
    };
    channels.set(name, channel);
    return channel;
  }

  async function called(method: string): Promise<void> {
    calls.set(method, (calls.get(method) ?? 0) + 1);
    await Promise.resolve();
    if (failing.has(method)) throw new AlertcardError('store_unavailable', 'the test said so');
  }

  function add(
    name: string,
    planned: { lineHash: string; rank: number; isFiring: boolean },
    entry: WorkEntry,
  ) {
    const open = lines.find(({ channel, lineHash }) => channel === name && lineHash === planned.lineHash);
    const line: Line = open ?? {
      channel: name,
      lineHash: planned.lineHash,
      rank: planned.rank,
      sinceSeq: entry.seq,
      dueAt: 0,
      rung: 0,
      attempts: 0,
      interruptions: 0,
      isPossibleRepeat: false,
      withoutMentions: false,
      isReplay: false,
      isAlone: goesAlone(entry.format, entry.isTest),
      deliveries: [],
    };
    if (open === undefined) lines.push(line);
    line.rank = Math.min(line.rank, planned.rank);
    const { deliveryId: id, notificationId } = entry;
    const delivery: Delivery = { id, notificationId, isFiring: planned.isFiring, entry, state: 'scheduled' };
    line.deliveries.push(delivery);
    deliveries.set(id, delivery);
    return line;
  }

  function waitingLines(name: string): Line[] {
    return lines.filter(
      ({ channel, deliveries: own }) => channel === name && own.some(({ state }) => state === 'scheduled'),
    );
  }

  function dueLines(name: string, maxRank = Number.POSITIVE_INFINITY): Line[] {
    return waitingLines(name)
      .filter(({ dueAt, rank }) => dueAt <= clock.now() && rank <= maxRank)
      .sort((a, b) => a.rank - b.rank || a.sinceSeq - b.sinceSeq);
  }

  function nextLines({ channel, maxRank, maxLines, digest }: ClaimRequest): readonly Line[] {
    const due = dueLines(channel, maxRank);
    if (digest === undefined) return due.slice(0, maxLines);
    const lone = due.filter(({ isAlone }) => isAlone);
    if (digest.isAloneFirst && lone.length > 0) return lone.slice(0, 1);
    const shared = due.filter(({ isAlone }) => !isAlone);
    const count = linesToTake(shared.length, digest, maxLines);
    return count === 1 ? due.slice(0, 1) : shared.slice(0, count);
  }

  function claimNow(request: ClaimRequest, again: readonly Line[] = []): Work | undefined {
    const { channel: name, robotKey, leaseMs, maxRank } = request;
    const channel = channelOf(name);
    if (channel.open !== undefined || channel.pausedUntil > clock.now()) return undefined;
    const due = dueLines(name, maxRank).filter(({ isAlone }) => !isAlone);
    const taken = request.isAgain === true ? again : nextLines(request);
    if (taken.length === 0) return undefined;
    tokens += 1;
    const carried = taken.flatMap((line) => line.deliveries.filter(({ state }) => state === 'scheduled'));
    for (const delivery of carried) delivery.state = 'leased';
    const record = {
      id: makeId('att'),
      channel: name,
      robotKey,
      startedAt: clock.now(),
      durationMs: null,
      rung: null,
      outcome: null,
      reason: null,
      httpStatus: null,
      providerCode: null,
      providerText: null,
    };
    const lease: Lease = {
      token: `token-${tokens}`,
      record,
      expiresAt: clock.now() + leaseMs,
      lines: taken,
      deliveries: carried,
      robotKey,
    };
    channel.open = lease;
    channel.lastAttempt = record;
    starts.push({ robotKey, at: clock.now() });
    return {
      token: lease.token,
      attemptId: record.id,
      channel: name,
      robotKey,
      deathsUntold: channel.deathsUntold,
      isStorm: due.length > (request.digest?.above ?? 0),
      hasMoreDue: due.some((line) => !taken.includes(line)),
      lines: taken.map((line) => workLine(line)),
    };
  }

  function workLine(line: Line): Work['lines'][number] {
    const own = line.deliveries.filter(({ state }) => state === 'leased');
    const seqs = own.map(({ entry }) => entry.seq);
    return {
      lineHash: line.lineHash,
      rank: line.rank,
      rung: line.rung,
      attempts: line.attempts,
      interruptions: line.interruptions,
      isPossibleRepeat: line.isPossibleRepeat,
      withoutMentions: line.withoutMentions,
      isReplay: line.isReplay,
      entries: own.map(({ entry }) => entry).toReversed(),
      deliveryCount: own.length,
      oldestReceivedAt: Math.min(...own.map(({ entry }) => entry.receivedAt)),
      oldestSeq: Math.min(...seqs),
      newestSeq: Math.max(...seqs),
      alertStates: [],
    };
  }

  function leaseOf(token: string): { channel: Channel; lease: Lease; name: string } | undefined {
    for (const [name, channel] of channels)
      if (channel.open?.token === token) return { channel, lease: channel.open, name };
    return undefined;
  }

  function end(channel: Channel, lease: Lease, settlement: Settlement): void {
    channel.open = undefined;
    lease.record.outcome = settlement.verdict.outcome;
    lease.record.reason = settlement.verdict.reason;
    const { next } = settlement;
    for (const line of lease.lines) {
      line.attempts = next.kind === 'delivered' ? 0 : line.attempts + 1;
      line.rung = next.kind === 'delivered' ? 0 : next.rung;
      line.isPossibleRepeat = next.kind === 'retry' && (line.isPossibleRepeat || next.isPossibleRepeat);
      line.withoutMentions = next.kind === 'retry' && (line.withoutMentions || next.withoutMentions);
      line.isAlone = next.kind === 'retry' && (line.isAlone || next.goAlone === true || next.rung > 0);
      line.dueAt = next.kind === 'retry' && next.inMs > 0 ? clock.now() + next.inMs : 0;
      const own = lease.deliveries.filter((delivery) => line.deliveries.includes(delivery));
      for (const [index, delivery] of own.entries())
        if (next.kind === 'retry') delivery.state = 'scheduled';
        else delivery.state = index === own.length - 1 ? 'delivered' : 'folded';
    }
    if (settlement.verdict.outcome !== 'delivered') return;
    channel.lastDeliveredAt = clock.now();
    channel.deathsUntold = Math.max(channel.deathsUntold - settlement.deathsTold, 0);
    if (channel.deathsUntold === 0) channel.oldestDeathAt = undefined;
  }

  async function settle(
    token: string,
    settlement: Settlement,
    thenClaim?: ClaimRequest,
  ): Promise<SettleResult> {
    await called('settle');
    const found = leaseOf(token);
    if (found === undefined)
      return { held: false, settled: [], next: thenClaim === undefined ? undefined : claimNow(thenClaim) };
    settlements.push({ ...settlement, channel: found.name });
    const { pause } = settlement;
    if (pause !== undefined) pauses.push({ ...pause, until: clock.now() + pause.forMs });
    end(found.channel, found.lease, settlement);
    const settled = found.lease.deliveries.map(({ id, notificationId, state, entry }) => ({
      deliveryId: id,
      notificationId,
      state,
      receivedAt: entry.receivedAt,
    }));
    const next = thenClaim === undefined ? undefined : claimNow(thenClaim, found.lease.lines);
    return { held: true, settled, next };
  }

  async function channelState(name: string): Promise<ChannelState> {
    await called('channelState');
    const channel = channelOf(name);
    const waiting = waitingLines(name).flatMap(({ deliveries: own }) =>
      own.filter(({ state }) => state === 'scheduled' || state === 'leased'),
    );
    const leased = channel.open?.deliveries ?? [];
    const firingAt = [...waiting, ...leased]
      .filter(({ isFiring }) => isFiring)
      .map((d) => d.entry.receivedAt);
    const now = clock.now();
    const due = dueLines(name);
    return {
      channel: name,
      waiting: new Set([...waiting, ...leased]).size,
      oldestDueMs: due.length === 0 ? undefined : 0,
      oldestFiringMs: firingAt.length === 0 ? undefined : now - Math.min(...firingAt),
      worstRank: waitingLines(name)
        .filter(({ deliveries: own }) => own.some(({ isFiring }) => isFiring))
        .map(({ rank }) => rank)
        .sort((a, b) => a - b)[0],
      pausedForMs: channel.pausedUntil > now ? channel.pausedUntil - now : undefined,
      broken: channel.broken,
      deathsUntold: channel.deathsUntold,
      oldestDeathMs: channel.oldestDeathAt === undefined ? undefined : now - channel.oldestDeathAt,
      lastDeliveredAt: channel.lastDeliveredAt,
      lastAttempt: channel.lastAttempt,
    };
  }

  async function waitingFiring(name: string, limit: number): Promise<WaitingFiring> {
    await called('waitingFiring');
    const firing = waitingLines(name).filter(({ deliveries: own }) => own.some(({ isFiring }) => isFiring));
    return {
      lines: firing.length,
      worst: firing.slice(0, limit).flatMap(({ rank, deliveries: own }) =>
        own.slice(-1).map(({ entry }) => ({
          notificationId: entry.notificationId,
          format: entry.format,
          source: entry.source,
          pathChannel: entry.pathChannel,
          receivedAt: entry.receivedAt,
          rank,
          body: entry.body,
          selection: entry.selection,
        })),
      ),
    };
  }

  return {
    expiring,
    pruning,
    settlements,
    calls,
    pauses,
    accepted: acceptedEntries,
    settle,
    channelState,
    waitingFiring,
    async accept(accepted) {
      await called('accept');
      acceptedEntries.push(accepted);
      seq += 1;
      for (const { id, channel, lineHash, rank, isFiring } of accepted.deliveries)
        add(channel, { lineHash, rank, isFiring }, entryOf(accepted, id, seq));
      return { kind: 'kept', id: accepted.entry.id, seq };
    },
    put(channel, { group = `group-${seq + 1}`, rank = 0, isFiring = true, line = {} } = {}) {
      seq += 1;
      const id = makeId('dlv');
      const entry: WorkEntry = {
        deliveryId: id,
        notificationId: makeId('ntf'),
        seq,
        source: 'grafana',
        receivedAt: clock.wall(),
        format: 'grafana',
        isTest: false,
        pathChannel: '',
        body: new TextEncoder().encode(group),
        selection: null,
        mentionAll: false,
      };
      Object.assign(add(channel, { lineHash: group, rank, isFiring }, entry), line);
      return id;
    },
    async claim(request) {
      await called('claim');
      return claimNow(request);
    },
    async release(token) {
      await called('release');
      const found = leaseOf(token);
      if (found === undefined) return false;
      found.channel.open = undefined;
      for (const delivery of found.lease.deliveries) delivery.state = 'scheduled';
      return true;
    },
    async expire() {
      await called('expire');
      return { dead: expiring.shift() ?? 0 };
    },
    async reap() {
      await called('reap');
      let reaped = 0;
      for (const channel of channels.values()) {
        const { open } = channel;
        if (open === undefined || open.expiresAt > clock.now()) continue;
        channel.open = undefined;
        for (const delivery of open.deliveries) delivery.state = 'scheduled';
        for (const line of open.lines) line.isPossibleRepeat = true;
        reaped += 1;
      }
      return { reaped };
    },
    async prune() {
      await called('prune');
      return { pruned: 0, more: pruning.shift() ?? false };
    },
    async wakeChannel(channel) {
      await called('wakeChannel');
      for (const line of waitingLines(channel)) line.dueAt = 0;
    },
    async noteBroken(channel, broken) {
      await called('noteBroken');
      channelOf(channel).broken = broken ?? undefined;
    },
    async tellDeaths(channel, count) {
      await called('tellDeaths');
      const state = channelOf(channel);
      state.deathsUntold = Math.max(state.deathsUntold - count, 0);
      if (state.deathsUntold === 0) state.oldestDeathAt = undefined;
    },
    async recentAttempts(robotKey, withinMs) {
      await called('recentAttempts');
      return starts
        .filter((start) => start.robotKey === robotKey && start.at > clock.now() - withinMs)
        .map(({ at }) => at);
    },
    async robotPauses() {
      await called('robotPauses');
      const now = clock.now();
      return pauses
        .filter(({ until }) => until > now)
        .map(({ robotKey, reason, until }) => ({ robotKey, reason, forMs: until - now }));
    },
    async nextDueInMs(channel) {
      await called('nextDueInMs');
      const dueAt = waitingLines(channel).map((line) => line.dueAt);
      return dueAt.length === 0 ? undefined : Math.max(Math.min(...dueAt) - clock.now(), 0);
    },
    pauseChannel(channel, forMs) {
      channelOf(channel).pausedUntil = clock.now() + forMs;
    },
    addDeaths(channel, count) {
      const state = channelOf(channel);
      state.deathsUntold += count;
      state.oldestDeathAt ??= clock.now();
    },
    fail(method, isFailing) {
      if (isFailing) failing.add(method);
      else failing.delete(method);
    },
    deliveryState: (id) => deliveries.get(id)?.state,
    openLeases: () => [...channels.values()].filter(({ open }) => open !== undefined).length,
  };
}

function entryOf({ entry }: Accepted, deliveryId: DeliveryId, seq: number): WorkEntry {
  return {
    deliveryId,
    notificationId: entry.id,
    seq,
    source: entry.source,
    receivedAt: entry.receivedAt,
    format: entry.format,
    isTest: entry.isTest,
    pathChannel: entry.pathChannel,
    body: entry.body,
    selection: null,
    mentionAll: false,
  };
}
