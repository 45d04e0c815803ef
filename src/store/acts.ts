import type { ActResult, StoreAction } from '../domain/store.ts';
import type { DeliveryState } from '../domain/work.ts';
import { addWaiting, pauseChannel, resumeChannel } from './channel-state.ts';
import { bury, type Endable, reopenNotification } from './endings.ts';
import type { Turn } from './intents.ts';
import { ensureLine, restateLine } from './lines.ts';

interface TargetRow extends Endable {
  readonly channel: string;
  readonly lineHash: string;
  readonly state: DeliveryState;
}

const TARGET_SQL = `
  SELECT seq, inbox_seq AS inboxSeq, channel, line_hash AS lineHash, state FROM deliveries WHERE id = ?`;
const REVIVE_SQL = `
  UPDATE deliveries SET state = 'scheduled', reason = NULL, ended_at = NULL, folded_into = NULL, is_replay = 1,
    budget_from = ? WHERE seq = ?`;
const START_LINE_ANEW_SQL = `
  UPDATE lines SET rung = 0, due_at = NULL WHERE channel = ? AND line_hash = ? AND attempt_seq IS NULL`;
const MARK_DISCARDED_SQL = "UPDATE deliveries SET reason = 'discarded' WHERE seq = ?";

/** Carries out what a person asked for. */
export function act(turn: Turn, action: StoreAction): ActResult {
  switch (action.kind) {
    case 'pause':
      pauseChannel(turn, action.channel, action.forMs);
      return { kind: 'done', channel: action.channel };
    case 'resume':
      resumeChannel(turn, action.channel);
      return { kind: 'done', channel: action.channel };
    case 'replay':
    case 'discard': {
      const target = turn.db.get<TargetRow>(TARGET_SQL, action.deliveryId);
      if (target === undefined) return { kind: 'not_found' };
      return action.kind === 'replay' ? replay(turn, target) : discard(turn, target);
    }
  }
}

/** A dead letter joins its group's line again, with a new budget and the best rung. */
function replay(turn: Turn, target: TargetRow): ActResult {
  const { seq, inboxSeq, channel, lineHash, state } = target;
  if (state !== 'dead') return { kind: 'wrong_state', state };
  turn.db.run(REVIVE_SQL, turn.now, seq);
  reopenNotification(turn, inboxSeq);
  addWaiting(turn, channel, 1);
  ensureLine(turn, channel, lineHash);
  turn.db.run(START_LINE_ANEW_SQL, channel, lineHash);
  restateLine(turn, channel, lineHash);
  return { kind: 'done', channel };
}

/** Ends a waiting delivery; one already dead keeps its death, which was counted, and takes the reason. */
function discard(turn: Turn, target: TargetRow): ActResult {
  const { seq, channel, lineHash, state } = target;
  if (state === 'dead') {
    turn.db.run(MARK_DISCARDED_SQL, seq);
    return { kind: 'done', channel };
  }
  if (state !== 'scheduled') return { kind: 'wrong_state', state };
  bury(turn, channel, [target], 'discarded');
  turn.deaths.push({ channel, reason: 'discarded', count: 1 });
  restateLine(turn, channel, lineHash);
  return { kind: 'done', channel };
}
