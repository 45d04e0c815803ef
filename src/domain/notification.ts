import type { Alert, Labels, Status } from './alert.ts';

/**
 * What a body was recognised as. `stub` stands for a body too large to read, `notice` for what
 * Alertcard itself has to say (source `alertcard`).
 */
export const FORMATS = ['grafana', 'alertmanager', 'legacy', 'unreadable', 'stub', 'notice'] as const;
export type Format = (typeof FORMATS)[number];

/** The internal source of notices; no configured source may take this name. */
export const NOTICE_SOURCE = 'alertcard';

/** What one webhook request says: a group of alerts at one moment. */
export interface Notification {
  readonly format: Format;
  readonly source: string;
  /** Grafana's organisation id as text; '' where the sender has none. */
  readonly org: string;
  /** Unescaped (Grafana sends it regexp-escaped). */
  readonly receiver: string;
  /** Opaque; an unreadable body gets one of its own. */
  readonly groupKey: string;
  readonly status: Status;
  readonly alerts: readonly Alert[];
  readonly groupLabels: Labels;
  readonly commonLabels: Labels;
  readonly commonAnnotations: Labels;
  /** Root URL of the sender; '' when unknown. */
  readonly externalUrl: string;
  /** How many alerts the sender left out, by its own count. */
  readonly truncatedAlerts: number;
  /** The sender's rendered title; '' when none. */
  readonly title: string;
  /** Grafana's version, e.g. "13.2.1"; '' when not sent. */
  readonly appVersion: string;
  /** True for the notification of Grafana's test button. */
  readonly isTest: boolean;
  /** What an unreadable body or a stub says, decoded leniently; '' for the other formats. */
  readonly text: string;
}
