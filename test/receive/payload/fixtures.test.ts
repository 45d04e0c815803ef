import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Format, Notification } from '../../../src/domain/notification.ts';
import { parseNotification } from '../../../src/receive/payload/parse.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/grafana');
const bodies = readdirSync(FIXTURES).filter((file) => file !== 'README.md' && file !== 'hmac-vectors.json');

function parse(file: string): Notification {
  return parseNotification(readFileSync(join(FIXTURES, file)), { source: 'grafana', id: 'ntf_1' });
}

/** file: format, firing, resolved, receiver, org, truncated, whether it is a test */
type Row = [Format, number, number, string, string, number, 'test' | ''];
const OPS = 'ops-webhook';
const EXPECTED: Record<string, Row> = {
  'alertmanager-v4-0.34-mixed.json': ['alertmanager', 1, 1, OPS, '', 0, ''],
  'alertmanager-v4-firing.json': ['alertmanager', 2, 0, OPS, '', 0, ''],
  'alertmanager-v4-relayed-from-grafana.json': ['alertmanager', 1, 0, OPS, '1', 0, ''],
  'alertmanager-v4-resolved.json': ['alertmanager', 0, 1, OPS, '', 0, ''],
  'legacy-v7-alerting.json': ['legacy', 2, 0, '', '1', 0, ''],
  'legacy-v7-no-data.json': ['legacy', 1, 0, '', '1', 0, ''],
  'legacy-v7-null-value.json': ['legacy', 1, 0, '', '1', 0, ''],
  'legacy-v7-ok.json': ['legacy', 0, 1, '', '1', 0, ''],
  'legacy-v7-test-button.json': ['legacy', 2, 0, '', '', 0, 'test'],
  'v11-test-button.json': ['grafana', 1, 0, 'test', '1', 0, 'test'],
  'v11.5-firing-single.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v12-custom-payload-array.json': ['unreadable', 0, 0, '', '', 0, ''],
  'v12-custom-payload-broken.txt': ['unreadable', 0, 0, '', '', 0, ''],
  'v12-custom-payload-default-template-test-button.json': ['grafana', 1, 0, 'webhook', '', 0, 'test'],
  'v12-custom-payload-default-template.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v12-custom-payload-minimal.json': ['unreadable', 0, 0, '', '', 0, ''],
  'v12-custom-payload-not-json.txt': ['unreadable', 0, 0, '', '', 0, ''],
  'v12-test-button-sample-alert.json': ['grafana', 1, 0, 'test', '1', 0, 'test'],
  'v12.0-firing-single.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v12.3-enrichments.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-datasource-error-no-details.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-datasource-error-values-minus-one.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-datasource-error.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-datasource-nodata.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-direct-contact-point.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-firing-single.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-group-120.json': ['grafana', 120, 0, OPS, '1', 0, ''],
  'v13-ha-duplicate-replica-a.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-ha-duplicate-replica-b.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-image-url.json': ['grafana', 2, 0, OPS, '1', 0, ''],
  'v13-mixed-firing-resolved-5.json': ['grafana', 3, 2, OPS, '1', 0, ''],
  'v13-multiline-markdown-emoji-chinese.json': ['grafana', 1, 0, '值班群 webhook', '1', 0, ''],
  'v13-nodata-as-alerting-minus-one.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-receiver-regexp-escaped.json': ['grafana', 1, 0, 'ops.webhook (prod) [eu]', '1', 0, ''],
  'v13-resolved-missing-series.json': ['grafana', 0, 1, OPS, '1', 0, ''],
  'v13-resolved-single.json': ['grafana', 0, 1, OPS, '1', 0, ''],
  'v13-resolved-startsat-equals-endsat.json': ['grafana', 0, 1, OPS, '1', 0, ''],
  'v13-test-button.json': ['grafana', 1, 0, 'webhook', '1', 0, 'test'],
  'v13-truncated-35-of-40.json': ['grafana', 5, 0, OPS, '1', 35, ''],
  'v13-truncated-hides-firing.json': ['grafana', 0, 3, OPS, '1', 9, ''],
  'v13-ungrouped.json': ['grafana', 2, 0, OPS, '1', 0, ''],
  'v13-values-classic-condition.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v13-values-null-nan.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v8.3-firing-single.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v9-test-button.json': ['grafana', 1, 0, '', '1', 0, 'test'],
  'v9.0-firing-image.json': ['grafana', 1, 0, OPS, '1', 0, ''],
  'v9.4-firing-single.json': ['grafana', 1, 0, OPS, '1', 0, ''],
};

describe('the sample bodies', () => {
  it.each(bodies)('%s is read as what it is', (file) => {
    const notification = parse(file);

    const countOf = (status: string) => notification.alerts.filter((alert) => alert.status === status).length;
    expect([
      notification.format,
      countOf('firing'),
      countOf('resolved'),
      notification.receiver,
      notification.org,
      notification.truncatedAlerts,
      notification.isTest ? 'test' : '',
    ]).toEqual(EXPECTED[file]);
    expect(notification.status).toBe(
      countOf('firing') > 0 || notification.alerts.length === 0 ? 'firing' : 'resolved',
    );
  });

  it.each(bodies)('%s says the same when it is read again as the format it was stored with', (file) => {
    const first = parse(file);
    const body = readFileSync(join(FIXTURES, file));

    const again = parseNotification(body, { source: 'grafana', id: 'ntf_1', format: first.format });

    expect(again).toEqual(first);
  });

  it('of Grafana 13 gives every field of an alert', () => {
    const [alert] = parse('v13-firing-single.json').alerts;

    expect(alert).toMatchObject({
      status: 'firing',
      startsAt: Date.parse('2026-03-02T08:20:30Z'),
      endsAt: undefined,
      fingerprint: 'f609afd079acfa36',
      values: [
        ['B', 12.5],
        ['C', 1],
      ],
      ruleUid: 'cfq7m2x9k1a0bc',
      generatorUrl: 'https://grafana.example.com/alerting/grafana/cfq7m2x9k1a0bc/view?orgId=1',
      imageUrl: '',
    });
    expect(alert?.labels.team).toBe('payments');
    expect(alert?.silenceUrl).toMatch(/^https:\/\/grafana\.example\.com\/alerting\/silence\/new\?/);
    expect(alert?.panelUrl).toMatch(/viewPanel=12$/);
    expect(parse('v13-firing-single.json')).toMatchObject({
      groupKey: '{}:{alertname="API error rate high", grafana_folder="Checkout"}',
      externalUrl: 'https://grafana.example.com/',
      appVersion: '13.2.1',
      text: '',
    });
  });

  it('that a pair of Grafanas sends agree in identity', () => {
    const pair = ['a', 'b'].map((replica) => parse(`v13-ha-duplicate-replica-${replica}.json`));

    const identities = pair.map(({ groupKey, alerts }) => [
      groupKey,
      alerts.map((alert) => alert.fingerprint),
    ]);

    expect(identities[1]).toEqual(identities[0]);
    expect(pair[1]?.alerts[0]?.startsAt).not.toBe(pair[0]?.alerts[0]?.startsAt);
  });

  it('relayed by Alertmanager give up their private keys as fields', () => {
    const notification = parse('alertmanager-v4-relayed-from-grafana.json');

    const [alert] = notification.alerts;
    expect(alert).toMatchObject({
      ruleUid: 'cfq7m2x9k1a0bc',
      values: [
        ['B', 12.5],
        ['C', 1],
      ],
      valueString: "[ var='B' labels={instance=api-1.example.com:8080} value=12.5 ]",
      dashboardUrl: 'https://grafana.example.com/d/a1b2c3d4checkout?orgId=1',
      panelUrl: 'https://grafana.example.com/d/a1b2c3d4checkout?orgId=1&viewPanel=12',
    });
    const keys = [
      alert?.labels,
      alert?.annotations,
      notification.commonLabels,
      notification.commonAnnotations,
    ];
    expect(keys.flatMap((labels) => Object.keys(labels ?? {})).filter((key) => key.startsWith('__'))).toEqual(
      [],
    );
  });

  it('with a link relative to the root have it resolved', () => {
    const [alert] = parse('v12-test-button-sample-alert.json').alerts;

    expect(alert?.generatorUrl).toBe('https://grafana.example.com/?orgId=1');
  });

  it('of Grafana 7 become one alert for each series', () => {
    const notification = parse('legacy-v7-alerting.json');

    expect(notification.alerts.map(({ labels }) => ({ ...labels }))).toEqual([
      {
        alertname: 'Disk usage alert',
        severity: 'critical',
        team: 'dba',
        host: 'db-01.example.com',
        metric: 'disk_used_percent {host: db-01.example.com}',
      },
      {
        alertname: 'Disk usage alert',
        severity: 'critical',
        team: 'dba',
        host: 'db-02.example.com',
        metric: 'disk_used_percent {host: db-02.example.com}',
      },
    ]);
    expect(notification.alerts.map(({ values }) => values[0]?.[1])).toEqual([93.4, 88.1]);
    expect(new Set(notification.alerts.map(({ fingerprint }) => fingerprint)).size).toBe(2);
    expect(notification).toMatchObject({ groupKey: 'legacy:23', externalUrl: 'https://grafana.example.com' });
  });

  it('of Grafana 7 without data say why they fire', () => {
    const [alert] = parse('legacy-v7-no-data.json').alerts;

    expect(alert?.annotations.grafana_state_reason).toBe('NoData');
    expect(parse('legacy-v7-null-value.json').alerts[0]?.values).toEqual([]);
  });

  it('of Grafana 7 keep the digits of a rule id that no number holds', () => {
    expect(parse('legacy-v7-test-button.json').groupKey).toBe('legacy:7533874832689366674');
  });
});
