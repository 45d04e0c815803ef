import type { Pair, ViewSettings } from './alert-view.ts';
import { say } from './words.ts';

/** What is known of an alert before its first line is chosen. */
export interface Told {
  readonly summary: string;
  readonly keyLabels: readonly Pair[];
  readonly values: readonly Pair[];
  /** Over without having been measured again: its texts are those of when it fired. */
  readonly isStale: boolean;
}

/**
 * The first line of an alert, and what tells it from the others beside that line. A summary that only
 * repeats the title gives way to the labels; a text from when the alert fired says that it is one.
 */
export function headlineOf(
  { summary, keyLabels, values, isStale }: Told,
  { words, groupName }: ViewSettings,
): { readonly headline: string; readonly facts: readonly Pair[]; readonly figures: readonly Pair[] } {
  const isTitle = summary === groupName;
  const labels = keyLabels.map(({ value }) => value).join(' · ');
  if (isTitle) return { headline: labels, facts: [], figures: values };
  const bare = keyLabels.reduce((text, { value }) => text.replaceAll(value, ''), summary);
  const facts = keyLabels.filter(({ value }) => !summary.includes(value));
  const figures = /\d/u.test(bare) ? [] : values;
  return { headline: isStale ? say(words, 'last_known', { text: summary }) : summary, facts, figures };
}
