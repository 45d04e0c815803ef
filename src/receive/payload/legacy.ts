import { type Alert, type Labels, makeLabels, type Status } from '../../domain/alert.ts';
import { hashParts } from '../../domain/dedup.ts';
import type { Notification } from '../../domain/notification.ts';
import { toStatus } from './coerce.ts';
import { computeFingerprint } from './fingerprint.ts';
import { MAX_ALERTS } from './group.ts';
import { WireLegacy } from './legacy-schema.ts';
import { toLink } from './link.ts';

/** Why a state that is not simply alerting or ok was sent, in the words newer Grafanas put into this annotation. */
const STATE_REASONS: ReadonlyMap<string, string> = new Map([
  ['no_data', 'NoData'],
  ['paused', 'Paused'],
  ['pending', 'Pending'],
  ['unknown', 'Unknown'],
]);

/**
 * Reads the body of a dashboard alert of Grafana 7 and earlier: one rule in one state. `text` is the
 * same body before it was parsed.
 */
export function readLegacy(value: unknown, source: string, text: string): Notification {
  const wire = WireLegacy.parse(value);
  const rule = ruleIdText(wire, text);
  const alerts = readAlerts(wire, rule);
  const link = wire.ruleUrl === '' ? wire.rule_url : wire.ruleUrl;
  return {
    format: 'legacy',
    source,
    org: wire.orgId,
    receiver: '',
    groupKey: rule === '' ? `legacy:${hashParts([wire.ruleName, wire.title])}` : `legacy:${rule}`,
    status: statusOf(wire),
    alerts,
    groupLabels: makeLabels([['alertname', nameOf(wire)]]),
    commonLabels: ruleLabels(wire),
    commonAnnotations: alerts[0]?.annotations ?? makeLabels(),
    externalUrl: toLink(/^(.+?)\/d(?:ashboard)?\//.exec(link)?.[1] ?? '', ''),
    truncatedAlerts: Math.max(0, wire.evalMatches.length - alerts.length),
    title: wire.title,
    appVersion: '',
    isTest: wire.ruleName === 'Test notification' && wire.orgId === '',
    text: '',
  };
}

/** One alert for each series that matched; one for the rule when none did, as when it recovers. */
function readAlerts(wire: WireLegacy, rule: string): Alert[] {
  const matches = wire.evalMatches.length > 0 ? wire.evalMatches.slice(0, MAX_ALERTS) : [undefined];
  const annotations = readAnnotations(wire);
  const link = toLink(wire.ruleUrl === '' ? wire.rule_url : wire.ruleUrl, '');
  return matches.map((match) => {
    const metric = match?.metric ?? '';
    const value = match?.value;
    const labels = makeLabels([
      ...Object.entries(ruleLabels(wire)),
      ...Object.entries(match?.tags ?? {}),
      ...(metric === '' ? [] : ([['metric', metric]] as const)),
    ]);
    return {
      status: statusOf(wire),
      labels,
      annotations,
      startsAt: undefined,
      endsAt: undefined,
      fingerprint: computeFingerprint(labels, makeLabels([['ruleId', rule]])),
      values: value === undefined ? [] : [[metric, value]],
      valueString: '',
      ruleUid: '',
      generatorUrl: link,
      silenceUrl: '',
      dashboardUrl: '',
      panelUrl: /[?&](viewPanel|panelId)=/.test(link) ? link : '',
      imageUrl: toLink(wire.imageUrl === '' ? wire.image_url : wire.imageUrl, ''),
    };
  });
}

/**
 * `ok` ends an alert, and so does `paused`: nobody evaluates the rule any more, and nothing later would
 * end it. Whatever we do not know fires, since only hiding it would be dangerous.
 */
function statusOf(wire: WireLegacy): Status {
  return toStatus(wire.state) ?? 'firing';
}

function nameOf(wire: WireLegacy): string {
  return wire.ruleName === '' ? wire.title : wire.ruleName;
}

function ruleLabels(wire: WireLegacy): Labels {
  return makeLabels([['alertname', nameOf(wire)], ...Object.entries(wire.tags)]);
}

function readAnnotations(wire: WireLegacy): Labels {
  const reason = STATE_REASONS.get(wire.state);
  const pairs: (readonly [string, string])[] = [];
  if (wire.message !== '') pairs.push(['summary', wire.message]);
  if (reason !== undefined) pairs.push(['grafana_state_reason', reason]);
  return makeLabels(pairs);
}

/** The rule's id in its own digits: the test button sends random ones above 2^53, which parsing rounds. */
function ruleIdText(wire: WireLegacy, text: string): string {
  if (typeof wire.ruleId !== 'number' || Number.isSafeInteger(wire.ruleId)) return String(wire.ruleId);
  return /"ruleId"\s*:\s*(-?\d+)/.exec(text)?.[1] ?? String(wire.ruleId);
}
