import { ruleFor, type Storm } from '../domain/digest.ts';
import type { DigestRule } from '../domain/digest-rule.ts';
import type { ChannelSettings } from '../domain/settings.ts';
import type { ClaimRequest } from '../domain/work.ts';
import type { Taken } from './robots.ts';

/** Lines a digest carries at most. */
const MAX_DIGEST_LINES = 200;

/**
 * The rule of the next claim. While the lane or its robot fails, one line tells as much as two hundred: a
 * digest that got no answer would mark all of its groups as possible repeats.
 */
export function digestRule(
  storm: Storm,
  channel: Pick<ChannelSettings, 'digestAbove'>,
  taken: Pick<Taken, 'tokens' | 'isProbe'>,
  isFailing: boolean,
): DigestRule {
  if (isFailing || taken.isProbe) return { above: channel.digestAbove, ownCards: 1, isAloneFirst: false };
  return ruleFor(storm, channel.digestAbove, taken.tokens);
}

/** How many lines a claim takes, and by which rule: all of a refused digest, one line, or many. */
export function claimSize(
  rule: DigestRule,
  isAgain: boolean,
): Pick<ClaimRequest, 'maxLines' | 'digest' | 'isAgain'> {
  return isAgain ? { maxLines: MAX_DIGEST_LINES, isAgain } : { maxLines: MAX_DIGEST_LINES, digest: rule };
}
