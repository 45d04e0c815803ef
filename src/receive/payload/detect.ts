import type { Format } from '../../domain/notification.ts';
import { isObject, toText } from './coerce.ts';

/** Keys that only Grafana writes beside `alerts[]`. */
const GRAFANA_KEYS = ['orgId', 'title', 'state', 'message', 'appVersion'];

/** Says which sender's form a parsed body has; `unreadable` for everything without alerts in it. */
export function detect(value: unknown): Format {
  if (!isObject(value)) return 'unreadable';
  if (Array.isArray(value.alerts)) {
    if (value.alerts.length === 0) return 'unreadable';
    // Alertmanager writes version "4"; relays and old senders write another one or none.
    const version = toText(value.version);
    if (version === '4') return 'alertmanager';
    return GRAFANA_KEYS.some((key) => key in value) || version === '1' ? 'grafana' : 'alertmanager';
  }
  const isLegacy =
    ('ruleId' in value && 'evalMatches' in value) ||
    (('ruleName' in value || 'ruleId' in value) && 'state' in value);
  return isLegacy ? 'legacy' : 'unreadable';
}
