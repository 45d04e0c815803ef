import { makeLabels } from '../../domain/alert.ts';
import type { Format, Notification } from '../../domain/notification.ts';
import { isObject, toText } from './coerce.ts';

/** Bytes of an unreadable body that are decoded to be shown: several times what any robot takes. */
const MAX_TEXT_BYTES = 65_536;

/** A body that is no payload we know: its text, a group of its own, firing because someone wanted to be heard. */
export function readUnreadable(body: Uint8Array, source: string, id: string): Notification {
  return withText('unreadable', source, `unreadable:${id}`, decodeLeniently(body));
}

/** What stands for a body too large to read: `{"bytes":N}`, written by us when we dropped it. */
export function readStub(body: Uint8Array, source: string, id: string): Notification {
  const value = parseOwn(body);
  const bytes = isObject(value) ? Number(value.bytes) : Number.NaN;
  const size = Number.isFinite(bytes) ? `of ${(bytes / 1_048_576).toFixed(1)} MiB ` : '';
  const text = `A notification ${size}could not be read: set maxAlerts in the Grafana contact point.`;
  return withText('stub', source, `stub:${id}`, text);
}

/** What Alertcard itself has to say: JSON of our own, which render reads from `text`. */
export function readNotice(body: Uint8Array, source: string, id: string): Notification {
  const value = parseOwn(body);
  const title = isObject(value) ? toText(value.title) : '';
  return { ...withText('notice', source, `notice:${id}`, new TextDecoder().decode(body)), title };
}

function withText(format: Format, source: string, groupKey: string, text: string): Notification {
  return {
    format,
    source,
    org: '',
    receiver: '',
    groupKey,
    status: 'firing',
    alerts: [],
    groupLabels: makeLabels(),
    commonLabels: makeLabels(),
    commonAnnotations: makeLabels(),
    externalUrl: '',
    truncatedAlerts: 0,
    title: '',
    appVersion: '',
    isTest: false,
    text,
  };
}

/** UTF-8 with U+FFFD for what is none, without the control characters that robots refuse; line breaks and tabs stay. */
function decodeLeniently(body: Uint8Array): string {
  const isCut = body.length > MAX_TEXT_BYTES;
  // With `stream` a character split by the cut is left out and not replaced.
  const text = new TextDecoder().decode(body.subarray(0, MAX_TEXT_BYTES), { stream: isCut });
  const shown = text.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '');
  return isCut ? `${shown}…` : shown;
}

function parseOwn(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
