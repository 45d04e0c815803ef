import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeLabels } from '../../src/domain/alert.ts';
import type { Format, Notification } from '../../src/domain/notification.ts';
import { parseNotification } from '../../src/receive/payload/parse.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');

/** A fixture by its file name without `.json`, read as a request's body is. */
export function fixture(name: string): Notification {
  const file = name.endsWith('.txt') ? name : `${name}.json`;
  return parseNotification(readFileSync(join(FIXTURES, file)), { source: 'grafana', id: 'ntf_1' });
}

/** A notification that is only text: unreadable, a stub or a notice. */
export function textNotification(format: Format, text: string, source = 'grafana'): Notification {
  return {
    format,
    source,
    org: '',
    receiver: '',
    groupKey: '',
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
