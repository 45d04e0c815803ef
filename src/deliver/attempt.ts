import type { Clock } from '../domain/clock.ts';
import { ladderOf, positionFor, positionUsed, rungAt } from '../domain/ladder.ts';
import type { Verdict } from '../domain/outcome.ts';
import type { ChannelSettings, Rung } from '../domain/settings.ts';
import type { Work } from '../domain/work.ts';
import type { Token } from './pacing.ts';
import type { Composed, Composer, Marks, Sender } from './ports.ts';

/** Work with what it takes to send it once. */
export interface Held {
  readonly work: Work;
  readonly token: Token;
  /** The last moment at which our lease can still stand, by our own clock. */
  readonly leaseEndsAt: number;
  /** A refused digest once more: in our own words. */
  readonly isBareOnly: boolean;
}

export type AttemptResult =
  /** Nothing left this process: the work is to be released. */
  | { readonly kind: 'unsent' }
  /** Not even our own plain words could be made into a message. */
  | { readonly kind: 'uncomposed'; readonly verdict: Verdict; readonly position: number; readonly rung: Rung }
  | {
      readonly kind: 'sent';
      readonly verdict: Verdict;
      readonly position: number;
      readonly rung: Rung;
      readonly composed: Composed;
      readonly durationMs: number;
      /** Deaths the card tells of. */
      readonly deaths: number;
    };

export interface AttemptDeps {
  readonly clock: Clock;
  readonly composer: Composer;
  readonly sender: Sender;
}

export interface AttemptContext {
  readonly channel: ChannelSettings;
  /** Why cards of this lane are late, if they are. */
  readonly lateReason: string;
  readonly isStopping: () => boolean;
}

/** A sender's hard deadline is 15 s: with less than that left of the lease, a second holder could send too. */
const NEEDED_TO_SEND_MS = 20_000;

/** Composes claimed work on its rung and sends it once. */
export async function attemptWork(
  deps: AttemptDeps,
  held: Held,
  context: AttemptContext,
): Promise<AttemptResult> {
  const { clock, sender } = deps;
  const { work, token, leaseEndsAt } = held;
  const ladder = ladderOf(context.channel);
  const asked = held.isBareOnly ? ladder.length - 1 : askedPosition(ladder, work);
  const marks = marksFor(work, context, clock.wall());
  const composed = await composeSafely(deps.composer, work, context.channel, rungAt(ladder, asked), marks);
  if (composed === undefined)
    return { kind: 'uncomposed', verdict: UNCOMPOSED, position: ladder.length - 1, rung: 'bare' };
  if (context.isStopping() || clock.now() > leaseEndsAt - NEEDED_TO_SEND_MS) return { kind: 'unsent' };
  token.use();
  const startedAt = clock.now();
  const verdict = await sendSafely(sender, context.channel, work.robotKey, composed);
  return {
    kind: 'sent',
    verdict,
    position: positionUsed(ladder, asked, composed.message.rung),
    rung: composed.message.rung,
    composed,
    durationMs: Math.max(clock.now() - startedAt, 0),
    deaths: marks.deaths,
  };
}

function askedPosition(ladder: readonly Rung[], work: Work): number {
  return Math.max(0, ...work.lines.map((line) => positionFor(ladder, line)));
}

function marksFor(work: Work, context: AttemptContext, wallMs: number): Marks {
  const oldestReceivedAt = Math.min(...work.lines.map((line) => line.oldestReceivedAt));
  const byMs = wallMs - oldestReceivedAt;
  return {
    late: byMs > context.channel.lateAfterMs ? { byMs, reason: context.lateReason } : undefined,
    isReplay: work.lines.some((line) => line.isReplay),
    isPossibleRepeat: work.lines.some((line) => line.isPossibleRepeat),
    deaths: work.deathsUntold,
  };
}

const UNCOMPOSED: Verdict = {
  outcome: 'rejected',
  reason: 'bad_message',
  providerText: 'not sent: no message could be made of it',
};

/** A composer does not throw; should it ever, the bare rung is tried, so that one line cannot end a lane. */
async function composeSafely(
  composer: Composer,
  work: Work,
  channel: ChannelSettings,
  rung: Rung,
  marks: Marks,
): Promise<Composed | undefined> {
  for (const tried of rung === 'bare' ? [rung] : [rung, 'bare' as const]) {
    try {
      return await composer.compose(work, channel, tried, marks);
    } catch {}
  }
  return undefined;
}

/** A sender does not throw; should it ever, nobody knows whether the request had left. */
async function sendSafely(
  sender: Sender,
  channel: ChannelSettings,
  robotKey: string,
  composed: Composed,
): Promise<Verdict> {
  try {
    return await sender.send(channel, robotKey, composed.message);
  } catch {
    return { outcome: 'unconfirmed', reason: 'reset', providerText: 'the sender failed' };
  }
}
