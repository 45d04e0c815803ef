import type { Rung } from './settings.ts';

/**
 * The colour of a card: derived from status and severity rank, never from words.
 * A template may name a provider's own colour instead.
 */
export type Tone =
  | 'critical'
  | 'error'
  | 'warning'
  | 'info'
  | 'resolved'
  | 'mixed'
  | 'notice'
  | (string & {});

export interface Button {
  readonly text: string;
  /** http or https, checked. */
  readonly url: string;
}

/** Who a card mentions, already in the provider's own ids. */
export interface Mentions {
  readonly all: boolean;
  /** DingTalk phone numbers; empty for Feishu. */
  readonly mobiles: readonly string[];
  /** DingTalk user ids, or Feishu open_id / user_id. */
  readonly userIds: readonly string[];
}

export const NO_MENTIONS: Mentions = { all: false, mobiles: [], userIds: [] };

/** The result of rendering, before a provider turns it into its message. */
export interface Card {
  /** Plain text, one line. */
  readonly title: string;
  readonly tone: Tone;
  /** Short plain texts such as the severity; at most 3. */
  readonly tags: readonly string[];
  /** In the markdown of the provider for rich rungs, plain text for `text` and `bare`. Never empty. */
  readonly body: string;
  readonly buttons: readonly Button[];
  readonly mentions: Mentions;
}

/** What render needs to know of the markdown a card lands in. Providers implement it. */
export interface Dialect {
  /** Makes a value inert: no markup, no mention, no raw HTML, control characters gone, line breaks kept in the dialect's form. */
  escape(value: string): string;
  /** A link with inert text; the text alone when the url is not http(s). */
  link(text: string, url: string): string;
  /** Keeps the markdown of an annotation that is safe here, neutralises the rest (raw HTML, mentions). */
  markdown(value: string): string;
  /** Neutralises mentions and raw HTML in text that a template produced unescaped. */
  neutralise(value: string): string;
}

/** One rung rendered as a provider's message, ready to be signed and sent. */
export interface Message {
  readonly rung: Rung;
  /** The vendor's JSON without signature fields. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** What a template that writes the vendor's JSON itself leaves to us to put in. */
export interface Additions {
  readonly keyword: string;
  readonly mentions: Mentions;
  /** What a reader must know before the content, written in a dialect; '' when there is nothing. */
  above(dialect: Dialect): string;
  /** What must be said after it; '' when there is nothing. */
  below(dialect: Dialect): string;
}

/** A vendor's JSON taken over as a message, or why it is none; the problem names the place in the JSON. */
export type Adopted =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'problem'; readonly problem: string };
