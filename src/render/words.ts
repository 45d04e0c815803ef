import type { Reason } from '../domain/outcome.ts';
import type { Locale } from '../domain/settings.ts';
import type { DurationWords } from './time.ts';
import { words as en } from './words/en.ts';
import { words as zhCN } from './words/zh-CN.ts';

/** Why a channel does not deliver, as people read it, and what they can do. */
export interface ReasonWords {
  readonly text: string;
  /** '' when there is nothing to do but wait. */
  readonly hint: string;
}

/** Reasons a notice may give besides those of an attempt. */
export type SpokenReason = Reason | 'paused' | 'waiting';

/** Everything Alertcard says in one language. */
export interface Words {
  /** By key; `{name}` is replaced by a parameter. */
  readonly texts: Readonly<Record<string, string>>;
  readonly reasons: Readonly<Record<SpokenReason, ReasonWords>>;
  readonly duration: DurationWords;
}

export type Params = Readonly<Record<string, string | number>>;

/** The words of a locale. */
export function wordsOf(locale: Locale): Words {
  return locale === 'zh-CN' ? zhCN : en;
}

/** A text with its parameters filled in; an unknown key is said as it stands, so that a card still goes out. */
export function say(words: Words, key: string, params: Params = {}): string {
  const text = Object.hasOwn(words.texts, key) ? (words.texts[key] ?? key) : key;
  if (!text.includes('{')) return text;
  return text.replace(/\{(\w+)\}/gu, (whole, name: string) =>
    Object.hasOwn(params, name) ? String(params[name]) : whole,
  );
}

/** What a reason means; an unknown one is said as it stands. */
export function sayReason(words: Words, reason: string): ReasonWords {
  const known: Readonly<Record<string, ReasonWords>> = words.reasons;
  return (Object.hasOwn(known, reason) ? known[reason] : undefined) ?? { text: reason, hint: '' };
}
