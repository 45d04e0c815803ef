import { type Alert, type Labels, makeLabels, type Status } from '../../domain/alert.ts';
import { hashParts } from '../../domain/dedup.ts';
import type { Notification } from '../../domain/notification.ts';
import { isObject, toText } from './coerce.ts';
import { sortedPairs, withFingerprints } from './fingerprint.ts';
import { toLink } from './link.ts';
import { WireAlert, WireGroup } from './schema.ts';

/**
 * Alerts read of one body; the rest is counted as truncated. The longest body we read holds about 6,000
 * real ones: more can only be empty shells, and each costs more to carry than its bytes.
 */
export const MAX_ALERTS = 20_000;

/** Turns an alert as every sender writes it into what one of them means by it. */
export type Refine = (alert: Alert) => Alert;

/** Reads the body around `alerts[]`, common to Grafana, Alertmanager and those who copy them; undefined when no alert is in it. */
export function readGroup(
  value: unknown,
  source: string,
  format: 'grafana' | 'alertmanager',
  refine: Refine,
): Notification | undefined {
  const group = WireGroup.parse(value);
  const items = group.alerts.filter((item) => item !== null);
  if (items.length === 0) return undefined;
  const root = toLink(group.externalURL, '');
  const wires = items.slice(0, MAX_ALERTS).map((item) => WireAlert.parse(asAlert(item)));
  const alerts = withFingerprints(wires.map((wire) => refine(readAlert(wire, group.status, root))));
  return {
    format,
    source,
    org: group.orgId === '' ? agreedOn(wires.map((wire) => wire.orgId)) : group.orgId,
    receiver: unescapeRegexp(group.receiver),
    groupKey: group.groupKey === '' ? computeGroupKey(group, alerts) : group.groupKey,
    status: alerts.some((alert) => alert.status === 'firing') ? 'firing' : 'resolved',
    alerts,
    groupLabels: group.groupLabels,
    commonLabels: group.commonLabels ?? intersect(alerts.map((alert) => alert.labels)),
    commonAnnotations: group.commonAnnotations ?? intersect(alerts.map((alert) => alert.annotations)),
    externalUrl: root,
    truncatedAlerts: group.truncatedAlerts + items.length - alerts.length,
    title: group.title,
    appVersion: group.appVersion,
    isTest: isTest(group, alerts),
    text: '',
  };
}

/** The one value that all share; '' when they differ or there is none. */
export function agreedOn(values: readonly string[]): string {
  const [first = ''] = values;
  return values.every((value) => value === first) ? first : '';
}

/** An item that is no object still says something: it becomes the summary of an alert. */
function asAlert(item: unknown): unknown {
  return isObject(item) ? item : { annotations: { summary: toText(item) } };
}

/** An alert without a status of its own has that of its group; without either it fires. */
function readAlert(wire: WireAlert, groupStatus: Status | undefined, root: string): Alert {
  const status = wire.status ?? groupStatus ?? 'firing';
  const link = (sent: string) => toLink(sent, root);
  return {
    status,
    labels: wire.labels,
    annotations: wire.annotations,
    startsAt: wire.startsAt,
    endsAt: status === 'firing' ? undefined : wire.endsAt,
    fingerprint: wire.fingerprint,
    values: wire.values,
    valueString: wire.valueString,
    ruleUid: wire.ruleUID,
    generatorUrl: link(wire.generatorURL),
    silenceUrl: link(wire.silenceURL),
    dashboardUrl: link(wire.dashboardURL),
    panelUrl: link(wire.panelURL),
    imageUrl: link(wire.imageURL),
  };
}

/** Undoes Go's `regexp.QuoteMeta`, through which both senders put the receiver's name. */
function unescapeRegexp(name: string): string {
  return name.replace(/\\([\\.+*?()|[\]{}^$])/g, '$1');
}

/**
 * A key for senders that name no group. Without group labels only the set of alerts tells groups
 * apart: one shared key would let unrelated alerts push each other off the card.
 */
function computeGroupKey(group: WireGroup, alerts: readonly Alert[]): string {
  const labels = sortedPairs(group.groupLabels);
  if (labels.length > 0) return `labels:${hashParts(labels)}`;
  return `alerts:${hashParts(alerts.map((alert) => hashParts(sortedPairs(alert.labels))).sort())}`;
}

/** Grafana's test button: no header says so, but no real group key of that alert name looks like its. */
function isTest(group: WireGroup, alerts: readonly Alert[]): boolean {
  return (
    group.groupKey !== '' &&
    !group.groupKey.startsWith('{}') &&
    alerts.every((alert) => alert.labels.alertname === 'TestAlert')
  );
}

function intersect(maps: readonly Labels[]): Labels {
  const [first = {}, ...others] = maps;
  return makeLabels(
    Object.entries(first).filter(([name, value]) => others.every((other) => other[name] === value)),
  );
}
