import type { ExpireRequest } from '../domain/store.ts';
import { bury, type Endable } from './endings.ts';
import type { Turn } from './intents.ts';
import { restateLine } from './lines.ts';

interface AgedRow extends Endable {
  readonly lineHash: string;
  readonly budgetFrom: number;
  readonly isSpared: 0 | 1;
}

/** Where the look for old deliveries of a channel goes on: spared ones must not be read again every time. */
export type ExpiryCursors = Map<string, ExpiryCursor>;

interface ExpiryCursor {
  readonly budgetFrom: number;
  readonly seq: number;
}

const START: ExpiryCursor = { budgetFrom: 0, seq: 0 };

// spared: the newest of its line with something still firing, which outlives any budget
export const AGED_SQL = `
  SELECT d.seq, d.inbox_seq AS inboxSeq, d.line_hash AS lineHash, d.budget_from AS budgetFrom,
    d.is_firing = 1 AND d.inbox_seq = l.latest_seq AS isSpared
  FROM deliveries AS d INDEXED BY deliveries_budget
    CROSS JOIN lines AS l ON l.channel = d.channel AND l.line_hash = d.line_hash
  WHERE d.channel = ? AND d.is_firing = ? AND d.ended_at IS NULL AND d.state = 'scheduled'
    AND d.budget_from < ? AND (d.budget_from, d.seq) > (?, ?)
  ORDER BY d.budget_from, d.seq LIMIT ?`;

/** Ends a slice of the deliveries that are past their budget. */
export function expire(
  turn: Turn,
  { channel, giveUpAfterMs, limit }: ExpireRequest,
  cursors: ExpiryCursors,
): { readonly dead: number } {
  const before = turn.now - giveUpAfterMs;
  const resolved = aged(turn, channel, 0, before, START, limit);
  const left = limit - resolved.length;
  const firing = aged(turn, channel, 1, before, cursors.get(channel) ?? START, left);
  const last = firing.at(-1);
  if (last !== undefined && firing.length === left) cursors.set(channel, last);
  else if (left > 0) cursors.delete(channel);
  const doomed = [...resolved, ...firing].filter((row) => row.isSpared === 0);
  bury(turn, channel, doomed, 'expired');
  for (const lineHash of new Set(doomed.map((row) => row.lineHash))) restateLine(turn, channel, lineHash);
  return { dead: doomed.length };
}

function aged(
  turn: Turn,
  channel: string,
  isFiring: 0 | 1,
  before: number,
  after: ExpiryCursor,
  limit: number,
): readonly AgedRow[] {
  return turn.db.all<AgedRow>(AGED_SQL, channel, isFiring, before, after.budgetFrom, after.seq, limit);
}
