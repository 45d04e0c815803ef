import type { Dialect } from '../domain/card.ts';
import { cutToBytes } from '../domain/truncate.ts';
import type { AlertView, Pair } from './alert-view.ts';
import type { Context } from './context.ts';
import { oneLine } from './text.ts';
import { writeDuration, type ZoneClock } from './time.ts';
import { say, type Words } from './words.ts';

/** Alerts a card without a template shows at most: more lines nobody reads in a chat. */
export const PLAIN_ALERTS = 20;

/** Longest line of a digest. */
const MAX_SUMMARY_BYTES = 160;

/** The alerts of a card line by line without a template, in whatever dialect: every value is escaped. */
export function plainText(context: Context, dialect: Dialect, zone: ZoneClock, words: Words): string {
  if (context.isDigest) return digestText(context, dialect, words);
  const { commonLabels, description, alerts, isLong } = context;
  const top = [severityLine(context), writePairs(commonLabels), description].filter((text) => text !== '');
  // Escaped as one text: the dialect knows how a line breaks.
  const blocks = alerts.map((alert) => alertLines(alert, context, zone, words).join('\n'));
  const grouped = isLong ? [blocks.join('\n')] : blocks;
  const written = [...top, ...grouped].map((text) => dialect.escape(text)).filter((text) => text !== '');
  return written.join('\n\n') || say(words, 'counts_line', context.counts);
}

function severityLine({ isLong, firingCounts }: Context): string {
  if (!isLong) return '';
  return firingCounts.map(({ mark, name, count }) => `${mark} ${name} ${count}`).join(' · ');
}

/** A digest line by line: what there is by severity, then the groups with their worst alerts. */
function digestText({ severities, groups, groupCounts }: Context, dialect: Dialect, words: Words): string {
  const counts = severities.map((each) => dialect.escape(say(words, 'severity_counts', { ...each })));
  const blocks = groups.map(({ badge, name, alerts, omitted }) => {
    const lines = alerts.map(({ summary }) => `- ${cutToBytes(summary, MAX_SUMMARY_BYTES).text}`);
    const more = omitted > 0 ? [`- ${say(words, 'more', { count: omitted })}`] : [];
    return dialect.escape([`[${badge}] ${name}`, ...lines, ...more].join('\n'));
  });
  const { omitted } = groupCounts;
  const rest = omitted > 0 ? [say(words, 'more_groups', { count: omitted })] : [];
  return [...counts, ...blocks, ...rest].join('\n\n');
}

function writePairs(pairs: readonly Pair[]): string {
  return pairs.map(({ name, value }) => (name === '' ? value : `${name}: ${value}`)).join(' · ');
}

function alertLines(
  alert: AlertView,
  { isMixed, isLong }: Context,
  zone: ZoneClock,
  words: Words,
): readonly string[] {
  const status = isMixed ? `[${say(words, statusKey(alert))}] ` : '';
  const state = alert.state === '' ? '' : ` (${alert.state})`;
  const headline = `${status}${alert.headline === '' ? alert.summary : alert.headline}${state}`;
  const time = timeLine(alert, zone, words);
  if (isLong)
    return [
      [`${alert.mark} ${headline}`, writePairs(alert.facts), writeValues(alert.figures), time]
        .filter((text) => text !== '')
        .join(' · '),
    ];
  return [
    headline,
    writePairs(alert.keyLabels),
    oneLine(alert.description),
    alert.error === '' ? '' : `${say(words, 'error_text')}: ${oneLine(alert.error)}`,
    alert.values.length === 0 ? '' : `${say(words, 'value')}: ${writeValues(alert.values)}`,
    time,
  ].filter((line) => line !== '');
}

function writeValues(values: readonly Pair[]): string {
  return values.map(({ name, value }) => (name === '' ? value : `${name}=${value}`)).join(', ');
}

function statusKey({ isFiring, isResolved }: AlertView): string {
  if (isFiring) return 'firing';
  return isResolved ? 'resolved' : 'no_longer_reported';
}

function timeLine(alert: AlertView, zone: ZoneClock, words: Words): string {
  const { startsAt, endsAt, durationMs, reportedResolvedAt } = alert;
  const duration = durationMs === null ? '' : writeDuration(durationMs, words.duration);
  const parts = [
    startsAt === null ? '' : `${say(words, 'started')} ${zone.full(startsAt)}`,
    endsAt === null ? '' : `${say(words, 'ended')} ${zone.full(endsAt)}`,
    duration === '' ? '' : say(words, 'lasted', { duration }),
    reportedResolvedAt === null ? '' : say(words, 'reported_resolved', { at: zone.full(reportedResolvedAt) }),
  ];
  return parts.filter((part) => part !== '').join(', ');
}
