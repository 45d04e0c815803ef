import type { Message } from '../domain/card.ts';
import type { Verdict } from '../domain/outcome.ts';
import type { ChannelSettings, Rung } from '../domain/settings.ts';
import type { Store } from '../domain/store.ts';
import type { Work } from '../domain/work.ts';

/** What the lanes need of the store. */
export type DeliveryStore = Pick<
  Store,
  | 'claim'
  | 'settle'
  | 'release'
  | 'expire'
  | 'reap'
  | 'prune'
  | 'wakeChannel'
  | 'noteBroken'
  | 'tellDeaths'
  | 'channelState'
  | 'recentAttempts'
  | 'robotPauses'
  | 'nextDueInMs'
  | 'waitingFiring'
>;

/** What a card says about its own delivery, beside the alerts. */
export interface Marks {
  /** ms since the notification was received, when later than the channel's `late_after`; with the reason the lane last had. */
  readonly late: { readonly byMs: number; readonly reason: string } | undefined;
  readonly isReplay: boolean;
  readonly isPossibleRepeat: boolean;
  /** Dead letters this card has to tell of. */
  readonly deaths: number;
}

export interface Composed {
  readonly message: Message;
  /** Bytes of the final request, signed fields included. */
  readonly bytes: number;
  readonly shown: number;
  readonly omitted: number;
  /** Template that served the card, e.g. `dingtalk/default`; our own words for text and bare. */
  readonly template: string;
}

/**
 * Turns claimed work into the message of one rung. Never throws for a payload or a template: it has
 * simpler cards to fall back to, and says in `message.rung` which rung it really made.
 */
export interface Composer {
  compose(work: Work, channel: ChannelSettings, rung: Rung, marks: Marks): Promise<Composed> | Composed;
}

/** Signs a message for one robot at the moment of sending, posts it and classifies the answer. Never throws. */
export interface Sender {
  send(channel: ChannelSettings, robotKey: string, message: Message): Promise<Verdict>;
}
