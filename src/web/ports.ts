import type { ChannelReport } from '../domain/channel-report.ts';
import type { NotificationId } from '../domain/ids.ts';
import type { Outcome, Reason } from '../domain/outcome.ts';
import type { PreviewedMessage, PreviewInput } from '../domain/preview.ts';
import type { ReloadResult } from '../domain/reload.ts';
import type { Secret } from '../domain/secret.ts';
import type { Store } from '../domain/store.ts';

/** What the pages and the API need of the store. */
export type WebStore = Pick<
  Store,
  'notifications' | 'notification' | 'body' | 'deliveries' | 'delivery' | 'act' | 'ping'
>;

/** What they need of the lanes. */
export interface Engine {
  /** Every configured channel, in the order of the configuration. */
  states(): readonly ChannelReport[] | Promise<readonly ChannelReport[]>;
  /** Something became due in the channel. */
  wake(channel: string): void;
  /** A person resumed the channel: paused robots are tried at once. */
  resume(channel: string): void | Promise<void>;
}

export type Readiness =
  | { readonly isReady: true }
  /** Why requests should go elsewhere, e.g. `draining` or `store_not_writable`. */
  | { readonly isReady: false; readonly reason: string };

/** How a test card fared on the live path. */
export interface ChannelTest {
  readonly notificationId: NotificationId;
  /** undefined: no verdict within the time a request may wait; the card goes on trying. */
  readonly outcome: Outcome | undefined;
  readonly reason: Reason | undefined;
  readonly providerCode: string | undefined;
  readonly providerText: string | undefined;
  /** What to do about it; '' when delivered. */
  readonly advice: string;
}

/** Everything the web side takes from the rest of the program. */
export interface WebDeps {
  readonly store: WebStore;
  readonly engine: Engine;
  /** Read at each request: a reload may change it. */
  readonly adminToken: () => Secret;
  readonly version: string;
  readonly readiness: () => Readiness;
  readonly scrape: () => Promise<string>;
  readonly scrapeContentType: string;
  readonly preview: (input: PreviewInput) => Promise<readonly PreviewedMessage[]>;
  /** Sends a test card, or `payload` as a test, to one known channel through the live path. */
  readonly testChannel: (channel: string, payload: string | undefined) => Promise<ChannelTest>;
  readonly reload: () => Promise<ReloadResult>;
}
