import { cutToBytes } from '../domain/truncate.ts';
import type { Context } from './context.ts';
import type { Leaf } from './leaf.ts';
import type { Marks } from './prepare.ts';
import { oneLine } from './text.ts';
import { writeDuration } from './time.ts';
import { say, sayReason, type Words } from './words.ts';

/** What a card says on Alertcard's own behalf, whatever the template says. */
export interface Frame {
  readonly isSandbox: boolean;
  /** The template that should have served, and why it did not. */
  readonly broken: { readonly template: string; readonly message: string } | undefined;
  /** '' when not configured. */
  readonly publicUrl: string;
  readonly marks: Marks;
}

/** A broken template's message is for `check`; a card shows what it is about. */
const MAX_MESSAGE_BYTES = 200;

/** What every card says first, of alerts or not: what a reader must know before believing it. */
export function markLines({ isSandbox, marks }: Frame, words: Words, leaf: Leaf): readonly string[] {
  return [
    isSandbox ? say(words, 'sandbox') : '',
    marks.isReplay ? say(words, 'replay') : '',
    marks.isPossibleRepeat ? say(words, 'possible_repeat') : '',
    lateLine(marks, words, leaf),
  ].filter((line) => line !== '');
}

/** What every card says last, of alerts or not; '' when nothing died. */
export function deathsLine({ marks }: Frame, words: Words): string {
  return marks.deaths > 0 ? say(words, 'deaths', { count: marks.deaths }) : '';
}

/** Lines above the template's text. */
export function headLines(context: Context, frame: Frame, words: Words, leaf: Leaf): readonly string[] {
  return [
    ...markLines(frame, words, leaf),
    context.isTest ? say(words, 'test_button') : '',
    context.isReminder ? reminderLine(context, words) : '',
    hidesFiring(context) ? `⚠️ ${say(words, 'truncated', { count: context.truncatedAlerts })}` : '',
    brokenLine(frame, words, leaf),
  ].filter((line) => line !== '');
}

/** How long it has been firing says more than that it still does. */
function reminderLine({ since, now }: Context, words: Words): string {
  if (since === null || since > now) return say(words, 'reminder');
  return say(words, 'reminder_for', { duration: writeDuration(now - since, words.duration) });
}

/** Nothing shown fires, but what Grafana left out may: said first, so that it never looks resolved. */
function hidesFiring({ counts, truncatedAlerts }: Context): boolean {
  return counts.firing === 0 && truncatedAlerts > 0;
}

/** Lines below it: what is not shown, and how to find this notification again. */
export function footLines(context: Context, frame: Frame, words: Words, leaf: Leaf): readonly string[] {
  return [...hiddenLines(context, frame, words, leaf), idLine(context.notificationId, frame, words, leaf)];
}

/** What nobody may miss below any content: none when the card shows all there is. */
export function hiddenLines(context: Context, frame: Frame, words: Words, leaf: Leaf): readonly string[] {
  const { omitted, truncatedAlerts, notifications, links } = context;
  return [
    omitted > 0 ? moreLine(say(words, 'more', { count: omitted }), links.list, leaf) : '',
    truncatedAlerts > 0 && !hidesFiring(context) ? say(words, 'truncated', { count: truncatedAlerts }) : '',
    notifications > 1 ? say(words, 'folded', { count: notifications }) : '',
    deathsLine(frame, words),
  ].filter((line) => line !== '');
}

/** The id a person can ask the API and the command line for, linked where they can be reached. */
export function idLine(notificationId: string, { publicUrl }: Frame, words: Words, leaf: Leaf): string {
  const text = say(words, 'id', { id: notificationId });
  return publicUrl === '' ? leaf.escape(text) : leaf.link(text, notificationUrl(publicUrl, notificationId));
}

export function notificationUrl(publicUrl: string, notificationId: string): string {
  return `${publicUrl}/api/notifications/${notificationId}`;
}

function moreLine(text: string, url: string, leaf: Leaf): string {
  return url === '' ? text : leaf.link(text, url);
}

function lateLine({ late }: Marks, words: Words, leaf: Leaf): string {
  if (late === undefined) return '';
  const duration = writeDuration(late.byMs, words.duration);
  if (late.reason === '') return say(words, 'late_unexplained', { duration });
  return say(words, 'late', { duration, reason: leaf.escape(sayReason(words, late.reason).text) });
}

function brokenLine({ broken }: Frame, words: Words, leaf: Leaf): string {
  if (broken === undefined) return '';
  const [first = ''] = broken.message.split('\n', 1);
  const message = cutToBytes(oneLine(first.replace(/^.*\.hbs:/u, '')), MAX_MESSAGE_BYTES).text;
  return say(words, 'template_broken', {
    template: leaf.escape(broken.template),
    message: leaf.escape(message),
  });
}
