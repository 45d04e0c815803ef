import type { DigestRule } from './digest-rule.ts';
import type { FoldedGroup } from './fold.ts';
import type { SeveritySettings } from './settings.ts';
import { type Attempted, type Decision, decide, decideUncomposed } from './settle.ts';
import { rankOf } from './severity.ts';
import type { Work } from './work.ts';

/** Where a lane stands in telling of more lines than are to have cards of their own. */
export interface Storm {
  readonly isOn: boolean;
  /** Cards of their own that this storm's worst lines have had. */
  readonly ownCards: number;
  /** A digest went out, and may have passed over lines that share no card. */
  readonly isAloneNext: boolean;
}

export const CALM: Storm = { isOn: false, ownCards: 0, isAloneNext: false };

/**
 * What the next claim goes by. A lane is in a storm when more lines are due than `above`, or than the tokens
 * left: then the worst half of that number get cards of their own and the rest share digests, until none is left.
 */
export function ruleFor(storm: Storm, above: number, tokens: number): DigestRule {
  const limit = Math.max(Math.min(above, tokens), 1);
  return {
    above: storm.isOn ? 0 : limit,
    ownCards: Math.max(Math.floor(limit / 2) - storm.ownCards, 0),
    isAloneFirst: storm.isAloneNext,
  };
}

/** Where the lane stands after a claimed card was delivered. */
export function stormAfter(
  storm: Storm,
  { lines, isStorm, hasMoreDue }: Pick<Work, 'lines' | 'isStorm' | 'hasMoreDue'>,
): Storm {
  const isDigest = lines.length > 1;
  if (!hasMoreDue) return { ...CALM, isAloneNext: isDigest };
  if (isDigest) return { ...storm, isOn: true, isAloneNext: true };
  const isOn = storm.isOn || isStorm;
  return { isOn, ownCards: isOn ? storm.ownCards + 1 : 0, isAloneNext: false };
}

/**
 * What follows an attempt that carried several lines. Refused, it is told once more in our own words alone, and
 * its lines then go singly, each in its best form: so the one that is to blame costs the others nothing, and
 * words that name no alert never end a delivery.
 */
export function decideDigest(attempted: Attempted): Decision {
  const decision = decide(attempted);
  const isBare = attempted.position >= attempted.ladderLength - 1;
  const { next } = decision;
  if (next.kind === 'delivered') return isBare ? { ...decision, next: singly(attempted) } : decision;
  if (attempted.verdict.outcome !== 'rejected' || next.withoutMentions !== attempted.withoutMentions)
    return { ...decision, next: { ...next, rung: 0 } };
  const alone = { ...next, rung: 0, goAlone: true };
  return isBare ? { ...decision, next: alone } : { ...decision, next: alone, isBareNext: true };
}

/** Of several lines no message could be made, and nobody knows which is to blame: each is tried by itself. */
export function decideUncomposedDigest(attempted: Attempted): Decision {
  return { ...decideUncomposed(attempted), next: singly(attempted) };
}

function singly({ isPossibleRepeat, withoutMentions }: Attempted): Decision['next'] {
  return { kind: 'retry', inMs: 0, rung: 0, isPossibleRepeat, withoutMentions, goAlone: true };
}

/** Several groups as one thing to show. */
export interface Digest {
  /** The worst first. */
  readonly groups: readonly FoldedGroup[];
  /** Groups with something firing, and the others. */
  readonly firingGroups: number;
  readonly resolvedGroups: number;
  /** Alerts by severity, the worst first; only severities that occur. */
  readonly severities: readonly SeverityCount[];
}

export interface SeverityCount {
  /** Name of the configured rank, or `unknown`. */
  readonly name: string;
  readonly firing: number;
  /** Resolved, or no longer reported. */
  readonly over: number;
}

/** Sums up the groups of a claimed card; they come in the order of their lane. */
export function foldDigest(groups: readonly FoldedGroup[], severity: SeveritySettings): Digest {
  const ordered = worstFirst(groups, severity);
  const firingGroups = ordered.filter(({ status }) => status === 'firing').length;
  return {
    groups: ordered,
    firingGroups,
    resolvedGroups: ordered.length - firingGroups,
    severities: countSeverities(ordered, severity),
  };
}

/**
 * The groups as if they were one: what a card says of alerts as a whole (status, counts, how many are not
 * shown) holds for a digest just as well.
 */
export function mergeGroups(groups: readonly FoldedGroup[]): FoldedGroup | undefined {
  const [first] = groups;
  if (first === undefined) return undefined;
  const sum = (count: (group: FoldedGroup) => number): number =>
    groups.reduce((total, group) => total + count(group), 0);
  return {
    newest: first.newest,
    notificationId: first.notificationId,
    status: groups.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    alerts: groups.flatMap(({ alerts }) => alerts),
    counts: {
      firing: sum(({ counts }) => counts.firing),
      resolved: sum(({ counts }) => counts.resolved),
      noLongerReported: sum(({ counts }) => counts.noLongerReported),
      total: sum(({ counts }) => counts.total),
    },
    truncatedAlerts: sum(({ truncatedAlerts }) => truncatedAlerts),
    isReminder: groups.every(({ isReminder }) => isReminder),
    notifications: sum(({ notifications }) => notifications),
    unread: sum(({ unread }) => unread),
    oldestReceivedAt: Math.min(...groups.map(({ oldestReceivedAt }) => oldestReceivedAt)),
    mentionAll: groups.some(({ mentionAll }) => mentionAll),
  };
}

/** By what fires now: a line's rank is of the time it was planned. */
function worstFirst(groups: readonly FoldedGroup[], severity: SeveritySettings): readonly FoldedGroup[] {
  return groups
    .map((group) => ({ group, rank: worstRankOf(group, severity) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ group }) => group);
}

function worstRankOf({ alerts, status }: FoldedGroup, severity: SeveritySettings): number {
  if (status !== 'firing') return Number.POSITIVE_INFINITY;
  const firing = alerts.filter(
    ({ alert, isNoLongerReported }) => alert.status === 'firing' && !isNoLongerReported,
  );
  return Math.min(
    Number.MAX_SAFE_INTEGER,
    ...new Set(firing.map(({ alert }) => rankOf(alert.labels, severity).rank)),
  );
}

function countSeverities(
  groups: readonly FoldedGroup[],
  severity: SeveritySettings,
): readonly SeverityCount[] {
  const counted = new Map<number, { name: string; firing: number; over: number }>();
  for (const { alert, isNoLongerReported } of groups.flatMap(({ alerts }) => alerts)) {
    const { rank, name } = rankOf(alert.labels, severity);
    const count = counted.get(rank) ?? { name, firing: 0, over: 0 };
    if (alert.status === 'firing' && !isNoLongerReported) count.firing += 1;
    else count.over += 1;
    counted.set(rank, count);
  }
  return [...counted].sort(([left], [right]) => left - right).map(([, count]) => count);
}
