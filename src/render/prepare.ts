import { type Labels, makeLabels } from '../domain/alert.ts';
import type { Digest } from '../domain/digest.ts';
import type { FoldedAlert, FoldedGroup } from '../domain/fold.ts';
import type { ChannelSettings, LinkSettings, SeveritySettings } from '../domain/settings.ts';
import { groupName } from './alert-name.ts';
import { descriptionOf } from './alert-view.ts';
import { sharedLabels } from './labels.ts';
import { commonSilence, type Links, makeLinks } from './links.ts';
import { makeRanker, type Ranker } from './severities.ts';
import { type Words, wordsOf } from './words.ts';

/** What a card says about its own delivery, beside the alerts. */
export interface Marks {
  readonly late: { readonly byMs: number; readonly reason: string } | undefined;
  readonly isReplay: boolean;
  readonly isPossibleRepeat: boolean;
  readonly deaths: number;
}

/** What a card of alerts is made of. */
export interface ContextInput {
  readonly group: FoldedGroup;
  /** What `group` was merged of, when the card is for several groups. */
  readonly digest?: Digest;
  readonly channel: ChannelSettings;
  readonly severity: SeveritySettings;
  readonly links: LinkSettings;
  readonly marks: Marks;
  readonly now: number;
}

/** Alerts a template sees at most, the worst. */
export const MAX_ALERTS = 200;

/** Alerts of one group that a digest shows at most: who wants them all opens Grafana. */
const TOP_ALERTS = 3;

/** A group on a digest. */
export interface DigestPart {
  readonly group: FoldedGroup;
  /** Its alerts, worst first, as many as may be shown. */
  readonly top: readonly FoldedAlert[];
  readonly common: Labels;
}

/** An alert that may be shown, and the group it belongs to. */
interface Place {
  readonly folded: FoldedAlert;
  readonly part: DigestPart | undefined;
}

/** What does not depend on how many alerts are shown or how long their texts may be. */
export interface PreparedGroup {
  readonly input: ContextInput;
  readonly words: Words;
  /** What the title calls the group. */
  readonly name: string;
  readonly linkMaker: Links;
  readonly ranker: Ranker;
  /**
   * What may be shown, the worst first: firing, no longer reported, resolved; by severity within each. Of a
   * digest the worst alert of each group, then the second of each, so that room is left to many groups.
   */
  readonly ordered: readonly FoldedAlert[];
  /** The groups of a digest; empty for a card of one. */
  readonly parts: readonly DigestPart[];
  /** The group of each of `ordered`. */
  readonly partOf: (index: number) => DigestPart | undefined;
  readonly common: Labels;
  readonly commonAnnotations: Labels;
  readonly commonDescription: string;
  readonly silence: string;
}

/** Orders the alerts and finds what they share: once per card, whatever is shown of them. */
export function prepareGroup(input: ContextInput): PreparedGroup {
  const { group, severity, digest } = input;
  const linkMaker = makeLinks(input.links);
  const ranker = makeRanker(severity);
  const parts = (digest?.groups ?? []).map((each) => partFor(each, ranker));
  const places: readonly Place[] =
    digest === undefined
      ? worstFirst(group.alerts, ranker).map((folded) => ({ folded, part: undefined }))
      : inRounds(parts);
  const ordered = places.map(({ folded }) => folded);
  const firing = ordered.filter(({ alert }) => alert.status === 'firing');
  const words = wordsOf(input.channel.locale);
  return {
    input,
    words,
    name: groupName(group, words),
    linkMaker,
    ranker,
    ordered,
    parts,
    partOf: (index) => places[index]?.part,
    common: sharedLabels(ordered.map(({ alert }) => alert.labels)),
    commonAnnotations: sharedLabels(ordered.map(({ alert }) => alert.annotations)),
    commonDescription: ordered.length > 1 ? sharedDescription(ordered) : '',
    silence: linkMaker.usable(commonSilence(firing.map(({ alert }) => alert.silenceUrl))),
  };
}

function partFor(group: FoldedGroup, ranker: Ranker): DigestPart {
  const common =
    group.alerts.length > 1 ? sharedLabels(group.alerts.map(({ alert }) => alert.labels)) : makeLabels();
  return { group, top: worstFirst(group.alerts, ranker).slice(0, TOP_ALERTS), common };
}

function inRounds(parts: readonly DigestPart[]): readonly Place[] {
  const rounds = Array.from({ length: TOP_ALERTS }, (_each, round) =>
    parts.flatMap((part) => {
      const folded = part.top[round];
      return folded === undefined ? [] : [{ folded, part }];
    }),
  );
  return rounds.flat().slice(0, MAX_ALERTS);
}

function worstFirst(alerts: readonly FoldedAlert[], ranker: Ranker): readonly FoldedAlert[] {
  return alerts
    .map((folded) => ({ folded, place: placeOf(folded), rank: ranker.rankOf(folded.alert.labels).rank }))
    .sort((left, right) => left.place - right.place || left.rank - right.rank)
    .map(({ folded }) => folded);
}

function placeOf({ alert, isNoLongerReported }: FoldedAlert): number {
  if (alert.status === 'resolved') return 2;
  return isNoLongerReported ? 1 : 0;
}

function sharedDescription(alerts: readonly FoldedAlert[]): string {
  const texts = new Set(alerts.map(({ alert }) => descriptionOf(alert.annotations)));
  const [only = ''] = texts;
  return texts.size === 1 ? only : '';
}
