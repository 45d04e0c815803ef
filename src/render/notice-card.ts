import type { Card, Dialect, Mentions, Tone } from '../domain/card.ts';
import type { Notice, WaitingAlert } from '../domain/notice.ts';
import { cutToBytes } from '../domain/truncate.ts';
import { deathsLine, type Frame, markLines } from './frame.ts';
import { bodyLeaf } from './leaf.ts';
import { oneLine, toTitle } from './text.ts';
import { writeDuration, type ZoneClock } from './time.ts';
import { type Params, say, sayReason, type Words } from './words.ts';

/** A notice in words, before a dialect escapes it. */
interface Spoken {
  readonly title: string;
  readonly tone: Tone;
  /** Our own words, with names from the configuration in them. */
  readonly lines: readonly string[];
  /** What came with alerts: left out of the bare rung. */
  readonly payload: readonly string[];
}

/** Waiting alerts a notice lists, and the longest text of each. */
const MAX_LISTED = 10;
const MAX_LISTED_BYTES = 200;

/** Longest line of a notice, so that it fits every rung. */
const MAX_LINE_BYTES = 800;

/** What a notice's card is written with. */
export interface NoticePress {
  readonly words: Words;
  readonly zone: ZoneClock;
  readonly dialect: Dialect;
  readonly frame: Frame;
  readonly mentions: Mentions;
  /** Nothing that came with alerts. */
  readonly isBare: boolean;
}

/** The card of a notice; undefined is one that this version cannot read. */
export function noticeCard(notice: Notice | undefined, press: NoticePress): Card {
  const { words, zone, dialect, frame, mentions, isBare } = press;
  const spoken = speak(notice, words, zone);
  const leaf = bodyLeaf(dialect);
  const lines = [...spoken.lines, ...(isBare ? [] : spoken.payload)]
    .map((line) => leaf.escape(cutToBytes(line, MAX_LINE_BYTES).text))
    .filter((line) => line !== '');
  const said = [...markLines(frame, words, leaf), ...lines, deathsLine(frame, words)];
  return {
    title: toTitle(spoken.title),
    tone: spoken.tone,
    tags: [],
    body: said.filter((line) => line !== '').join('\n\n'),
    buttons: [],
    mentions,
  };
}

function speak(notice: Notice | undefined, words: Words, zone: ZoneClock): Spoken {
  const tell = (key: string, params: Params = {}): string => say(words, key, params);
  switch (notice?.kind) {
    case undefined:
      return spoken(tell('notice_title'), 'notice', [tell('notice_unknown')]);
    case 'channel_broken':
      return speakBroken(notice, words, zone);
    case 'channel_recovered': {
      const duration = writeDuration(notice.brokenForMs, words.duration);
      return spoken(tell('recovered_title', { channel: notice.channel }), 'resolved', [
        tell('recovered', { duration }),
      ]);
    }
    case 'test':
      return spoken(tell('test_title'), 'info', [
        tell('test_notice', { channel: notice.channel }),
        notice.requestedBy === undefined || notice.requestedBy === ''
          ? ''
          : tell('test_by', { who: notice.requestedBy }),
      ]);
    case 'deaths':
      return speakDeaths(notice, words);
    case 'template_broken':
      return spoken(tell('template_title', { template: notice.template }), 'notice', [
        notice.message,
        tell('template_hint'),
      ]);
    case 'store_refusing':
      return spoken(tell('store_title'), 'critical', [
        tell('store_since', { since: zone.full(notice.since), reason: notice.reason }),
        tell('store_refused', { count: notice.refused }),
      ]);
  }
}

function speakBroken(notice: Notice & { kind: 'channel_broken' }, words: Words, zone: ZoneClock): Spoken {
  const { text, hint } = sayReason(words, notice.reason);
  const advice = notice.hint === '' ? hint : notice.hint;
  return {
    title: say(words, 'broken_title', { channel: notice.channel }),
    tone: 'error',
    lines: [
      say(words, 'broken_reason', { reason: text }),
      advice === '' ? '' : say(words, 'broken_hint', { hint: advice }),
      notice.waiting > 0 ? say(words, 'broken_waiting', { count: notice.waiting }) : '',
    ],
    payload: [
      ...notice.worst.slice(0, MAX_LISTED).map((alert) => listed(alert, zone)),
      notice.waiting > MAX_LISTED ? say(words, 'more', { count: notice.waiting - MAX_LISTED }) : '',
    ],
  };
}

function speakDeaths(notice: Notice & { kind: 'deaths' }, words: Words): Spoken {
  const { channel, count, reasons } = notice;
  const written = Object.entries(reasons).map(([reason, each]) =>
    say(words, 'deaths_reason', { reason: sayReason(words, reason).text, count: each }),
  );
  return spoken(say(words, 'deaths_title', { channel, count }), 'notice', [
    ...written,
    say(words, 'deaths_hint'),
  ]);
}

function listed({ name, severity, summary, startedAt }: WaitingAlert, zone: ZoneClock): string {
  const what = oneLine(summary) === '' || oneLine(summary) === oneLine(name) ? name : `${name}: ${summary}`;
  const parts = [oneLine(severity), cutToBytes(oneLine(what), MAX_LISTED_BYTES).text];
  if (startedAt !== null) parts.push(zone.full(startedAt));
  return parts.filter((part) => part !== '').join(' · ');
}

function spoken(title: string, tone: Tone, lines: readonly string[]): Spoken {
  return { title, tone, lines, payload: [] };
}
