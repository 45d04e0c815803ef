import type { Format } from './notification.ts';

/** What a claim goes by when more lines are due than are to have cards of their own. */
export interface DigestRule {
  /** With more lines due than this the rest share a card. */
  readonly above: number;
  /** Lines still to get a card of their own first, worst first. */
  readonly ownCards: number;
  /** First a line that may share no card, if one is due: digests would pass it over for ever. */
  readonly isAloneFirst: boolean;
}

/** How many lines a claim takes, given how many are due that may share a card. */
export function linesToTake(due: number, { above, ownCards }: DigestRule, maxLines: number): number {
  return due > above && ownCards === 0 ? maxLines : 1;
}

/**
 * Whether a notification is told by itself: a test has to hear its own verdict, a notice must not drown in
 * what it is about, and of what nobody could read there is nothing to sum up.
 */
export function goesAlone(format: Format, isTest: boolean): boolean {
  switch (format) {
    case 'unreadable':
    case 'stub':
    case 'notice':
      return true;
    case 'grafana':
    case 'alertmanager':
    case 'legacy':
      return isTest;
    default:
      return format satisfies never;
  }
}
