import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Accepted } from '../../src/domain/accepted.ts';
import { groupHash, scopeHash } from '../../src/domain/dedup.ts';
import { makeId } from '../../src/domain/ids.ts';
import { type Arrival, buildAccepted } from '../../src/receive/entry.ts';
import { parseNotification } from '../../src/receive/payload/parse.ts';
import { makeSource } from './harness.ts';

function accepted(body: string, change: Partial<Arrival> = {}): Accepted {
  const id = makeId('ntf');
  const bytes = Buffer.from(body);
  return buildAccepted(
    {
      id,
      notification: parseNotification(bytes, { source: 'grafana', id }),
      source: makeSource(),
      pathChannel: '',
      body: bytes,
      bodyHash: `hash of ${body}`,
      timestamp: '1772439671',
      receivedAt: 1_772_439_671_000,
      ...change,
    },
    [],
  );
}

const fixture = (name: string) =>
  readFileSync(join(import.meta.dirname, '../../fixtures/grafana', name), 'utf8');

describe('the inbox entry', () => {
  it('carries the keys of its group and of its path', () => {
    const { entry } = accepted(fixture('v13-firing-single.json'), { pathChannel: 'ops' });

    const group = groupHash('grafana', '1', 'ops-webhook', entry.groupKey);
    expect(entry.groupHash).toBe(group);
    expect(entry.scopeHash).toBe(scopeHash(group, 'ops'));
  });

  it('is a snapshot of its group unless the sender cut alerts off', () => {
    const whole = accepted(fixture('v13-mixed-firing-resolved-5.json'));
    const cut = accepted(fixture('v13-truncated-35-of-40.json'));

    expect([whole.entry.isSnapshot, cut.entry.isSnapshot]).toEqual([true, false]);
  });

  it('of a body that cannot be read has a group of its own, yet a copy of it is recognisable', () => {
    const [first, copy, other] = ['disk full', 'disk full', 'disk ok'].map((body) => accepted(body).entry);

    expect(copy?.groupHash).not.toBe(first?.groupHash);
    expect(copy?.dedup?.key).toBe(first?.dedup?.key);
    expect(other?.dedup?.key).not.toBe(first?.dedup?.key);
    expect([copy?.scopeHash, other?.scopeHash]).toEqual([first?.scopeHash, first?.scopeHash]);
  });

  it('keeps the replay key twice the tolerance and five minutes', () => {
    const signed = accepted('x').entry;
    const untimed = accepted('x', { timestamp: undefined }).entry;

    expect(signed.replay?.keepMs).toBe(900_000);
    expect(untimed.replay).toBeUndefined();
  });

  it('is never a duplicate where the window is 0', () => {
    expect(accepted('x', { source: makeSource({ dedupWindowMs: 0 }) }).entry.dedup).toBeUndefined();
  });
});

describe('the sightings', () => {
  it('say status and times of every alert', () => {
    const { alerts } = accepted(fixture('v13-resolved-single.json'));

    expect(alerts).toEqual([
      {
        fingerprint: 'f609afd079acfa36',
        status: 'resolved',
        startsAt: Date.parse('2026-03-02T08:20:30Z'),
        endsAt: expect.any(Number),
      },
    ]);
  });

  it('of an alert that stands twice in one body are one, firing', () => {
    const twin = (status: string) => ({ status, fingerprint: 'abcd', labels: { a: '1' } });
    const body = (statuses: string[]) => JSON.stringify({ alerts: statuses.map(twin) });

    const both = [accepted(body(['firing', 'resolved'])), accepted(body(['resolved', 'firing']))];

    expect(both.map(({ alerts }) => alerts.map(({ status }) => status))).toEqual([['firing'], ['firing']]);
  });
});
