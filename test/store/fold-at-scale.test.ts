import { describe, expect, it } from 'vitest';
import type { Accepted } from '../../src/domain/accepted.ts';
import type { Alert, Status } from '../../src/domain/alert.ts';
import { foldLine } from '../../src/domain/fold.ts';
import type { Work, WorkLine } from '../../src/domain/work.ts';
import { parseNotification } from '../../src/receive/payload/parse.ts';
import { claimOf, delivered, makeAccepted, openTestStore } from '../support/store.ts';

const T0 = 1_700_000_000_000;
const MAX_READ_BYTES = 16 * 1024 * 1024;

/** A notification of so many alerts of which some fire, as Grafana would send it. */
function notificationOf(count: number, at: number, statusOf: (index: number) => Status): Accepted {
  const alerts = Array.from({ length: count }, (_each, index) => ({
    status: statusOf(index),
    labels: { alertname: 'Flapping', pod: `pod-${index}` },
    annotations: { summary: `pod-${index} is slow`.padEnd(300, '.') },
    startsAt: new Date(at).toISOString(),
    endsAt: statusOf(index) === 'firing' ? '0001-01-01T00:00:00Z' : new Date(at + 1).toISOString(),
    fingerprint: `f${index}`,
  }));
  return makeAccepted({
    receivedAt: at,
    body: JSON.stringify({
      receiver: 'r',
      status: 'firing',
      orgId: 1,
      alerts,
      groupKey: 'g',
      version: '1',
      state: 'alerting',
    }),
    alerts: alerts.map(({ fingerprint, status }) => ({
      fingerprint,
      status,
      startsAt: at,
      endsAt: status === 'firing' ? null : at + 1,
    })),
  });
}

function fold(line: WorkLine) {
  const notifications = line.entries.map(
    ({ notificationId: id, body, source }) => [id, parseNotification(body, { source, id })] as const,
  );
  return foldLine(line, new Map(notifications));
}

function onlyLine(work: Work | undefined): WorkLine {
  const [line] = work?.lines ?? [];
  if (line === undefined) throw new Error('nothing was claimed');
  return line;
}

function firing(alerts: readonly { readonly alert: Alert }[]): string[] {
  return alerts.flatMap(({ alert }) => (alert.status === 'firing' ? [alert.fingerprint] : []));
}

describe('a group with thousands of waiting notifications', () => {
  it('reads only what still says something, and tells the rest by number', async () => {
    const { store } = await openTestStore();
    const all = Array.from({ length: 2_500 }, (_each, at) =>
      notificationOf(3, T0 + at * 10, (index) => ((at >> index) % 2 === 0 ? 'firing' : 'resolved')),
    );
    await Promise.all(all.map((accepted) => store.accept(accepted)));

    const work = await store.claim(claimOf());
    const line = onlyLine(work);
    const { settled } = await store.settle(work?.token ?? '', delivered());

    expect(line.deliveryCount).toBe(2_500);
    expect(line.entries.length).toBeLessThanOrEqual(4);
    expect(fold(line)).toMatchObject({ notifications: 2_500, unread: 2_500 - line.entries.length });
    expect(settled.filter(({ state }) => state === 'delivered')).toHaveLength(1);
    expect(settled.filter(({ state }) => state === 'folded')).toHaveLength(2_499);
    expect(await store.channelState('ops')).toMatchObject({ waiting: 0 });
  });
});

describe('a group of 6,000 alerts that flaps', () => {
  it('is read within 16 MiB and shown as the last word on each alert says', async () => {
    const { store } = await openTestStore();
    const isFiringAt = (flush: number, index: number): boolean => (index + flush) % 2 === 0;
    for (let flush = 0; flush < 4; flush += 1)
      await store.accept(
        notificationOf(6_000, T0 + flush * 60_000, (index) =>
          isFiringAt(flush, index) ? 'firing' : 'resolved',
        ),
      );

    const line = onlyLine(await store.claim(claimOf()));
    const group = fold(line);

    const bytes = line.entries.reduce((sum, { body }) => sum + body.byteLength, 0);
    expect(bytes).toBeLessThanOrEqual(MAX_READ_BYTES);
    expect(group.counts).toMatchObject({ total: 6_000, firing: 3_000, resolved: 3_000 });
    expect(firing(group.alerts).every((fingerprint) => Number(fingerprint.slice(1)) % 2 === 1)).toBe(true);
    expect(group).toMatchObject({ notifications: 4, unread: 4 - line.entries.length });
  });
});

describe('two hundred groups of large bodies on one digest', () => {
  it('share one budget of 16 MiB, and those it leaves out come with the next', async () => {
    const { store } = await openTestStore();
    const body = new Uint8Array(3 * 1024 * 1024);
    for (let group = 0; group < 8; group += 1) await store.accept(makeAccepted({ group: `g${group}`, body }));
    const request = claimOf('ops', { maxLines: 200, digest: { above: 1, ownCards: 0, isAloneFirst: false } });

    const first = await store.claim(request);
    const second = (await store.settle(first?.token ?? '', delivered(), request)).next;

    expect([first?.lines.length, second?.lines.length]).toEqual([5, 3]);
    expect(first?.hasMoreDue).toBe(true);
  });
});
