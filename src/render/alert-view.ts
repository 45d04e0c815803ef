import { type Alert, type Labels, makeLabels } from '../domain/alert.ts';
import type { FoldedAlert } from '../domain/fold.ts';
import type { Notification } from '../domain/notification.ts';
import { CUT_MARK, cutToBytes, utf8Bytes } from '../domain/truncate.ts';
import { nameOf, stateKeyOf } from './alert-name.ts';
import { headlineOf } from './headline.ts';
import { shownLabels } from './labels.ts';
import type { Links } from './links.ts';
import { markOf, type Ranker } from './severities.ts';
import { clean, oneLine, writeNumber } from './text.ts';
import { say, type Words } from './words.ts';

export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Links of an alert; '' where there is none. */
export interface AlertLinks {
  readonly panel: string;
  readonly dashboard: string;
  readonly rule: string;
  readonly silence: string;
  readonly runbook: string;
  readonly logs: string;
}

/** One alert as templates see it. Absent is '' or null, never a missing key. */
export interface AlertView {
  readonly status: 'firing' | 'resolved';
  readonly isFiring: boolean;
  readonly isResolved: boolean;
  readonly isNoLongerReported: boolean;
  readonly isNews: boolean;
  readonly opensSection: boolean;
  readonly mark: string;
  readonly name: string;
  readonly headline: string;
  readonly facts: readonly Pair[];
  readonly figures: readonly Pair[];
  readonly summary: string;
  readonly description: string;
  readonly state: string;
  readonly error: string;
  readonly severity: string;
  readonly labels: Labels;
  readonly annotations: Labels;
  readonly keyLabels: readonly Pair[];
  readonly values: readonly Pair[];
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly durationMs: number | null;
  readonly reportedResolvedAt: number | null;
  readonly links: AlertLinks;
  readonly image: string;
  readonly fingerprint: string;
}

/** What all alerts of a group share and the views need. */
export interface ViewSettings {
  readonly words: Words;
  readonly links: Links;
  readonly ranker: Ranker;
  readonly severityLabel: string;
  /** What the title calls the group. */
  readonly groupName: string;
  /** Labels with the same value in every alert: said once at the top. */
  readonly common: Labels;
  /** Description that every alert has: said once at the top. */
  readonly commonDescription: string;
  readonly newest: Notification;
  /** Longest single text, bytes. */
  readonly maxTextBytes: number;
}

const MAX_VALUES = 6;
const MAX_VALUE_NAME_BYTES = 60;
const LETTER = /^[A-Z]$/u;

/** Longest link where there is room, and the longest that is always let through. */
const MAX_LINK_BYTES = 4_096;
const MIN_LINK_BYTES = 512;

/** Makes the view of one alert, its texts cut to the limit. */
export function viewAlert(folded: FoldedAlert, opensSection: boolean, settings: ViewSettings): AlertView {
  const { alert } = folded;
  const texts = cutTexts(alert.annotations, settings.maxTextBytes);
  const stateKey = stateKeyOf(alert.labels, alert.annotations);
  const isResolved = alert.status === 'resolved';
  const told = explain(alert, texts, settings);
  const keyLabels = keyLabelsOf(alert, settings);
  const values = isResolved ? [] : valuesOf(alert, stateKey);
  return {
    status: alert.status,
    isFiring: !isResolved && !folded.isNoLongerReported,
    isResolved,
    isNoLongerReported: folded.isNoLongerReported,
    isNews: folded.isNews,
    opensSection,
    mark: markOf(folded, settings.ranker),
    name: cutToBytes(nameOf(alert.labels), settings.maxTextBytes).text,
    ...told,
    ...headlineOf({ ...told, keyLabels, values, isStale: isResolved && stateKey !== '' }, settings),
    state: stateKey === '' ? '' : say(settings.words, stateKey),
    error: texts.Error ?? '',
    severity: oneLine(alert.labels[settings.severityLabel] ?? ''),
    labels: cutTexts(alert.labels, settings.maxTextBytes),
    annotations: texts,
    keyLabels,
    values,
    startsAt: folded.startedAt ?? null,
    endsAt: isResolved ? (alert.endsAt ?? null) : null,
    durationMs: folded.durationMs ?? null,
    reportedResolvedAt: folded.reportedResolvedAt ?? null,
    links: linksOf(folded, settings),
    image: shortEnough(settings.links.usable(alert.imageUrl), settings.maxTextBytes),
    fingerprint: alert.fingerprint,
  };
}

/** The description annotation, also under the name older rules use. */
export function descriptionOf(annotations: Labels): string {
  return annotations.description ?? annotations.message ?? '';
}

/** A headline that is never blank, and the description unless it is said already. */
function explain(
  { annotations, labels }: Alert,
  texts: Labels,
  { newest, words, commonDescription, maxTextBytes }: ViewSettings,
): { readonly summary: string; readonly description: string } {
  const description = descriptionOf(texts).trim();
  const candidates = [
    texts.summary ?? '',
    firstLine(description),
    nameOf(labels),
    newest.title,
    newest.receiver,
  ];
  const summary = candidates.map(oneLine).find((text) => text !== '') ?? say(words, 'unnamed');
  const isSaid = oneLine(description) === summary || descriptionOf(annotations) === commonDescription;
  return { summary: cutToBytes(summary, maxTextBytes).text, description: isSaid ? '' : description };
}

/** The first line with something on it, without the marks of a heading or a list. */
function firstLine(text: string): string {
  const line = text.split('\n').find((each) => each.trim() !== '') ?? '';
  return line.replace(/^\s*(?:#+|[-*>])\s+/u, '');
}

function cutTexts(texts: Labels, maxBytes: number): Labels {
  return makeLabels(
    Object.entries(texts).map(([name, text]) => [name, cutToBytes(clean(text), maxBytes).text] as const),
  );
}

/** Grafana 7 repeats the name of a value as the label `metric`. */
function keyLabelsOf(
  { labels, values }: Alert,
  { common, severityLabel, maxTextBytes }: ViewSettings,
): readonly Pair[] {
  const names = new Set(values.map(([name]) => name));
  const kept = shownLabels(labels, severityLabel).filter(
    ([name, text]) => common[name] === undefined && !names.has(text),
  );
  return pairsWithin(kept, maxTextBytes);
}

/** Pairs for one row of a card: as many as fit the limit together, and how many were left out. */
export function pairsWithin(
  pairs: readonly (readonly [name: string, value: string])[],
  maxBytes: number,
): readonly Pair[] {
  const kept: Pair[] = [];
  let left = maxBytes;
  for (const [name, value] of pairs) {
    const pair = {
      name: cutToBytes(oneLine(name), maxBytes).text,
      value: cutToBytes(oneLine(value), maxBytes).text,
    };
    left -= utf8Bytes(pair.name) + utf8Bytes(pair.value);
    if (left < 0 && kept.length > 0)
      return [...kept, { name: CUT_MARK, value: `+${pairs.length - kept.length}` }];
    kept.push(pair);
  }
  return kept;
}

/**
 * Without what is no measurement: for no data and errors Grafana keeps the names with -1, and the 1 of
 * the condition that made the alert fire comes along with what was measured. A query's letter says
 * nothing once it is alone.
 */
function valuesOf({ values }: Alert, stateKey: string): readonly Pair[] {
  const hasPlaceholders = stateKey === 'error' || stateKey === 'no_data';
  const measured = values.filter(([, value]) => Number.isFinite(value) && !(hasPlaceholders && value === -1));
  const condition = measured.length > 1 ? lastLetterOf(measured) : '';
  const kept = measured.filter(([name, value]) => name !== condition || value !== 1);
  return kept.slice(0, MAX_VALUES).map(([name, value]) => ({
    name: kept.length === 1 && LETTER.test(name) ? '' : cutToBytes(oneLine(name), MAX_VALUE_NAME_BYTES).text,
    value: writeNumber(value),
  }));
}

/** Grafana names queries and expressions by letters, the condition last. */
function lastLetterOf(values: Alert['values']): string {
  const letters = values.map(([name]) => name).filter((name) => LETTER.test(name));
  return [...letters].sort().at(-1) ?? '';
}

/** Made when asked for: parsing URLs takes a while, and a long card shows the links of its first alert alone. */
function linksOf(folded: FoldedAlert, { links, newest, maxTextBytes }: ViewSettings): AlertLinks {
  const { alert } = folded;
  const isOver = alert.status === 'resolved';
  const usable = (url: string): string => shortEnough(links.usable(url), maxTextBytes);
  return {
    get panel() {
      return usable(alert.panelUrl);
    },
    get dashboard() {
      return usable(alert.dashboardUrl);
    },
    get rule() {
      return usable(alert.generatorUrl);
    },
    get silence() {
      return isOver ? '' : usable(alert.silenceUrl);
    },
    get runbook() {
      return usable(alert.annotations.runbook_url ?? '');
    },
    get logs() {
      return links.logs({
        root: newest.externalUrl,
        org: newest.org,
        labels: alert.labels,
        names: [],
        startedAt: folded.startedAt,
        endedAt: isOver ? alert.endsAt : undefined,
      });
    },
  };
}

/** A link cannot be cut; one out of proportion to the texts beside it is left out. */
export function shortEnough(url: string, maxTextBytes: number): string {
  const maxBytes = Math.min(MAX_LINK_BYTES, Math.max(MIN_LINK_BYTES, 2 * maxTextBytes));
  return utf8Bytes(url) <= maxBytes ? url : '';
}
