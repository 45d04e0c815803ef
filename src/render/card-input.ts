import type { Additions, Adopted, Card, Dialect, Mentions, Message } from '../domain/card.ts';
import type { Digest } from '../domain/digest.ts';
import type { FoldedGroup } from '../domain/fold.ts';
import type { ChannelSettings, LinkSettings, Rung, SeveritySettings } from '../domain/settings.ts';
import type { Marks } from './prepare.ts';
import type { Templates } from './templates.ts';
import type { ZoneClock } from './time.ts';

/** What render needs of a provider. */
export interface Target {
  readonly limits: { readonly maxRequestBytes: number; readonly maxButtons: number };
  dialect(rung: Rung): Dialect;
  encode(card: Card, rung: Rung, keyword: string): Message;
  adopt(json: unknown, rung: Rung, additions: Additions): Adopted;
  requestBytes(message: Message, isSigned: boolean): number;
}

/** What holds for every card until the next reload. */
export interface CardSettings {
  readonly templates: Templates;
  readonly severity: SeveritySettings;
  readonly links: LinkSettings;
  /** '' when not configured. */
  readonly publicUrl: string;
  readonly isSandbox: boolean;
}

/** One card to make. */
export interface CardRequest {
  readonly group: FoldedGroup;
  /** What `group` was merged of, when the card is for several groups. */
  readonly digest?: Digest;
  readonly channel: ChannelSettings;
  /** The rung wanted; the card may come out on a lower one when nothing fits. */
  readonly rung: Rung;
  readonly marks: Marks;
  readonly mentions: Mentions;
  readonly target: Target;
  /** Whether a robot of the channel has a secret: signature fields count towards the limit. */
  readonly isSigned: boolean;
  /** Epoch ms, wall clock. */
  readonly now: number;
}

/** Both, with the clock of the channel's zone. */
export interface CardInput extends CardSettings, CardRequest {
  readonly zone: ZoneClock;
}

/** What of a template may come out blank, and is then filled in by our own words. */
export type Part = 'title' | 'body';

export interface ComposedCard {
  readonly message: Message;
  readonly bytes: number;
  readonly shown: number;
  readonly omitted: number;
  /** What served: a template, `plain`, `text`, `bare`, `notice` or `unreadable`. */
  readonly template: string;
  /** A template that failed while rendering this card; those broken at load are in `Templates.broken`. */
  readonly failed: { readonly template: string; readonly message: string } | undefined;
  /** What the template rendered blank. */
  readonly blank: readonly Part[];
  /** The card before encoding, for previews and golden files; our plain one where a template wrote JSON. */
  readonly card: Card;
}

/** A card encoded for a rung, with its size. */
export interface Encoded {
  readonly card: Card;
  readonly message: Message;
  readonly bytes: number;
  readonly blank: readonly Part[];
}

/** Encodes a card and measures the request it makes. */
export function encodeCard(card: Card, input: CardInput, blank: readonly Part[] = []): Encoded {
  const { target, rung, channel, isSigned } = input;
  const message = target.encode(card, rung, channel.keyword);
  return { card, message, bytes: target.requestBytes(message, isSigned), blank };
}
