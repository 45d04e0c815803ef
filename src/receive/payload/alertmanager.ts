import { type Alert, type Labels, makeLabels } from '../../domain/alert.ts';
import type { Notification } from '../../domain/notification.ts';
import { toValues } from './coerce.ts';
import { agreedOn, readGroup } from './group.ts';

/**
 * Reads the body of Alertmanager. Alerts that Grafana relays through it still carry the private keys
 * (`__values__`, `__alert_rule_uid__` …) that Grafana's own webhook turns into fields: they become
 * fields here, and are not shown as labels.
 */
export function readAlertmanager(value: unknown, source: string): Notification | undefined {
  const orgs: string[] = [];
  const notification = readGroup(value, source, 'alertmanager', (alert) => {
    orgs.push(alert.annotations.__orgId__ ?? '');
    return liftPrivate(alert);
  });
  if (notification === undefined) return undefined;
  return {
    ...notification,
    org: notification.org === '' ? agreedOn(orgs) : notification.org,
    groupLabels: withoutPrivate(notification.groupLabels),
    commonLabels: withoutPrivate(notification.commonLabels),
    commonAnnotations: withoutPrivate(notification.commonAnnotations),
  };
}

function liftPrivate(alert: Alert): Alert {
  const { labels, annotations } = alert;
  const ruleUid = alert.ruleUid === '' ? (labels.__alert_rule_uid__ ?? '') : alert.ruleUid;
  const dashboard = dashboardLink(alert.generatorUrl, annotations);
  const panelId = annotations.__panelId__ ?? '';
  return {
    ...alert,
    labels: withoutPrivate(labels),
    annotations: withoutPrivate(annotations),
    values: alert.values.length > 0 ? alert.values : parseValues(annotations.__values__ ?? ''),
    valueString: alert.valueString === '' ? (annotations.__value_string__ ?? '') : alert.valueString,
    ruleUid,
    dashboardUrl: alert.dashboardUrl === '' ? dashboard : alert.dashboardUrl,
    panelUrl:
      alert.panelUrl === '' && dashboard !== '' && panelId !== ''
        ? `${dashboard}${dashboard.includes('?') ? '&' : '?'}viewPanel=${encodeURIComponent(panelId)}`
        : alert.panelUrl,
  };
}

/** A dashboard's link under the Grafana that the rule's own link names; '' when either is unknown. */
function dashboardLink(generatorUrl: string, annotations: Labels): string {
  const uid = annotations.__dashboardUid__ ?? '';
  const root = /^(https?:\/\/.+?)\/alerting\//i.exec(generatorUrl)?.[1];
  if (uid === '' || root === undefined) return '';
  const org = annotations.__orgId__ ?? '';
  const query = org === '' ? '' : `?orgId=${encodeURIComponent(org)}`;
  return `${root}/d/${encodeURIComponent(uid)}${query}`;
}

function parseValues(json: string): Alert['values'] {
  try {
    return toValues(JSON.parse(json));
  } catch {
    return [];
  }
}

/** Drops the keys Grafana and Alertmanager keep for themselves: two underscores at both ends. */
function withoutPrivate(labels: Labels): Labels {
  return makeLabels(Object.entries(labels).filter(([name]) => !/^__.*__$/s.test(name)));
}
