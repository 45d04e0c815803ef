/**
 * Instants are epoch ms, booleans 0 or 1. Statements name their index (INDEXED BY) and the order of their
 * joins (CROSS JOIN), so that gathered statistics cannot turn a search into a scan.
 */
export const INITIAL_SCHEMA = `
-- seq is the commit order, the only order that counts; AUTOINCREMENT because pruning must not free a number
CREATE TABLE inbox (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  source TEXT NOT NULL,
  org TEXT NOT NULL,
  receiver TEXT NOT NULL,
  group_key TEXT NOT NULL,
  group_hash TEXT NOT NULL,
  path_channel TEXT NOT NULL,
  scope_hash TEXT NOT NULL,
  received_at INTEGER NOT NULL,
  committed_at INTEGER NOT NULL,
  format TEXT NOT NULL,
  status TEXT NOT NULL,
  is_test INTEGER NOT NULL,
  is_snapshot INTEGER NOT NULL,
  dedup_key TEXT,
  replay_key TEXT,
  replay_until INTEGER,
  duplicates INTEGER NOT NULL DEFAULT 0,
  body_bytes INTEGER NOT NULL,
  has_body INTEGER NOT NULL DEFAULT 1,
  -- set while all its deliveries have ended
  ended_at INTEGER,
  has_dead INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX inbox_scope ON inbox (scope_hash, seq);
CREATE UNIQUE INDEX inbox_replay ON inbox (replay_key) WHERE replay_key IS NOT NULL;
CREATE INDEX inbox_replay_until ON inbox (replay_until) WHERE replay_until IS NOT NULL;
CREATE INDEX inbox_ended ON inbox (has_dead, has_body, ended_at) WHERE ended_at IS NOT NULL;

-- apart from inbox, so that scans of it read no bodies
CREATE TABLE inbox_bodies (
  seq INTEGER PRIMARY KEY,
  is_deflated INTEGER NOT NULL,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE lines (
  channel TEXT NOT NULL,
  line_hash TEXT NOT NULL,
  rank INTEGER NOT NULL,
  is_firing INTEGER NOT NULL,
  since_seq INTEGER NOT NULL,
  latest_seq INTEGER NOT NULL,
  -- NULL: due now. While leased it is the lease's expiry, which takes the line out of lines_due
  due_at INTEGER,
  rung INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  interruptions INTEGER NOT NULL DEFAULT 0,
  is_possible_repeat INTEGER NOT NULL DEFAULT 0,
  without_mentions INTEGER NOT NULL DEFAULT 0,
  -- shares no card with other lines
  is_alone INTEGER NOT NULL DEFAULT 0,
  attempt_seq INTEGER,
  PRIMARY KEY (channel, line_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX lines_due ON lines (channel, rank, since_seq) WHERE due_at IS NULL;
CREATE INDEX lines_due_shared ON lines (channel, rank, since_seq) WHERE due_at IS NULL AND is_alone = 0;
CREATE INDEX lines_due_alone ON lines (channel, rank, since_seq) WHERE due_at IS NULL AND is_alone = 1;
CREATE INDEX lines_timed ON lines (channel, due_at) WHERE due_at IS NOT NULL AND attempt_seq IS NULL;
CREATE INDEX lines_leased ON lines (attempt_seq) WHERE attempt_seq IS NOT NULL;
CREATE INDEX lines_ranked ON lines (channel, rank, since_seq, is_firing);

CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  inbox_seq INTEGER NOT NULL,
  channel TEXT NOT NULL,
  line_hash TEXT NOT NULL,
  state TEXT NOT NULL,
  reason TEXT,
  rank INTEGER NOT NULL,
  is_firing INTEGER NOT NULL,
  mention_all INTEGER NOT NULL,
  is_replay INTEGER NOT NULL DEFAULT 0,
  -- JSON array of positions; NULL means all alerts of the notification
  selection TEXT,
  created_at INTEGER NOT NULL,
  budget_from INTEGER NOT NULL,
  ended_at INTEGER,
  folded_into TEXT,
  CHECK (state IN ('scheduled', 'leased', 'delivered', 'folded', 'dead')),
  CHECK ((ended_at IS NULL) = (state IN ('scheduled', 'leased')))
) STRICT;
CREATE INDEX deliveries_of_notification ON deliveries (inbox_seq);
CREATE INDEX deliveries_undelivered ON deliveries (channel, line_hash, inbox_seq) WHERE ended_at IS NULL;
CREATE INDEX deliveries_budget ON deliveries (channel, is_firing, budget_from) WHERE ended_at IS NULL;
CREATE INDEX deliveries_dead ON deliveries (seq) WHERE state = 'dead';

-- an attempt without outcome is open: it is the lease
CREATE TABLE attempts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  token TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  channel TEXT NOT NULL,
  robot TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  duration_ms INTEGER,
  rung TEXT,
  outcome TEXT,
  reason TEXT,
  http_status INTEGER,
  provider_code TEXT,
  provider_text TEXT
) STRICT;
CREATE UNIQUE INDEX attempts_open ON attempts (channel) WHERE outcome IS NULL;
CREATE UNIQUE INDEX attempts_token ON attempts (token) WHERE outcome IS NULL;
CREATE INDEX attempts_robot ON attempts (robot, started_at);

CREATE TABLE attempt_deliveries (
  delivery_seq INTEGER NOT NULL,
  attempt_seq INTEGER NOT NULL,
  PRIMARY KEY (delivery_seq, attempt_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX attempt_deliveries_of_attempt ON attempt_deliveries (attempt_seq);

CREATE TABLE alerts (
  scope_hash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status TEXT NOT NULL,
  episode_started_at INTEGER,
  last_ended_at INTEGER,
  changed_seq INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  PRIMARY KEY (scope_hash, fingerprint)
) STRICT, WITHOUT ROWID;
CREATE INDEX alerts_changed ON alerts (changed_at, scope_hash, fingerprint);

CREATE TABLE channel_state (
  channel TEXT PRIMARY KEY,
  -- a delivery was planned for it at some time
  is_known INTEGER NOT NULL DEFAULT 0,
  -- deliveries that have not ended, counted here because counting rows takes 200 ms at ten millions
  waiting INTEGER NOT NULL DEFAULT 0,
  paused_until INTEGER,
  paused_for_ms INTEGER,
  broken_rank INTEGER,
  broken_reason TEXT,
  deaths_untold INTEGER NOT NULL DEFAULT 0,
  oldest_death_at INTEGER,
  last_delivered_at INTEGER,
  last_attempt_seq INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE robot_pauses (
  robot TEXT PRIMARY KEY,
  paused_until INTEGER NOT NULL,
  paused_for_ms INTEGER NOT NULL,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;
