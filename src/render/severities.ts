import type { Labels } from '../domain/alert.ts';
import type { FoldedAlert } from '../domain/fold.ts';
import type { SeveritySettings } from '../domain/settings.ts';
import { rankOf, type SeverityRank, UNKNOWN_SEVERITY } from '../domain/severity.ts';
import { oneLine } from './text.ts';
import { say, type Words } from './words.ts';

/** How many alerts fire with one severity. */
export interface FiringCount {
  /** Coloured dot, so that a list reads at a glance. */
  readonly mark: string;
  /** The label as sent; our word where there is none. */
  readonly name: string;
  readonly count: number;
}

/** Ranks labels; asks once for each value, since a group holds thousands of alerts and few severities. */
export interface Ranker {
  rankOf(labels: Labels): SeverityRank;
  toneOf(labels: Labels): SeverityTone;
}

/** Colours by place in a configured list whose names are not the usual ones. */
const TONES = ['critical', 'error', 'warning', 'info'] as const;
export type SeverityTone = (typeof TONES)[number];

const MARKS: Readonly<Record<SeverityTone, string>> = {
  critical: '🔴',
  error: '🟠',
  warning: '🟡',
  info: '🔵',
};
const RESOLVED_MARK = '🟢';
const NO_LONGER_REPORTED_MARK = '⚪';

export function makeRanker(settings: SeveritySettings): Ranker {
  const known = new Map<string, SeverityRank>();
  const ask = (labels: Labels): SeverityRank => {
    const value = labels[settings.label] ?? '';
    const rank = known.get(value) ?? rankOf(labels, settings);
    known.set(value, rank);
    return rank;
  };
  return { rankOf: ask, toneOf: (labels) => toneOfRank(ask(labels).name, settings) };
}

function toneOfRank(name: string, settings: SeveritySettings): SeverityTone {
  const known = TONES.find((tone) => tone === name.toLowerCase());
  const index = settings.ranks.findIndex((rank) => rank.name === name);
  return known ?? (index === -1 ? 'warning' : (TONES[index] ?? 'info'));
}

/** The dot before an alert: its status, and for one that fires its severity. */
export function markOf({ alert, isNoLongerReported }: FoldedAlert, ranker: Ranker): string {
  if (alert.status === 'resolved') return RESOLVED_MARK;
  return isNoLongerReported ? NO_LONGER_REPORTED_MARK : MARKS[ranker.toneOf(alert.labels)];
}

/** Counts what fires by severity, the worst first: `ordered` is in that order. */
export function countFiring(
  ordered: readonly FoldedAlert[],
  label: string,
  ranker: Ranker,
  words: Words,
): readonly FiringCount[] {
  // Counted in place: a group may hold thousands of alerts.
  const counts = new Map<string, { mark: string; name: string; count: number }>();
  for (const folded of ordered) {
    if (folded.alert.status === 'resolved' || folded.isNoLongerReported) continue;
    const { name } = ranker.rankOf(folded.alert.labels);
    const known = counts.get(name);
    if (known !== undefined) known.count += 1;
    else
      counts.set(name, { mark: markOf(folded, ranker), name: nameOf(folded, name, label, words), count: 1 });
  }
  return [...counts.values()];
}

function nameOf({ alert }: FoldedAlert, rank: string, label: string, words: Words): string {
  if (rank === UNKNOWN_SEVERITY) return say(words, 'other_severity');
  return oneLine(alert.labels[label] ?? rank);
}
