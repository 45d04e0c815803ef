import type { Dialect } from '../domain/card.ts';
import { cutToBytes } from '../domain/truncate.ts';
import type { AlertView, Pair } from './alert-view.ts';
import type { Context } from './context.ts';
import { oneLine } from './text.ts';
import { writeDuration, type ZoneClock } from './time.ts';
import { say, type Words } from './words.ts';

/** Longest line of a digest. */
const MAX_SUMMARY_BYTES = 160;

/** The alerts of a card line by line without a template, in whatever dialect: every value is escaped. */
export function plainText(context: Context, dialect: Dialect, zone: ZoneClock, words: Words): string {
  if (context.isDigest) return digestText(context, dialect, words);
  const { severity, commonLabels, description, alerts } = context;
  const facts = [severity, writePairs(commonLabels)].filter((text) => text !== '').join(' · ');
  const top = [facts, description].filter((text) => text !== '').map((text) => dialect.escape(text));
  // Escaped as one text: the dialect knows how a line breaks.
  const blocks = alerts.map((alert) => dialect.escape(alertLines(alert, context, zone, words).join('\n')));
  return [...top, ...blocks].join('\n\n') || say(words, 'counts_line', context.counts);
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
  return pairs.map(({ name, value }) => `${name}: ${value}`).join(' · ');
}

function alertLines(
  alert: AlertView,
  { isMixed }: Context,
  zone: ZoneClock,
  words: Words,
): readonly string[] {
  const status = isMixed ? `[${say(words, statusKey(alert))}] ` : '';
  const state = alert.state === '' ? '' : ` (${alert.state})`;
  return [
    `${status}${alert.summary}${state}`,
    writePairs(alert.keyLabels),
    oneLine(alert.description),
    alert.error === '' ? '' : `${say(words, 'error_text')}: ${oneLine(alert.error)}`,
    alert.values.length === 0
      ? ''
      : `${say(words, 'value')}: ${alert.values.map(({ name, value }) => `${name}=${value}`).join(', ')}`,
    timeLine(alert, zone, words),
  ].filter((line) => line !== '');
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
