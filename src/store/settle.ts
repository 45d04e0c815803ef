import type { DeliveryId, NotificationId } from '../domain/ids.ts';
import type { Settlement, SettleResult } from '../domain/work.ts';
import { finishAttempt, type OpenAttempt, openAttemptOf, returnLines } from './attempts.ts';
import { noteDelivered, pauseRobot, tellDeaths } from './channel-state.ts';
import { claim } from './claim.ts';
import { flag } from './connection.ts';
import { endDelivered } from './endings.ts';
import type { IntentOf, Turn } from './intents.ts';

/** A delivery that the attempt carried. */
interface CarriedRow {
  readonly seq: number;
  readonly id: DeliveryId;
  readonly inboxSeq: number;
  readonly lineHash: string;
  readonly notificationId: NotificationId;
  readonly receivedAt: number;
}

type Settled = SettleResult['settled'];

// a line's deliveries one after another, newest first
export const CARRIED_SQL = `
  SELECT d.seq, d.id, d.inbox_seq AS inboxSeq, d.line_hash AS lineHash, i.id AS notificationId,
    i.received_at AS receivedAt
  FROM attempt_deliveries AS a INDEXED BY attempt_deliveries_of_attempt
    CROSS JOIN deliveries AS d ON d.seq = a.delivery_seq CROSS JOIN inbox AS i ON i.seq = d.inbox_seq
  WHERE a.attempt_seq = ? ORDER BY d.line_hash, d.inbox_seq DESC, d.seq DESC`;

/** Settles an attempt if its lease still holds, then claims what comes next in the same transaction. */
export function settle(turn: Turn, intent: IntentOf<'settle'>): SettleResult {
  const attempt = openAttemptOf(turn, intent.token);
  const carried = attempt === undefined ? [] : turn.db.all<CarriedRow>(CARRIED_SQL, attempt.seq);
  const settled = attempt === undefined ? [] : settleAttempt(turn, attempt, carried, intent.settlement);
  const lineHashes = [...new Set(carried.map(({ lineHash }) => lineHash))];
  const next = intent.thenClaim === undefined ? undefined : claim(turn, intent.thenClaim, lineHashes);
  return { held: attempt !== undefined, settled, next };
}

function settleAttempt(
  turn: Turn,
  attempt: OpenAttempt,
  carried: readonly CarriedRow[],
  settlement: Settlement,
): Settled {
  finishAttempt(turn, attempt, settlement);
  const { next, pause, verdict, deathsTold } = settlement;
  if (pause !== undefined) pauseRobot(turn, pause);
  // a bare digest is shown, and yet its lines come back
  if (verdict.outcome === 'delivered') noteDelivered(turn, attempt.channel);
  if (verdict.outcome === 'delivered' && deathsTold > 0) tellDeaths(turn, attempt.channel, deathsTold);
  if (next.kind === 'delivered') return deliver(turn, attempt, carried);
  returnLines(turn, attempt, {
    kind: 'retry',
    dueAt: next.inMs === 0 ? null : turn.now + next.inMs,
    rung: next.rung,
    isPossibleRepeat: flag(next.isPossibleRepeat),
    withoutMentions: flag(next.withoutMentions),
    isAlone: flag(next.goAlone === true),
  });
  return carried.map((row) => toSettled(row, 'scheduled'));
}

function deliver(turn: Turn, attempt: OpenAttempt, carried: readonly CarriedRow[]): Settled {
  const settled: Settled[number][] = [];
  for (const [newest, ...others] of byLine(carried)) {
    if (newest === undefined) continue;
    endDelivered(turn, attempt.channel, newest, others);
    settled.push(toSettled(newest, 'delivered'), ...others.map((row) => toSettled(row, 'folded')));
  }
  returnLines(turn, attempt, { kind: 'delivered' });
  return settled;
}

function byLine(carried: readonly CarriedRow[]): Iterable<readonly CarriedRow[]> {
  const lines = new Map<string, CarriedRow[]>();
  for (const row of carried) {
    const line = lines.get(row.lineHash);
    if (line === undefined) lines.set(row.lineHash, [row]);
    else line.push(row);
  }
  return lines.values();
}

function toSettled(
  { id, notificationId, receivedAt }: CarriedRow,
  state: Settled[number]['state'],
): Settled[number] {
  return { deliveryId: id, notificationId, state, receivedAt };
}
