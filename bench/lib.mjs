/** What every bench script shares: statistics, the form of a result, and sample data. No work at import. */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The middle of the values; the mean of the two middle ones for an even count. */
export function median(values) {
  return percentile(values, 50);
}

/** The p-th percentile (0-100), interpolated between the two values around it. */
export function percentile(values, p) {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  const position = ((sorted.length - 1) * p) / 100;
  const low = Math.floor(position);
  const high = Math.ceil(position);
  return sorted[low] + (sorted[high] - sorted[low]) * (position - low);
}

/**
 * One measured row. `value` and `target` share `unit`; `isAtMost` says on which side of the target the value must lie.
 * @typedef {{ name: string, value: number, unit: string, target?: number, isAtMost?: boolean }} Row
 */

/** A value that must not be above `target`. */
export function atMost(name, value, unit, target) {
  return { name, value, unit, target, isAtMost: true };
}

/** A value that must not be below `target`. */
export function atLeast(name, value, unit, target) {
  return { name, value, unit, target, isAtMost: false };
}

/** A value for orientation, or the baseline of another. */
export function plain(name, value, unit) {
  return { name, value, unit };
}

/** Whether a row holds its figure; rows without a figure always do. */
export function holds(row) {
  if (row.target === undefined) return true;
  return row.isAtMost ? row.value <= row.target : row.value >= row.target;
}

/** Rows of several runs of one script as one row each: the median, with the lowest and highest beside it. */
export function summarize(runs) {
  const names = runs[0]?.map((row) => row.name) ?? [];
  return names.map((name) => {
    const rows = runs.flatMap((run) => run.filter((row) => row.name === name));
    const values = rows.map((row) => row.value);
    return { ...rows[0], value: median(values), lowest: Math.min(...values), highest: Math.max(...values) };
  });
}

/** Lines of a table with aligned columns; the first row is its head. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? String(cell).padEnd(widths[column]) : String(cell).padStart(widths[column]),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** Three significant digits: more would claim more than a run can know. */
export function round(value) {
  if (!Number.isFinite(value)) return String(value);
  return Math.abs(value) >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

/** Prints what `run.mjs` reads: one line of JSON, last on standard output. */
export function report(rows) {
  process.stdout.write(`${JSON.stringify({ rows })}\n`);
}

/** A folder on the disk that holds the system's temporary files; removed by `remove`. BENCH_DIR names another disk. */
export function temporaryFolder() {
  const path = mkdtempSync(join(process.env.BENCH_DIR ?? tmpdir(), 'alertcard-bench-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export const HMAC_SECRET = 'bench-hmac-secret';

/** Headers as Grafana sends them for this body now. */
export function signedHeaders(body) {
  const timestamp = String(Math.floor(Date.now() / 1000));
  return {
    'content-type': 'application/json',
    'x-grafana-alerting-timestamp': timestamp,
    'x-grafana-alerting-signature': createHmac('sha256', HMAC_SECRET)
      .update(`${timestamp}:`)
      .update(body)
      .digest('hex'),
  };
}

/** Stands for the group's number in a body; as long as every number is written. */
const PLACEHOLDER = 'bench##########';

/** The name of an alert group: letters and digits only, so that it looks the same in every markdown. */
export function groupName(index) {
  return `bench${String(index).padStart(PLACEHOLDER.length - 'bench'.length, '0')}`;
}

/** The number of the alert group a message tells of. */
export const GROUP_NUMBER = /bench(?<index>\d{10})/;

/** Makes bodies of Grafana's shape quickly: all alike but for the group they tell of, `alerts` firing alerts in each. */
export function bodyMaker(alerts = 1) {
  const parts = templateText(alerts).split(PLACEHOLDER);
  return (index) => Buffer.from(parts.join(groupName(index)));
}

function templateText(alerts) {
  const label = PLACEHOLDER;
  const items = Array.from({ length: alerts }, (_, position) => alertOf(label, position));
  return JSON.stringify({
    receiver: 'bench',
    status: 'firing',
    alerts: items,
    groupLabels: { alertname: label },
    commonLabels: { alertname: label },
    commonAnnotations: {},
    externalURL: 'https://grafana.example.com/',
    appVersion: '13.2.1',
    version: '1',
    groupKey: `{}:{alertname="${label}"}`,
    truncatedAlerts: 0,
    orgId: 1,
    title: `[FIRING:${alerts}] ${label}`,
    state: 'alerting',
    message: `**Firing**\n\n${label}`,
  });
}

function alertOf(alertname, position) {
  const link = `https://grafana.example.com/d/bench?orgId=1&viewPanel=${position}`;
  return {
    status: 'firing',
    labels: {
      alertname,
      grafana_folder: 'bench',
      instance: `host-${position}.example.com:9100`,
      severity: position % 3 === 0 ? 'critical' : 'warning',
      team: 'payments',
    },
    annotations: {
      summary: `CPU of host-${position} is above 90 % <b>& rising</b>`,
      description: 'Measured over five minutes; see the runbook before restarting anything.',
      runbook_url: 'https://runbooks.example.com/cpu',
    },
    startsAt: '2026-03-02T08:20:00Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'https://grafana.example.com/alerting/grafana/bench/view?orgId=1',
    fingerprint: fingerprintOf(alertname, position),
    silenceURL: 'https://grafana.example.com/alerting/silence/new?alertmanager=grafana&orgId=1',
    dashboardURL: link,
    panelURL: link,
    ruleUID: 'bench',
    values: { A: 91.25 + position, C: 1 },
    valueString: `[ var='A' labels={instance=host-${position}} value=${91.25 + position} ]`,
    orgId: 1,
  };
}

function fingerprintOf(alertname, position) {
  return createHmac('sha256', alertname).update(String(position)).digest('hex').slice(0, 16);
}
