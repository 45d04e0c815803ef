import type { SeverityCount } from '../domain/digest.ts';
import type { FoldedGroup } from '../domain/fold.ts';
import { UNKNOWN_SEVERITY } from '../domain/severity.ts';
import { groupName } from './alert-name.ts';
import type { AlertLinks, AlertView } from './alert-view.ts';
import { badgeOf } from './badge.ts';
import type { DigestPart, PreparedGroup } from './prepare.ts';
import { say, type Words } from './words.ts';

/** One group of a digest as templates see it. */
export interface GroupView {
  readonly status: FoldedGroup['status'];
  readonly isFiring: boolean;
  readonly name: string;
  readonly badge: string;
  readonly receiver: string;
  readonly links: AlertLinks;
  readonly alerts: readonly AlertView[];
  readonly counts: FoldedGroup['counts'];
  readonly omitted: number;
}

/** Groups of a digest, shown or not. */
export interface GroupCounts {
  readonly total: number;
  readonly firing: number;
  readonly resolved: number;
  /** Groups of which nothing is shown. */
  readonly omitted: number;
}

interface DigestFields {
  readonly isDigest: boolean;
  readonly groups: readonly GroupView[];
  readonly groupCounts: GroupCounts;
  readonly severities: readonly SeverityCount[];
}

/** What only a card for several groups has; `alertViews` are of the first alerts in order. */
export function digestFields(
  prepared: PreparedGroup,
  alertViews: readonly AlertView[],
  cut: (text: string) => string,
): DigestFields {
  const { parts, words } = prepared;
  const { digest } = prepared.input;
  const shown = new Map<DigestPart, [AlertView, ...AlertView[]]>();
  for (const [index, view] of alertViews.entries()) {
    const part = prepared.partOf(index);
    if (part === undefined) continue;
    const views = shown.get(part);
    if (views === undefined) shown.set(part, [view]);
    else views.push(view);
  }
  return {
    isDigest: digest !== undefined,
    groups: parts.flatMap((part) => {
      const alerts = shown.get(part);
      return alerts === undefined ? [] : [viewGroup(part, alerts, words, cut)];
    }),
    groupCounts: {
      total: parts.length,
      firing: digest?.firingGroups ?? 0,
      resolved: digest?.resolvedGroups ?? 0,
      omitted: parts.length - shown.size,
    },
    severities: (digest?.severities ?? []).map((each) => named(each, words)),
  };
}

function viewGroup(
  { group }: DigestPart,
  alerts: readonly [AlertView, ...AlertView[]],
  words: Words,
  cut: (text: string) => string,
): GroupView {
  return {
    status: group.status,
    isFiring: group.status === 'firing',
    name: cut(groupName(group, words)),
    badge: badgeOf(group, words),
    receiver: cut(group.newest.receiver),
    links: alerts[0].links,
    alerts,
    counts: group.counts,
    omitted: group.counts.total - alerts.length,
  };
}

function named(count: SeverityCount, words: Words): SeverityCount {
  return count.name === UNKNOWN_SEVERITY ? { ...count, name: say(words, 'no_severity') } : count;
}
