/** One scene: what happens, and the body Grafana posts about it. */
export interface Scene {
  readonly words: string;
  readonly body: string;
}

const GRAFANA = 'https://grafana.example.com';
const RULE_UID = 'demo-error-rate';
const GROUP_LABELS = { alertname: 'API error rate high', grafana_folder: 'Checkout' };
const YEAR_ONE = '0001-01-01T00:00:00Z';

interface Instance {
  readonly name: string;
  /** Percent of failed requests. */
  readonly rate: number;
  readonly startsAt: number;
  /** undefined: still firing. */
  readonly endsAt: number | undefined;
}

/** The story of one outage: an alert fires, two more join, all are over. `now` is its beginning, epoch ms. */
export function tellStory(now: number): readonly Scene[] {
  const firing = (name: string, rate: number, afterMs: number): Instance => ({
    name,
    rate,
    startsAt: now + afterMs,
    endsAt: undefined,
  });
  const first = firing('api-1', 12.5, -120_000);
  const more = [first, firing('api-2', 18, -60_000), firing('api-3', 31.25, -30_000)];
  return [
    { words: 'Requests to api-1 begin to fail: one alert fires.', body: payload([first]) },
    { words: 'It spreads: api-2 and api-3 fire too.', body: payload(more) },
    {
      words: 'The cause is found: all three are resolved.',
      body: payload(more.map((instance) => ({ ...instance, endsAt: now }))),
    },
  ];
}

function payload(instances: readonly Instance[]): string {
  const isFiring = instances.some((instance) => instance.endsAt === undefined);
  const status = isFiring ? 'firing' : 'resolved';
  const common = { ...GROUP_LABELS, severity: 'critical', team: 'payments' };
  return JSON.stringify({
    receiver: 'demo',
    status,
    alerts: instances.map(alert),
    groupLabels: GROUP_LABELS,
    commonLabels: common,
    commonAnnotations: {},
    externalURL: `${GRAFANA}/`,
    appVersion: '13.2.1',
    version: '1',
    groupKey: '{}:{alertname="API error rate high", grafana_folder="Checkout"}',
    truncatedAlerts: 0,
    orgId: 1,
    title: `[${status.toUpperCase()}:${instances.length}] API error rate high Checkout`,
    state: isFiring ? 'alerting' : 'ok',
    message: '',
  });
}

function alert({ name, rate, startsAt, endsAt }: Instance): object {
  const instance = `${name}.example.com:8080`;
  return {
    status: endsAt === undefined ? 'firing' : 'resolved',
    labels: { ...GROUP_LABELS, instance, severity: 'critical', team: 'payments' },
    annotations: {
      summary: `${rate}% of requests to ${name} fail`,
      description: 'More than 5% of requests failed during the last 5 minutes.',
      runbook_url: 'https://runbooks.example.com/checkout/error-rate',
    },
    startsAt: new Date(startsAt).toISOString(),
    endsAt: endsAt === undefined ? YEAR_ONE : new Date(endsAt).toISOString(),
    generatorURL: `${GRAFANA}/alerting/grafana/${RULE_UID}/view?orgId=1`,
    fingerprint: `demo-${name}`,
    silenceURL: `${GRAFANA}/alerting/silence/new?alertmanager=grafana&matcher=instance%3D${name}&orgId=1`,
    dashboardURL: `${GRAFANA}/d/checkout?orgId=1`,
    panelURL: `${GRAFANA}/d/checkout?orgId=1&viewPanel=12`,
    ruleUID: RULE_UID,
    values: { B: rate, C: 1 },
    valueString: `[ var='B' labels={instance=${instance}} value=${rate} ]`,
    orgId: 1,
  };
}
