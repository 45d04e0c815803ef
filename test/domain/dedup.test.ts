import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Alert, makeLabels, type Status } from '../../src/domain/alert.ts';
import { dedupKey, groupHash, hashParts, replayKey, scopeHash } from '../../src/domain/dedup.ts';
import type { Notification } from '../../src/domain/notification.ts';

function makeAlert(fingerprint: string, status: Status): Alert {
  return {
    status,
    labels: makeLabels([['alertname', 'X']]),
    annotations: makeLabels(),
    startsAt: 1_772_439_630_000,
    endsAt: undefined,
    fingerprint,
    values: [['B', 12.5]],
    valueString: 'B=12.5',
    ruleUid: '',
    generatorUrl: '',
    silenceUrl: '',
    dashboardUrl: '',
    panelUrl: '',
    imageUrl: '',
  };
}

function makeNotification(change: Partial<Notification> = {}): Notification {
  return {
    format: 'grafana',
    source: 'grafana',
    org: '1',
    receiver: 'ops',
    groupKey: '{}:{alertname="X"}',
    status: 'firing',
    alerts: [makeAlert('aaaa', 'firing'), makeAlert('bbbb', 'resolved')],
    groupLabels: makeLabels(),
    commonLabels: makeLabels(),
    commonAnnotations: makeLabels(),
    externalUrl: '',
    truncatedAlerts: 0,
    title: 'X',
    appVersion: '',
    isTest: false,
    text: '',
    ...change,
  };
}

const alertList = fc
  .uniqueArray(fc.string({ unit: fc.constantFrom(...'0123456789abcdef') }), { minLength: 1, maxLength: 12 })
  .chain((fingerprints) =>
    fc.tuple(
      ...fingerprints.map((fingerprint) =>
        fc.constantFrom<Status>('firing', 'resolved').map((status) => makeAlert(fingerprint, status)),
      ),
    ),
  );

describe('the dedup key', () => {
  it('stays the same whatever order the alerts come in', () => {
    fc.assert(
      fc.property(alertList, fc.infiniteStream(fc.nat()), (alerts, random) => {
        const shuffled = alerts
          .map((alert) => ({ alert, at: random.next().value }))
          .sort((left, right) => left.at - right.at)
          .map(({ alert }) => alert);

        const keys = [alerts, shuffled].map((list) => dedupKey(makeNotification({ alerts: list }), '', 'h'));

        expect(keys[1]).toBe(keys[0]);
      }),
    );
  });

  it('stays the same when only values, links, texts and start times differ', () => {
    fc.assert(
      fc.property(
        alertList,
        fc.double({ noNaN: true }),
        fc.webUrl(),
        fc.string(),
        (alerts, value, url, text) => {
          const copies = alerts.map((alert) => ({
            ...alert,
            startsAt: 1,
            values: [['B', value]] as const,
            valueString: text,
            annotations: makeLabels([['summary', text]]),
            dashboardUrl: url,
          }));

          const first = dedupKey(makeNotification({ alerts }), '', 'one');
          const copy = dedupKey(makeNotification({ alerts: copies, title: text }), '', 'two');

          expect(copy).toBe(first);
        },
      ),
    );
  });

  it('changes when the status of any alert changes', () => {
    fc.assert(
      fc.property(alertList, fc.nat(), (alerts, pick) => {
        const flipped = alerts.map((alert, index) =>
          index === pick % alerts.length
            ? makeAlert(alert.fingerprint, alert.status === 'firing' ? 'resolved' : 'firing')
            : alert,
        );

        const before = dedupKey(makeNotification({ alerts }), '', 'h');
        const after = dedupKey(makeNotification({ alerts: flipped }), '', 'h');

        expect(after).not.toBe(before);
      }),
    );
  });

  it.each([
    ['source', makeNotification({ source: 'other' }), ''],
    ['organisation', makeNotification({ org: '2' }), ''],
    ['receiver', makeNotification({ receiver: 'dev' }), ''],
    ['group key', makeNotification({ groupKey: '{}:{}' }), ''],
    ['count of truncated alerts', makeNotification({ truncatedAlerts: 1 }), ''],
    ['path channel', makeNotification(), 'ops'],
  ])('changes with the %s', (_what, notification, pathChannel) => {
    const base = dedupKey(makeNotification(), '', 'h');

    const changed = dedupKey(notification, pathChannel, 'h');

    expect(changed).not.toBe(base);
  });

  it('tells notifications without alerts by their body, though each has a group key of its own', () => {
    const keyOf = (id: string, bodyHash: string) =>
      dedupKey(makeNotification({ alerts: [], groupKey: `unreadable:${id}` }), '', bodyHash);

    const keys = [keyOf('ntf_1', 'same'), keyOf('ntf_2', 'same'), keyOf('ntf_3', 'different')];

    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
  });
});

describe('the other keys', () => {
  it('hash no two different lists of texts alike', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (left, right) => {
        const isSame = JSON.stringify(left) === JSON.stringify(right);

        expect(hashParts(left) === hashParts(right)).toBe(isSame);
      }),
    );
    expect(hashParts(['ab', 'c'])).not.toBe(hashParts(['a', 'bc']));
  });

  it('name a group by source, organisation, receiver and group key', () => {
    const hashes = [
      groupHash('a', '1', 'r', 'k'),
      groupHash('b', '1', 'r', 'k'),
      groupHash('a', '2', 'r', 'k'),
      groupHash('a', '1', 's', 'k'),
      groupHash('a', '1', 'r', 'l'),
    ];

    expect(new Set(hashes).size).toBe(5);
    expect(groupHash('a', '1', 'r', 'k')).toBe(hashes[0]);
  });

  it('give each path its own scope within a group', () => {
    expect(scopeHash('g', '')).not.toBe(scopeHash('g', 'ops'));
  });

  it('recognise a replay by source, path, timestamp and body', () => {
    const keys = [
      replayKey('a', '', '1', 'h'),
      replayKey('b', '', '1', 'h'),
      replayKey('a', 'ops', '1', 'h'),
      replayKey('a', '', '2', 'h'),
      replayKey('a', '', '1', 'i'),
    ];

    expect(new Set(keys).size).toBe(5);
  });
});
