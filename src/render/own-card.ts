import type { Card, Dialect, Mentions } from '../domain/card.ts';
import type { FoldedGroup } from '../domain/fold.ts';
import type { SeveritySettings } from '../domain/settings.ts';
import { rankOf, UNKNOWN_SEVERITY } from '../domain/severity.ts';
import { cutToBytes } from '../domain/truncate.ts';
import { badgeOf } from './badge.ts';
import { toneOf } from './card.ts';
import { deathsLine, type Frame, idLine, markLines, notificationUrl } from './frame.ts';
import { bodyLeaf, PLAIN_LEAF } from './leaf.ts';
import type { PreparedGroup } from './prepare.ts';
import { clean, toTitle } from './text.ts';
import { say, type Words } from './words.ts';

/** The card that holds nothing that came with the notification: our words, numbers and names alone. */
export function bareCard(prepared: PreparedGroup, frame: Frame, mentions: Mentions): Card {
  const { words, input } = prepared;
  const { counts, notificationId } = input.group;
  const severity = configuredSeverity(prepared, input.severity);
  const lines = [
    ...markLines(frame, words, PLAIN_LEAF),
    counts.total > 0 ? say(words, 'counts_line', { firing: counts.firing, resolved: counts.resolved }) : '',
    input.digest === undefined
      ? say(words, 'bare')
      : say(words, 'digest_bare', { count: input.digest.groups.length }),
    deathsLine(frame, words),
    say(words, 'id', { id: notificationId }),
    frame.publicUrl === '' ? '' : notificationUrl(frame.publicUrl, notificationId),
  ];
  return {
    title: `[${badgeOf(input.group, words)}]${severity === '' ? '' : ` ${severity}`}`,
    tone: toneOf(prepared),
    tags: [],
    body: lines.filter((line) => line !== '').join('\n'),
    buttons: [],
    mentions,
  };
}

/** A notification nobody could read: its text, inert, cut to a limit. */
export function unreadableCard(
  group: FoldedGroup,
  words: Words,
  dialect: Dialect,
  frame: Frame,
  mentions: Mentions,
  maxTextBytes: number,
): Card {
  const { newest, notificationId } = group;
  const leaf = bodyLeaf(dialect);
  const lines = [
    ...markLines(frame, words, leaf),
    leaf.escape(say(words, 'unreadable')),
    leaf.escape(cutToBytes(clean(newest.text).trim(), maxTextBytes).text),
    deathsLine(frame, words),
    idLine(notificationId, frame, words, leaf),
  ];
  return {
    title: toTitle(say(words, 'unreadable_title', { source: newest.source })),
    tone: 'warning',
    tags: [],
    body: lines.filter((line) => line !== '').join('\n\n'),
    buttons: [],
    mentions,
  };
}

/** What stands for a notification too large to read. */
export function stubCard(
  group: FoldedGroup,
  words: Words,
  dialect: Dialect,
  frame: Frame,
  mentions: Mentions,
): Card {
  const { newest, notificationId } = group;
  const leaf = bodyLeaf(dialect);
  const [size] = /\d+(?:\.\d+)? MiB/u.exec(newest.text) ?? [''];
  const stub = say(words, 'stub', { size: size === '' ? '' : say(words, 'stub_size', { size }) });
  return {
    title: toTitle(say(words, 'stub_title', { source: newest.source })),
    tone: 'error',
    tags: [],
    body: [
      ...markLines(frame, words, leaf),
      leaf.escape(stub.replace(/\s+/gu, ' ').trim()),
      deathsLine(frame, words),
      idLine(notificationId, frame, words, leaf),
    ]
      .filter((line) => line !== '')
      .join('\n\n'),
    buttons: [],
    mentions,
  };
}

/** The rank's name from the configuration, never the label's own value. */
function configuredSeverity({ ordered }: PreparedGroup, settings: SeveritySettings): string {
  const [worst] = ordered;
  if (worst === undefined) return '';
  const { name } = rankOf(worst.alert.labels, settings);
  return name === UNKNOWN_SEVERITY ? '' : name;
}
