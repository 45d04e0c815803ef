import { type Labels, makeLabels, type Status } from '../domain/alert.ts';
import type { SeverityCount } from '../domain/digest.ts';
import type { FoldedAlert, FoldedGroup } from '../domain/fold.ts';
import { cutToBytes } from '../domain/truncate.ts';
import {
  type AlertLinks,
  type AlertView,
  type Pair,
  pairsWithin,
  shortEnough,
  type ViewSettings,
  viewAlert,
} from './alert-view.ts';
import { badgeOf } from './badge.ts';
import { digestFields, type GroupCounts, type GroupView } from './digest-view.ts';
import { shownLabels } from './labels.ts';
import { below } from './links.ts';
import type { DigestPart, Marks, PreparedGroup } from './prepare.ts';
import { countFiring, type FiringCount } from './severities.ts';
import { clean, oneLine } from './text.ts';

/** Everything a template sees. `docs` in context-fields.ts says what each field means. */
export interface Context {
  readonly status: Status;
  readonly name: string;
  readonly badge: string;
  readonly state: string;
  readonly severity: string;
  readonly firingCounts: readonly FiringCount[];
  readonly since: number | null;
  readonly alerts: readonly AlertView[];
  readonly firing: readonly AlertView[];
  readonly resolved: readonly AlertView[];
  readonly noLongerReported: readonly AlertView[];
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly groupLabels: Labels;
  readonly commonLabels: readonly Pair[];
  readonly description: string;
  readonly counts: FoldedGroup['counts'];
  readonly omitted: number;
  readonly truncatedAlerts: number;
  readonly isMixed: boolean;
  readonly isShort: boolean;
  readonly isDigest: boolean;
  readonly groups: readonly GroupView[];
  readonly groupCounts: GroupCounts;
  readonly severities: readonly SeverityCount[];
  readonly isLong: boolean;
  readonly isTest: boolean;
  readonly isReminder: boolean;
  readonly links: AlertLinks & { readonly list: string };
  readonly image: string;
  readonly source: string;
  readonly receiver: string;
  readonly channel: string;
  readonly notificationId: string;
  readonly notifications: number;
  readonly now: number;
  readonly marks: Marks;
}

/** Groups up to this size show each alert's own links. */
const SHORT_GROUP = 5;

/** Makes contexts of one group with texts cut to a limit: each shows so many of the worst alerts. */
export function makeContexts(prepared: PreparedGroup, maxTextBytes: number): (shown: number) => Context {
  const settings = viewSettings(prepared, maxTextBytes);
  const settingsOf = (part: DigestPart | undefined): ViewSettings =>
    part === undefined ? settings : { ...settings, newest: part.group.newest, common: part.common };
  const views: AlertView[] = [];
  const whole = wholeGroup(prepared, maxTextBytes);
  return (shown) => {
    for (const folded of prepared.ordered.slice(views.length, shown)) {
      const part = prepared.partOf(views.length);
      views.push(viewAlert(folded, opensSection(prepared, views.length), settingsOf(part)));
    }
    return buildContext(prepared, whole, views.slice(0, shown), maxTextBytes);
  };
}

/** What is the same however many alerts are shown. */
type Whole = Omit<
  Context,
  | keyof ReturnType<typeof digestFields>
  | 'state'
  | 'alerts'
  | 'firing'
  | 'resolved'
  | 'noLongerReported'
  | 'omitted'
  | 'links'
  | 'image'
>;

function wholeGroup(prepared: PreparedGroup, maxTextBytes: number): Whole {
  const { input, words, ordered, ranker } = prepared;
  const { group, channel, severity, marks, now } = input;
  const { newest, counts } = group;
  const cut = (text: string): string => cutToBytes(clean(text), maxTextBytes).text;
  return {
    status: group.status,
    name: cut(prepared.name),
    badge: badgeOf(group, words),
    severity: oneLine(ordered[0]?.alert.labels[severity.label] ?? ''),
    firingCounts: countFiring(ordered, severity.label, ranker, words),
    since: earliest(ordered),
    ...sharedTexts(prepared, cut, maxTextBytes),
    counts,
    truncatedAlerts: group.truncatedAlerts,
    isMixed: isMixed(counts),
    isShort: counts.total > 1 && counts.total <= SHORT_GROUP,
    isLong: counts.total > SHORT_GROUP,
    isTest: newest.isTest,
    isReminder: group.isReminder,
    source: newest.source,
    receiver: cut(newest.receiver),
    channel: channel.name,
    notificationId: group.notificationId,
    notifications: group.notifications,
    now,
    marks,
  };
}

function buildContext(
  prepared: PreparedGroup,
  whole: Whole,
  alerts: readonly AlertView[],
  maxTextBytes: number,
): Context {
  return {
    ...whole,
    state: sharedState(alerts),
    alerts,
    firing: alerts.filter(({ isFiring }) => isFiring),
    resolved: alerts.filter(({ isResolved }) => isResolved),
    noLongerReported: alerts.filter(({ isNoLongerReported }) => isNoLongerReported),
    omitted: whole.counts.total - alerts.length,
    ...digestFields(prepared, alerts, (text) => cutToBytes(clean(text), maxTextBytes).text),
    links: groupLinks(prepared, alerts, maxTextBytes),
    image: alerts.find(({ image }) => image !== '')?.image ?? '',
  };
}

/** When the first of those that fire began to. */
function earliest(ordered: readonly FoldedAlert[]): number | null {
  let since: number | null = null;
  for (const { alert, startedAt } of ordered) {
    if (alert.status === 'resolved' || startedAt === undefined) continue;
    if (since === null || startedAt < since) since = startedAt;
  }
  return since;
}

/** What several alerts have in common, said once. */
function sharedTexts(
  { input, common, commonAnnotations, commonDescription }: PreparedGroup,
  cut: (text: string) => string,
  maxTextBytes: number,
): Pick<Context, 'labels' | 'annotations' | 'groupLabels' | 'commonLabels' | 'description'> {
  const { newest, counts } = input.group;
  const shown = counts.total > 1 ? shownLabels(common, input.severity.label) : [];
  return {
    labels: cutAll(common, cut),
    annotations: cutAll(commonAnnotations, cut),
    groupLabels: cutAll(newest.groupLabels, cut),
    commonLabels: pairsWithin(shown, maxTextBytes),
    description: cut(commonDescription).trim(),
  };
}

/** Firing, resolved and no longer reported alerts stand apart when there is more than one kind. */
function opensSection({ input, ordered, parts }: PreparedGroup, index: number): boolean {
  if (parts.length > 0) return false;
  if (!isMixed(input.group.counts) && !ordered[index]?.isNoLongerReported) return false;
  return index === 0 || kindOf(ordered[index - 1]) !== kindOf(ordered[index]);
}

function kindOf(folded: FoldedAlert | undefined): string {
  return folded?.isNoLongerReported === true ? 'no_longer_reported' : (folded?.alert.status ?? '');
}

function isMixed({ firing, resolved, noLongerReported }: FoldedGroup['counts']): boolean {
  return [firing, resolved, noLongerReported].filter((count) => count > 0).length > 1;
}

function sharedState(views: readonly AlertView[]): string {
  const states = new Set(views.map(({ state }) => state));
  const [only = ''] = states;
  return states.size === 1 ? only : '';
}

function viewSettings(prepared: PreparedGroup, maxTextBytes: number): ViewSettings {
  const { input, words, linkMaker, ranker, name, common, commonDescription } = prepared;
  return {
    words,
    links: linkMaker,
    ranker,
    groupName: name,
    severityLabel: input.severity.label,
    // Alone, an alert has all its labels to itself.
    common: input.group.counts.total > 1 ? common : makeLabels(),
    commonDescription,
    newest: input.group.newest,
    maxTextBytes,
  };
}

/** Of the worst alert that has the link; silence is for all that fire, or not offered. */
function groupLinks(
  { silence, linkMaker, input }: PreparedGroup,
  views: readonly AlertView[],
  maxTextBytes: number,
): Context['links'] {
  const first = (name: keyof AlertLinks): string =>
    views.find(({ links }) => links[name] !== '')?.links[name] ?? '';
  const { externalUrl, format } = input.group.newest;
  return {
    panel: first('panel'),
    dashboard: first('dashboard'),
    rule: first('rule'),
    silence: shortEnough(silence, maxTextBytes),
    runbook: first('runbook'),
    logs: first('logs'),
    list: shortEnough(
      linkMaker.usable(below(externalUrl, format === 'alertmanager' ? '#/alerts' : 'alerting/list')),
      maxTextBytes,
    ),
  };
}

function cutAll(labels: Labels, cut: (text: string) => string): Labels {
  return makeLabels(Object.entries(labels).map(([name, text]) => [name, cut(text)] as const));
}
