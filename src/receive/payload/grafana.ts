import type { Notification } from '../../domain/notification.ts';
import { readGroup } from './group.ts';

/** Reads the body of Grafana's unified alerting, 8.0 and later. */
export function readGrafana(value: unknown, source: string): Notification | undefined {
  return readGroup(value, source, 'grafana', (alert) => alert);
}
