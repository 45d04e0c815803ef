import type { Format, Notification } from '../../domain/notification.ts';
import { readAlertmanager } from './alertmanager.ts';
import { decodeJson } from './decode.ts';
import { detect } from './detect.ts';
import { readGrafana } from './grafana.ts';
import { readLegacy } from './legacy.ts';
import { readNotice, readStub, readUnreadable } from './unreadable.ts';

export interface ParseContext {
  readonly source: string;
  /** As stored, when an inbox entry is read again; undefined to recognise it from the body. */
  readonly format?: Format;
  /** The notification's id: what cannot be read is a group of its own. */
  readonly id: string;
}

/** Reads a body into a notification. Total: whatever the bytes, something to deliver comes out. */
export function parseNotification(body: Uint8Array, context: ParseContext): Notification {
  const { source, format, id } = context;
  if (format === 'stub') return readStub(body, source, id);
  if (format === 'notice') return readNotice(body, source, id);
  if (format === 'unreadable') return readUnreadable(body, source, id);
  try {
    return readPayload(body, source, format) ?? readUnreadable(body, source, id);
  } catch {
    // A body may run into a limit of the engine that no scan foresees; it is still delivered, as text.
    return readUnreadable(body, source, id);
  }
}

function readPayload(body: Uint8Array, source: string, format: Format | undefined): Notification | undefined {
  const decoded = decodeJson(body);
  if (decoded === undefined) return undefined;
  switch (format ?? detect(decoded.value)) {
    case 'grafana':
      return readGrafana(decoded.value, source);
    case 'alertmanager':
      return readAlertmanager(decoded.value, source);
    case 'legacy':
      return readLegacy(decoded.value, source, decoded.text);
    default:
      return undefined;
  }
}
