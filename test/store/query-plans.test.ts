import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SCOPE_STATES_SQL } from '../../src/store/alert-states.ts';
import { HAS_OPEN_ATTEMPT_SQL, OPEN_BY_TOKEN_SQL } from '../../src/store/attempts.ts';
import { DUE_LINES_SQL } from '../../src/store/claim.ts';
import { createPrivateFile } from '../../src/store/database.ts';
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
import { NEXT_TIMED_SQL, PROMOTE_SQL } from '../../src/store/lines.ts';
import { ENDED_SQL, FORGET_REPLAY_KEYS_SQL, OLD_ALERTS_SQL } from '../../src/store/prune.ts';
import { CLAMP_DUE_SQL, EXPIRED_ATTEMPTS_SQL } from '../../src/store/recover.ts';
import { openWriterDatabase } from '../../src/store/writer-database.ts';
import { tempFolder } from '../support/store.ts';

/** Each statement that runs often or over much, and how it must find its rows: in full, so that a sort shows too. */
const PLANS: readonly [string, string, readonly string[]][] = [
  ['claim', DUE_LINES_SQL, ['SEARCH lines USING INDEX lines_due (channel=? AND rank<?)']],
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
    FORGET_REPLAY_KEYS_SQL,
    [
      'SEARCH inbox USING INTEGER PRIMARY KEY (rowid=?)',
      'LIST SUBQUERY 1',
      'SEARCH inbox USING COVERING INDEX inbox_replay_until (replay_until>? AND replay_until<?)',
    ],
  ],
  [
    'old alert states',
    OLD_ALERTS_SQL,
    [
      'SEARCH alerts USING INDEX alerts_changed ((changed_at,scope_hash,fingerprint)>(?,?,?) AND changed_at<?)',
    ],
  ],
];

describe('query plans', () => {
  it.each(PLANS)('%s: a search of its index', (_name, sql, plan) => {
    const path = join(tempFolder(), 'alertcard.db');
    createPrivateFile(path);
    const db = openWriterDatabase({ path, maxSizeBytes: 1024 ** 3, busyTimeoutMs: 100, now: 0 });
    onTestFinished(() => db.close());

    const rows = db.raw.prepare(`EXPLAIN QUERY PLAN ${sql.replaceAll(/\?\d?/g, '1')}`).all();

    expect(rows.map((row) => (row as { detail: string }).detail)).toEqual(plan);
  });
});
