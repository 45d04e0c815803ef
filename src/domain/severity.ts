import type { Labels } from './alert.ts';
import type { SeveritySettings } from './settings.ts';

/** Where an alert stands among the configured severities. */
export interface SeverityRank {
  /** 0 is the worst. */
  readonly rank: number;
  /** Name of the configured rank, or `unknown`. */
  readonly name: string;
}

export const UNKNOWN_SEVERITY = 'unknown';

/** Puts every resolved-only line behind every line in which something fires. */
const RESOLVED_OFFSET = 1_000;

/** Ranks an alert by its severity label; a missing or unknown one stands between warning and info. */
export function rankOf(labels: Labels, settings: SeveritySettings): SeverityRank {
  const value = (labels[settings.label] ?? '').trim().toLowerCase();
  const unknown = unknownRank(settings);
  const index = value === '' ? -1 : settings.ranks.findIndex((rank) => namesRank(rank, value));
  const found = settings.ranks[index];
  if (found === undefined) return { rank: unknown, name: UNKNOWN_SEVERITY };
  return { rank: index < unknown ? index : index + 1, name: found.name };
}

/** Order of a line in its lane, lower first: firing before resolved-only, then by severity. */
export function lineRank(isFiring: boolean, severityRank: number): number {
  return isFiring ? severityRank : RESOLVED_OFFSET + severityRank;
}

/** The highest line rank that still counts as the worst one, for the robot tokens kept for it. */
export function worstRankMax(settings: SeveritySettings): number {
  return lineRank(true, settings.ranks.length === 0 ? unknownRank(settings) : 0);
}

function namesRank(rank: SeveritySettings['ranks'][number], value: string): boolean {
  return rank.name.toLowerCase() === value || rank.values.some((each) => each.toLowerCase() === value);
}

/** Before `info`; in a list without one, right after `warning`, or before the mildest rank. */
function unknownRank({ ranks }: SeveritySettings): number {
  const names = ranks.map(({ name }) => name.toLowerCase());
  const info = names.indexOf('info');
  if (info !== -1) return info;
  const warning = names.indexOf('warning');
  return warning === -1 ? Math.max(ranks.length - 1, 0) : warning + 1;
}
