import type { FoldedGroup } from '../domain/fold.ts';
import { say, type Words } from './words.ts';

/** `FIRING:3`, `FIRING:3, RESOLVED:2`: what the title begins with. Never looks resolved when alerts are hidden. */
export function badgeOf({ counts, newest, truncatedAlerts, status }: FoldedGroup, words: Words): string {
  const hidden = counts.firing === 0 ? truncatedAlerts : 0;
  const parts = [
    ['firing', counts.firing],
    ['no_longer_reported', counts.noLongerReported],
    ['resolved', counts.resolved],
    ['unknown', hidden],
  ] as const;
  const written = parts.filter(([, count]) => count > 0).map(([key, count]) => `${say(words, key)}:${count}`);
  const badge = written.length > 0 ? written.join(say(words, 'counts_between')) : say(words, status);
  return newest.isTest ? `${say(words, 'test')} ${badge}` : badge;
}
