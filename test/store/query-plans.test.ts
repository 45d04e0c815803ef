import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SCOPE_STATES_SQL } from '../../src/store/alert-states.ts';
import { HAS_OPEN_ATTEMPT_SQL, OPEN_BY_TOKEN_SQL } from '../../src/store/attempts.ts';
import { COUNT_SHARED_SQL, DUE_LINES_SQL, LONE_LINES_SQL, SHARED_LINES_SQL } from '../../src/store/claim.ts';
import type { Connection } from '../../src/store/connection.ts';
import { createPrivateFile } from '../../src/store/database.ts';
import { CLOSE_NOTIFICATION_SQL } from '../../src/store/endings.ts';
import { AGED_SQL } from '../../src/store/expire.ts';
import { DEAD_SQL } from '../../src/store/history.ts';
import { LATEST_OF_SCOPE_SQL } from '../../src/store/inbox.ts';
import {
  OLDEST_DUE_OF_NEXT_RANK_SQL,
  OLDEST_FIRING_SQL,
  RECENT_ATTEMPTS_SQL,
  WAITING_FIRING_SQL,
  WORST_RANK_SQL,
} from '../../src/store/lane-reads.ts';
import { NEWEST_FIRST_SQL, NEXT_TIMED_SQL, PROMOTE_SQL } from '../../src/store/lines.ts';
import { ENDED_SQL, OLD_ALERTS_SQL, OLD_REPLAY_KEYS_SQL } from '../../src/store/prune.ts';
import { CLAMP_DUE_SQL, EXPIRED_ATTEMPTS_SQL } from '../../src/store/recover.ts';
import { CARRIED_SQL } from '../../src/store/settle.ts';
import { WAITING_SQL } from '../../src/store/work.ts';
import { openWriterDatabase } from '../../src/store/writer-database.ts';
import { makeAccepted, openTestStore, tempFolder } from '../support/store.ts';

const ALERT = { fingerprint: 'f', status: 'firing', startsAt: 1, endsAt: null } as const;

/** Each statement that runs often or over much, and how it must find its rows: in full, so that a sort shows too. */
const PLANS: readonly [string, string, readonly string[]][] = [
  ['claim', DUE_LINES_SQL, ['SEARCH lines USING INDEX lines_due (channel=? AND rank<?)']],
  [
    'claim for a digest',
    SHARED_LINES_SQL,
    ['SEARCH lines USING INDEX lines_due_shared (channel=? AND rank<?)'],
  ],
  [
    'claim of a line that shares no card',
    LONE_LINES_SQL,
    ['SEARCH lines USING INDEX lines_due_alone (channel=? AND rank<?)'],
  ],
  [
    'due lines that may share a card',
    COUNT_SHARED_SQL,
    [
      'CO-ROUTINE (subquery-1)',
      'SEARCH lines USING INDEX lines_due_shared (channel=? AND rank<?)',
      'SCAN (subquery-1)',
    ],
  ],
  [
    'undelivered of a line',
    WAITING_SQL,
    [
      'SEARCH d USING INDEX deliveries_undelivered (channel=? AND line_hash=?)',
      'SEARCH i USING INTEGER PRIMARY KEY (rowid=?)',
    ],
  ],
  [
    'standing of a line',
    NEWEST_FIRST_SQL,
    [
      'SEARCH d USING INDEX deliveries_undelivered (channel=? AND line_hash=?)',
      'SEARCH i USING INTEGER PRIMARY KEY (rowid=?)',
    ],
  ],
  [
    'carried by an attempt',
    CARRIED_SQL,
    [
      'SEARCH a USING COVERING INDEX attempt_deliveries_of_attempt (attempt_seq=?)',
      'SEARCH d USING INTEGER PRIMARY KEY (rowid=?)',
      'SEARCH i USING INTEGER PRIMARY KEY (rowid=?)',
      'USE TEMP B-TREE FOR ORDER BY',
    ],
  ],
  [
    'end of a notification',
    CLOSE_NOTIFICATION_SQL,
    [
      'SEARCH inbox USING INTEGER PRIMARY KEY (rowid=?)',
      'SCALAR SUBQUERY 2',
      'SEARCH deliveries USING INDEX deliveries_of_notification (inbox_seq=?)',
      'SCALAR SUBQUERY 1',
      'SEARCH deliveries USING INDEX deliveries_of_notification (inbox_seq=?)',
    ],
  ],
  [
    'promote due lines',
    PROMOTE_SQL,
    [
      'SEARCH lines USING PRIMARY KEY (channel=? AND line_hash=?)',
      'LIST SUBQUERY 1',
      'SEARCH lines USING INDEX lines_timed (channel=? AND due_at>? AND due_at<?)',
    ],
  ],
  [
    'next line to come due',
    NEXT_TIMED_SQL,
    ['SEARCH lines USING INDEX lines_timed (channel=? AND due_at>?)'],
  ],
  ['clamp waits at start', CLAMP_DUE_SQL, ['SEARCH lines USING INDEX lines_timed (channel=? AND due_at>?)']],
  [
    'oldest due of a rank',
    OLDEST_DUE_OF_NEXT_RANK_SQL,
    ['SEARCH lines USING INDEX lines_due (channel=? AND rank>?)'],
  ],
  ['worst rank', WORST_RANK_SQL, ['SEARCH lines USING COVERING INDEX lines_ranked (channel=?)']],
  [
    'oldest firing',
    OLDEST_FIRING_SQL,
    ['SEARCH deliveries USING INDEX deliveries_budget (channel=? AND is_firing=?)'],
  ],
  [
    'past their budget',
    AGED_SQL,
    [
      'SEARCH d USING INDEX deliveries_budget (channel=? AND is_firing=? AND budget_from>? AND budget_from<?)',
      'SEARCH l USING PRIMARY KEY (channel=? AND line_hash=?)',
    ],
  ],
  [
    'worst waiting firing',
    WAITING_FIRING_SQL,
    [
      'SEARCH l USING COVERING INDEX lines_ranked (channel=?)',
      'SEARCH d USING INTEGER PRIMARY KEY (rowid=?)',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH deliveries USING INDEX deliveries_undelivered (channel=? AND line_hash=?)',
      'SEARCH i USING INTEGER PRIMARY KEY (rowid=?)',
    ],
  ],
  [
    'pacing',
    RECENT_ATTEMPTS_SQL,
    ['SEARCH attempts USING COVERING INDEX attempts_robot (robot=? AND started_at>? AND started_at<?)'],
  ],
  [
    'open attempt of a channel',
    HAS_OPEN_ATTEMPT_SQL,
    ['SEARCH attempts USING INDEX attempts_open (channel=?)'],
  ],
  ['open attempt of a token', OPEN_BY_TOKEN_SQL, ['SEARCH attempts USING INDEX attempts_token (token=?)']],
  // one open attempt per channel: the index is as long as there are channels
  ['leases run out', EXPIRED_ATTEMPTS_SQL, ['SCAN attempts USING INDEX attempts_open']],
  ['latest of a scope', LATEST_OF_SCOPE_SQL, ['SEARCH inbox USING INDEX inbox_scope (scope_hash=?)']],
  ['alert states', SCOPE_STATES_SQL, ['SEARCH alerts USING PRIMARY KEY (scope_hash=?)']],
  [
    'dead letters',
    DEAD_SQL,
    [
      'SEARCH d USING INDEX deliveries_dead (seq<?)',
      'SEARCH i USING INTEGER PRIMARY KEY (rowid=?)',
      'CORRELATED SCALAR SUBQUERY 1',
      'SEARCH ad USING PRIMARY KEY (delivery_seq=?)',
    ],
  ],
  [
    'ended notifications',
    ENDED_SQL,
    ['SEARCH inbox USING INDEX inbox_ended (has_dead=? AND has_body=? AND ended_at>? AND ended_at<?)'],
  ],
  [
    'replay keys to forget',
    OLD_REPLAY_KEYS_SQL,
    ['SEARCH inbox USING COVERING INDEX inbox_replay_until (replay_until>? AND replay_until<?)'],
  ],
  [
    'old alert states',
    OLD_ALERTS_SQL,
    [
      'SEARCH alerts USING INDEX alerts_changed ((changed_at,scope_hash,fingerprint)>(?,?,?) AND changed_at<?)',
    ],
  ],
];

function planOf(db: Connection, sql: string): string[] {
  const explained = `EXPLAIN QUERY PLAN ${sql.replaceAll(/\?\d?/g, '1')}`;
  return db.all<{ detail: string }>(explained).map(({ detail }) => detail);
}

describe('query plans', () => {
  it.each(PLANS)('%s: a search of its index', (_name, sql, plan) => {
    const path = join(tempFolder(), 'alertcard.db');
    createPrivateFile(path);
    const db = openWriterDatabase({ path, maxSizeBytes: 1024 ** 3, busyTimeoutMs: 100, now: 0 });
    onTestFinished(() => db.close());

    expect(planOf(db, sql)).toEqual(plan);
  });

  it('stay what they are once statistics of lopsided tables were gathered', async () => {
    const { store, path } = await openTestStore();
    for (let index = 0; index < 50; index += 1) await store.accept(makeAccepted({ alerts: [ALERT] }));
    await store.close();
    const db = openWriterDatabase({ path, maxSizeBytes: 1024 ** 3, busyTimeoutMs: 100, now: 0 });
    onTestFinished(() => db.close());

    db.raw.exec('ANALYZE');

    for (const [, sql, plan] of PLANS) expect(planOf(db, sql)).toEqual(plan);
  });
});
