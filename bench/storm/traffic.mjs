/** What Grafana sends in the storm: the same notifications every time, from a small seeded generator. */

const GROUPS = 400;
const NOTIFICATIONS = 10_000;
const STORM_MS = 5 * 60_000;
const GRAFANA = 'https://grafana.example.com';
/** Of twenty groups one is critical, four are errors, ten warnings, five information. */
const SEVERITIES = [
  'critical',
  ...Array(4).fill('error'),
  ...Array(10).fill('warning'),
  ...Array(5).fill('info'),
];

/** `{ at, severity, body }` by time: every group flushes 25 times, its alerts firing and resolving. */
export function stormTraffic(startAt) {
  const random = generator(7);
  const all = [];
  for (let group = 0; group < GROUPS; group += 1) {
    const severity = SEVERITIES[(group * 7) % SEVERITIES.length];
    const states = Array.from({ length: 1 + Math.floor(random() * 8) }, () => ({ since: 0, isFiring: true }));
    const everyMs = STORM_MS / (NOTIFICATIONS / GROUPS);
    const firstMs = random() * everyMs;
    for (let flush = 0; flush < NOTIFICATIONS / GROUPS; flush += 1) {
      const at = Math.floor(startAt + firstMs + flush * everyMs);
      for (const state of states) {
        if (flush === 0) state.since = at;
        else if (random() < 0.15) Object.assign(state, { isFiring: !state.isFiring, since: at });
      }
      all.push({ at, severity, body: bodyOf(group, severity, states, at) });
    }
  }
  return all.sort((a, b) => a.at - b.at);
}

function bodyOf(group, severity, states, at) {
  const alertname = `Rule ${group}`;
  const alerts = states.map(({ isFiring, since }, index) => ({
    status: isFiring ? 'firing' : 'resolved',
    labels: { alertname, severity, service: `service-${group % 40}`, pod: `pod-${index}` },
    annotations: { summary: `${alertname}: latency of service-${group % 40} is high on pod-${index}` },
    startsAt: new Date(isFiring ? since : since - 60_000).toISOString(),
    endsAt: isFiring ? '0001-01-01T00:00:00Z' : new Date(since).toISOString(),
    fingerprint: `${group.toString(16).padStart(8, '0')}${index.toString(16).padStart(8, '0')}`,
    values: { B: 1 + (at % 100) },
    generatorURL: `${GRAFANA}/alerting/grafana/rule-${group}/view`,
    panelURL: `${GRAFANA}/d/board?viewPanel=${group}`,
    silenceURL: `${GRAFANA}/alerting/silence/new?alertname=${group}`,
    dashboardURL: `${GRAFANA}/d/board`,
  }));
  const status = states.some(({ isFiring }) => isFiring) ? 'firing' : 'resolved';
  const groupKey = `{}:{alertname="${alertname}"}`;
  const text = JSON.stringify({
    receiver: 'storm',
    status,
    orgId: 1,
    alerts,
    groupLabels: { alertname },
    commonLabels: { alertname, severity },
    commonAnnotations: {},
    externalURL: `${GRAFANA}/`,
    appVersion: '13.2.1',
    version: '1',
    groupKey,
    truncatedAlerts: 0,
    title: alertname,
    state: status === 'firing' ? 'alerting' : 'ok',
    message: '',
  });
  return Buffer.from(text);
}

/** mulberry32: numbers in [0, 1), the same ones for the same seed. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
