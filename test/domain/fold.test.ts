import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Alert, makeLabels, type Status } from '../../src/domain/alert.ts';
import { type FoldedAlert, type FoldedGroup, foldLine } from '../../src/domain/fold.ts';
import type { Notification } from '../../src/domain/notification.ts';
import type { AlertState, WorkLine } from '../../src/domain/work.ts';
import { lineOf } from '../support/card-input.ts';
import { textNotification } from '../support/notification.ts';

const START = Date.UTC(2026, 2, 2, 8, 20, 30);
const MINUTE = 60_000;

function alert(fingerprint: string, status: Status, given: Partial<Alert> = {}): Alert {
  return {
    status,
    labels: makeLabels([['alertname', fingerprint]]),
    annotations: makeLabels(),
    startsAt: START,
    endsAt: status === 'resolved' ? START + 4 * MINUTE : undefined,
    fingerprint,
    values: [],
    valueString: '',
    ruleUid: '',
    generatorUrl: '',
    silenceUrl: '',
    dashboardUrl: '',
    panelUrl: '',
    imageUrl: '',
    ...given,
  };
}

function notification(alerts: readonly Alert[], given: Partial<Notification> = {}): Notification {
  const status = alerts.some((each) => each.status === 'firing') ? 'firing' : 'resolved';
  return { ...textNotification('grafana', ''), status, alerts, ...given };
}

function state(
  fingerprint: string,
  status: Status,
  changedSeq: number,
  given: Partial<AlertState> = {},
): AlertState {
  return { fingerprint, status, episodeStartedAt: START, lastEndedAt: null, changedSeq, ...given };
}

function fold(notifications: readonly Notification[], given: Partial<WorkLine> = {}): FoldedGroup {
  const { line, byId } = lineOf(notifications, given);
  return foldLine(line, byId);
}

function shown(group: FoldedGroup, fingerprint: string): FoldedAlert | undefined {
  return group.alerts.find((each) => each.alert.fingerprint === fingerprint);
}

describe('folding a line', () => {
  it('shows one notification as it is, firing before resolved', () => {
    const group = fold([notification([alert('a', 'resolved'), alert('b', 'firing')])]);

    expect(group.alerts.map(({ alert: { fingerprint } }) => fingerprint)).toEqual(['b', 'a']);
    expect(group.counts).toEqual({ firing: 1, resolved: 1, noLongerReported: 0, total: 2 });
    expect(group.status).toBe('firing');
  });

  it('takes what fires from the newest notification', () => {
    const group = fold([notification([alert('a', 'firing')]), notification([alert('a', 'resolved')])]);

    expect(group.counts).toMatchObject({ firing: 0, resolved: 1 });
    expect(group.status).toBe('resolved');
  });

  it('shows an alert that fired and resolved while the card waited, with its duration', () => {
    const group = fold([
      notification([alert('a', 'firing')]),
      notification([alert('a', 'resolved'), alert('b', 'firing')]),
      notification([alert('b', 'firing')]),
    ]);

    expect(shown(group, 'a')).toMatchObject({ alert: { status: 'resolved' }, durationMs: 4 * MINUTE });
  });

  it('says of an older firing alert missing from the newest snapshot that it is no longer reported', () => {
    const group = fold([notification([alert('a', 'firing')]), notification([alert('b', 'firing')])]);

    expect(shown(group, 'a')?.isNoLongerReported).toBe(true);
    expect(group.counts).toEqual({ firing: 1, resolved: 0, noLongerReported: 1, total: 2 });
  });

  it('does not say so when the newest notification was cut off by the sender', () => {
    const group = fold([
      notification([alert('a', 'firing')]),
      notification([alert('b', 'firing')], { truncatedAlerts: 3 }),
    ]);

    expect(shown(group, 'a')?.isNoLongerReported).toBe(false);
    expect(group.counts.firing).toBe(2);
  });

  it('does not look resolved while alerts that were cut off may fire', () => {
    const group = fold([notification([alert('a', 'resolved')], { truncatedAlerts: 9 })]);

    expect(group.status).toBe('firing');
    expect(group.truncatedAlerts).toBe(9);
  });

  it('believes the store over an older body', () => {
    const alertStates = [state('a', 'resolved', 7, { lastEndedAt: START + 10 * MINUTE })];

    const group = fold([notification([alert('a', 'firing')])], { alertStates });

    expect(shown(group, 'a')).toMatchObject({ alert: { status: 'resolved' }, durationMs: 10 * MINUTE });
  });

  it('believes the body over what the store knew before it', () => {
    const group = fold([notification([alert('a', 'firing')])], { alertStates: [state('a', 'resolved', 0)] });

    expect(shown(group, 'a')?.alert.status).toBe('firing');
  });

  it('knows the duration by the alert where Grafana sends the end as the start', () => {
    const end = START + 11 * MINUTE;
    const sent = alert('a', 'resolved', { startsAt: end, endsAt: end });

    const group = fold([notification([sent])], { alertStates: [state('a', 'resolved', 1)] });

    expect(shown(group, 'a')).toMatchObject({ startedAt: START, durationMs: 11 * MINUTE });
  });

  it('gives no duration rather than none at all where the start is lost', () => {
    const end = START + 11 * MINUTE;

    const group = fold([notification([alert('a', 'resolved', { startsAt: end, endsAt: end })])]);

    expect(shown(group, 'a')).toMatchObject({ startedAt: undefined, durationMs: undefined });
  });

  it('marks a firing alert whose start is not after its known end', () => {
    const lastEndedAt = START + MINUTE;
    const late = fold([notification([alert('a', 'firing')])], {
      alertStates: [state('a', 'firing', 1, { lastEndedAt })],
    });
    const anew = fold([notification([alert('a', 'firing', { startsAt: START + 2 * MINUTE })])], {
      alertStates: [state('a', 'firing', 1, { lastEndedAt })],
    });

    expect(shown(late, 'a')?.reportedResolvedAt).toBe(lastEndedAt);
    expect(shown(anew, 'a')?.reportedResolvedAt).toBeUndefined();
  });

  it('calls it a reminder when nothing changed in what it folds', () => {
    const sent = [notification([alert('a', 'firing'), alert('b', 'firing')])];
    const old = [state('a', 'firing', 1), state('b', 'firing', 2)];
    const fresh = [state('a', 'firing', 1), state('b', 'firing', 5)];
    const line = { oldestSeq: 5 };

    expect(fold(sent, { ...line, alertStates: old }).isReminder).toBe(true);
    expect(fold(sent, { ...line, alertStates: fresh }).isReminder).toBe(false);
  });

  it('shows only what the routes selected, yet knows from the whole body what is still reported', () => {
    const { line, byId } = lineOf([
      notification([alert('a', 'firing'), alert('b', 'firing')]),
      notification([alert('b', 'firing'), alert('a', 'firing')]),
    ]);
    const entries = line.entries.map((entry) => ({ ...entry, selection: entry.seq === 1 ? [0] : [0] }));

    const group = foldLine({ ...line, entries }, byId);

    expect(group.counts).toEqual({ firing: 2, resolved: 0, noLongerReported: 0, total: 2 });
  });

  it('counts notifications it was not given as unread', () => {
    const group = fold([notification([alert('a', 'firing')])], { deliveryCount: 4 });

    expect(group).toMatchObject({ notifications: 4, unread: 3 });
  });

  it('keeps a text without alerts as what the sender called it', () => {
    const group = fold([textNotification('unreadable', 'boo')]);

    expect(group).toMatchObject({ status: 'firing', isReminder: false, alerts: [] });
  });
});

const statuses = fc.constantFrom<Status>('firing', 'resolved');
const bodies = fc.array(
  fc.uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), statuses), {
    selector: ([name]) => name,
  }),
  { minLength: 1, maxLength: 6 },
);

describe('folding any notifications', () => {
  it('drops no alert, shows each once, with its newest status', () => {
    fc.assert(
      fc.property(bodies, (history) => {
        const group = fold(
          history.map((alerts) => notification(alerts.map(([name, status]) => alert(name, status)))),
        );
        const newest = new Map(history.flat());

        expect(new Map(group.alerts.map((each) => [each.alert.fingerprint, each.alert.status]))).toEqual(
          newest,
        );
        expect(group.alerts).toHaveLength(newest.size);
        expect(group.counts.firing + group.counts.resolved + group.counts.noLongerReported).toBe(
          group.counts.total,
        );
      }),
    );
  });

  it('gives the same whatever the order of the entries', () => {
    fc.assert(
      fc.property(bodies, fc.infiniteStream(fc.nat()), (history, keys) => {
        const { line, byId } = lineOf(
          history.map((alerts) => notification(alerts.map(([name, status]) => alert(name, status)))),
        );
        const shuffled = line.entries
          .map((entry) => ({ entry, key: keys.next().value }))
          .sort((left, right) => left.key - right.key)
          .map(({ entry }) => entry);

        expect(foldLine({ ...line, entries: shuffled }, byId)).toEqual(foldLine(line, byId));
      }),
    );
  });
});
