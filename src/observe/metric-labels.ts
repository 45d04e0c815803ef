import { NOTICE_SOURCE } from '../domain/notification.ts';
import type { Outcome, Reason } from '../domain/outcome.ts';
import type { DeliveryState } from '../domain/work.ts';

/** Stands in for a name the configuration does not know, so that no request can make a label value. */
const OTHER = 'other';

export const NOTIFICATION_RESULTS = ['accepted', 'duplicate', 'refused'] as const;
export type NotificationResult = (typeof NOTIFICATION_RESULTS)[number];

/** States counted as deliveries enter them; a lease is an attempt and counted there. */
export const COUNTED_STATES = ['scheduled', 'delivered', 'folded', 'dead'] as const satisfies DeliveryState[];

/** The reasons each outcome comes with: what exists at zero from the start. */
export const OUTCOME_REASONS: Readonly<Record<Outcome, readonly Reason[]>> = {
  delivered: ['ok'],
  throttled: ['rate_limited', 'flood_guard', 'quota_exhausted'],
  unavailable: [
    'dns',
    'connect',
    'tls',
    'connect_timeout',
    'reset_before_sent',
    'server_error',
    'system_busy',
  ],
  misconfigured: [
    'bad_signature',
    'bad_timestamp',
    'unknown_token',
    'ip_denied',
    'robot_disabled',
    'keyword_missing',
    'redirect',
    'egress_denied',
    'bad_request',
    'bare_refused',
  ],
  rejected: ['bad_message', 'too_long', 'unsafe_content', 'bad_mention', 'unknown_code'],
  unconfirmed: ['timeout', 'reset', 'unreadable_answer', 'gateway', 'interrupted', 'lease_expired'],
};

export const DEATH_REASONS = ['expired', 'poison', 'discarded', 'replaced'] as const satisfies Reason[];

/** The names the configuration knows; nothing else becomes a label value. */
export interface KnownNames {
  readonly sources: readonly string[];
  readonly channels: readonly string[];
  /** As events name them, e.g. `dingtalk/default`. */
  readonly templates: readonly string[];
}

/** Maps names to label values: known ones to themselves, all others to `other`. */
export class LabelValues {
  readonly sources: ReadonlySet<string>;
  readonly channels: ReadonlySet<string>;
  readonly templates: ReadonlySet<string>;

  constructor(names: KnownNames) {
    this.sources = new Set([...names.sources, NOTICE_SOURCE, OTHER]);
    this.channels = new Set([...names.channels, OTHER]);
    this.templates = new Set([...names.templates, OTHER]);
  }

  source(name: string): string {
    return this.sources.has(name) ? name : OTHER;
  }

  channel(name: string): string {
    return this.channels.has(name) ? name : OTHER;
  }

  template(name: string): string {
    return this.templates.has(name) ? name : OTHER;
  }
}
