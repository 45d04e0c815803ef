import type { PlannedDelivery } from '../domain/accepted.ts';
import type { DeliveryId, NotificationId } from '../domain/ids.ts';
import type { Outcome, Reason, Verdict } from '../domain/outcome.ts';
import { problem } from '../domain/problem.ts';
import { type Answer, keptBody, refusal } from './answer.ts';

/** The verdicts heard by the end of a wait; a delivery without one is left out. */
export type Verdicts = ReadonlyMap<DeliveryId, Verdict>;

/** Says in one line what a person can do about the reason a channel's robot gave. */
export type Advise = (reason: Reason, channel: string) => string;

/** What a request that waited is answered from. */
export interface Waited {
  readonly id: NotificationId;
  readonly deliveries: readonly PlannedDelivery[];
  readonly verdicts: Verdicts;
  /** Silence counts as failure then, since a person waits to see the card. */
  readonly isTest: boolean;
  readonly advise: Advise;
}

/** Grafana shows the first 1,024 bytes of an answer: the texts must end well before that. */
const MAX_DETAIL_BYTES = 640;
const MAX_PROVIDER_TEXT_BYTES = 240;

/** Answers a request that waited: 202, or 502 with the first failure in words. */
export function answerOutcomes({ id, deliveries, verdicts, isTest, advise }: Waited): Answer {
  const heard = deliveries.map(({ id: deliveryId, channel }) => ({
    channel,
    verdict: verdicts.get(deliveryId),
  }));
  const failed = heard.filter(({ verdict }) =>
    verdict === undefined ? isTest : verdict.outcome !== 'delivered',
  );
  // A channel with a card per alert has several deliveries: what failed is what counts.
  const byChannel = new Map<string, Outcome | 'scheduled'>();
  for (const { channel, verdict } of heard)
    if ((byChannel.get(channel) ?? 'delivered') === 'delivered')
      byChannel.set(channel, verdict?.outcome ?? 'scheduled');
  const outcomes = Object.fromEntries(byChannel);
  const [first] = failed;
  if (first === undefined) return { status: 202, body: { ...keptBody(id), outcomes } };
  const others = failed.length > 1 ? ` (and ${failed.length - 1} more)` : '';
  const detail = `${cut(describe(first.channel, first.verdict, advise), MAX_DETAIL_BYTES)}${others}`;
  const answer = refusal(problem('test_not_delivered', detail));
  return { ...answer, body: { ...answer.body, ...keptBody(id), status: answer.status, outcomes } };
}

function describe(channel: string, verdict: Verdict | undefined, advise: Advise): string {
  if (verdict === undefined)
    return `Channel ${channel}: no answer from the robot yet. The notification is kept and stays scheduled; see its status_url.`;
  const code = verdict.providerCode === undefined ? '' : ` ${verdict.providerCode}`;
  const text = cut(plain(verdict.providerText ?? ''), MAX_PROVIDER_TEXT_BYTES);
  const said = code === '' && text === '' ? '' : ` The robot said${code}${text === '' ? '' : ` "${text}"`}.`;
  return `Channel ${channel}: ${verdict.outcome} (${verdict.reason}).${said} ${advise(verdict.reason, channel)}`;
}

/** One line without the characters that JSON would have to spell out. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}"\\]+/gu, ' ').trim();
}

/** Cuts to whole characters within so many bytes of UTF-8, with a mark. */
function cut(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const bytes = Buffer.from(text).subarray(0, maxBytes - Buffer.byteLength('…'));
  return `${new TextDecoder().decode(bytes, { stream: true })}…`;
}
