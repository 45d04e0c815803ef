import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Alert, type Labels, makeLabels } from '../../src/domain/alert.ts';
import type { Format, Notification } from '../../src/domain/notification.ts';

/**
 * Reads a body into a notification for tests of rendering. A small stand-in that knows the shapes of
 * the fixtures only: `receive/` has the real parser, with its own tests.
 */
function notificationFrom(body: string, source = 'grafana'): Notification {
  const value = parse(body);
  if (!isRecord(value)) return textNotification('unreadable', body, source);
  if (Array.isArray(value.alerts) && value.alerts.length > 0) return grouped(value, source);
  if (typeof value.ruleName === 'string') return legacy(value, source);
  return textNotification('unreadable', body, source);
}

const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');

/** A fixture by its file name without ending. */
export function fixture(name: string): Notification {
  const file = name.includes('.txt') ? name : `${name}.json`;
  return notificationFrom(readFileSync(join(FIXTURES, file), 'utf8'));
}

/** A notification that is only text: unreadable, a stub or a notice. */
export function textNotification(format: Format, text: string, source = 'grafana'): Notification {
  return { ...EMPTY, format, source, text };
}

type Fields = Readonly<Record<string, unknown>>;

const EMPTY: Notification = {
  format: 'grafana',
  source: 'grafana',
  org: '',
  receiver: '',
  groupKey: '',
  status: 'firing',
  alerts: [],
  groupLabels: makeLabels(),
  commonLabels: makeLabels(),
  commonAnnotations: makeLabels(),
  externalUrl: '',
  truncatedAlerts: 0,
  title: '',
  appVersion: '',
  isTest: false,
  text: '',
};

function grouped(fields: Fields, source: string): Notification {
  const alerts = records(fields.alerts).map(alertOf);
  const groupKey = text(fields.groupKey);
  return {
    ...EMPTY,
    format: fields.version === '4' ? 'alertmanager' : 'grafana',
    source,
    org: fields.orgId === undefined || fields.orgId === null ? '' : String(fields.orgId),
    receiver: text(fields.receiver).replace(/\\(.)/gu, '$1'),
    groupKey,
    status: fields.status === 'resolved' ? 'resolved' : 'firing',
    alerts,
    groupLabels: labels(fields.groupLabels),
    commonLabels: labels(fields.commonLabels),
    commonAnnotations: labels(fields.commonAnnotations),
    externalUrl: text(fields.externalURL),
    truncatedAlerts: Number(fields.truncatedAlerts ?? 0),
    title: text(fields.title),
    appVersion: text(fields.appVersion),
    isTest: alerts[0]?.labels.alertname === 'TestAlert' && !groupKey.startsWith('{}'),
  };
}

function alertOf(fields: Fields): Alert {
  return {
    status: fields.status === 'resolved' ? 'resolved' : 'firing',
    labels: labels(fields.labels),
    annotations: labels(fields.annotations),
    startsAt: instant(fields.startsAt),
    endsAt: instant(fields.endsAt),
    fingerprint: text(fields.fingerprint),
    values: isRecord(fields.values)
      ? Object.entries(fields.values).map(([name, value]) => [name, Number(value)] as const)
      : [],
    valueString: text(fields.valueString),
    ruleUid: text(fields.ruleUID),
    generatorUrl: link(fields.generatorURL),
    silenceUrl: link(fields.silenceURL),
    dashboardUrl: link(fields.dashboardURL),
    panelUrl: link(fields.panelURL),
    imageUrl: link(fields.imageURL),
  };
}

function legacy(fields: Fields, source: string): Notification {
  const status = fields.state === 'ok' ? 'resolved' : 'firing';
  const matches = records(fields.evalMatches);
  const alert: Alert = {
    status,
    labels: makeLabels([...Object.entries(labels(fields.tags)), ['alertname', text(fields.ruleName)]]),
    annotations: makeLabels(fields.message === undefined ? [] : [['message', text(fields.message)]]),
    startsAt: undefined,
    endsAt: undefined,
    fingerprint: `rule-${String(fields.ruleId)}`,
    values: matches
      .filter(({ value }) => typeof value === 'number')
      .map(({ metric, value }) => [text(metric), Number(value)] as const),
    valueString: '',
    ruleUid: '',
    generatorUrl: link(fields.ruleUrl),
    silenceUrl: '',
    dashboardUrl: '',
    panelUrl: link(fields.ruleUrl),
    imageUrl: link(fields.imageUrl),
  };
  return { ...EMPTY, format: 'legacy', source, status, alerts: [alert], title: text(fields.title) };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function records(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function labels(value: unknown): Labels {
  if (!isRecord(value)) return makeLabels();
  return makeLabels(Object.entries(value).map(([name, each]) => [name, String(each)] as const));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function link(value: unknown): string {
  return /^https?:\/\//u.test(text(value)) ? text(value) : '';
}

/** Grafana's year 1 means "not over". */
function instant(value: unknown): number | undefined {
  const at = Date.parse(text(value));
  return Number.isNaN(at) || at < 0 ? undefined : at;
}
