import type { Matcher } from './matcher.ts';
import type { Secret } from './secret.ts';

/**
 * The configuration as the program uses it: defaults applied, secrets resolved, cross-checked.
 * `config/` produces it; everything else only reads it. All durations in ms, all sizes in bytes.
 */
export interface Settings {
  readonly server: ServerSettings;
  readonly store: StoreSettings;
  readonly defaults: { readonly locale: Locale; readonly timezone: string };
  /** A team's own templates, shadowing the built-in ones by name; undefined when none. Absolute path. */
  readonly templatesDir: string | undefined;
  readonly severity: SeveritySettings;
  readonly links: LinkSettings;
  readonly egress: EgressSettings;
  readonly sources: ReadonlyMap<string, SourceSettings>;
  readonly channels: ReadonlyMap<string, ChannelSettings>;
  readonly routes: readonly RouteSettings[];
  readonly mentions: readonly MentionRule[];
  /** Hosts the sandbox's look-alike robots listen on; empty outside the sandbox. */
  readonly sandbox: boolean;
}

export type Locale = 'zh-CN' | 'en';
export const PROVIDER_NAMES = ['dingtalk', 'feishu'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** '' when not set; no trailing slash. */
  readonly publicUrl: string;
  /** undefined: one is made in `<data>/admin-token` at first start. */
  readonly adminToken: Secret | undefined;
  readonly bodyLimitBytes: number;
  /** How long /readyz says 503 while requests are still accepted on SIGTERM. */
  readonly drainDelayMs: number;
}

export interface StoreSettings {
  /** Absolute path of the SQLite file. */
  readonly path: string;
  readonly retention: {
    readonly deliveredMs: number;
    readonly bodiesMs: number;
    readonly deadMs: number;
    readonly maxSizeBytes: number;
  };
}

export interface SeveritySettings {
  readonly label: string;
  /** Worst first; a label value is looked up without regard to case. */
  readonly ranks: readonly { readonly name: string; readonly values: readonly string[] }[];
}

export interface LinkSettings {
  readonly rewrites: readonly { readonly from: string; readonly to: string }[];
  /** undefined: no logs link. `grafana` is the major version: 10+ uses panes, 8 and 9 use left. */
  readonly logs:
    | { readonly datasourceUid: string; readonly labels: readonly string[]; readonly grafana: number }
    | undefined;
  readonly images: 'link' | 'public';
}

export interface EgressSettings {
  readonly allowHosts: readonly string[];
  readonly allowPrivate: boolean;
  /** '' when none. A proxy URL may carry a password, hence a secret. */
  readonly proxy: Secret | undefined;
  readonly caFile: string;
}

export interface SourceSettings {
  readonly name: string;
  readonly auth: SourceAuth;
  readonly dedupWindowMs: number;
  /** Where alerts go that no route matches. Never empty. */
  readonly channels: readonly string[];
  /** For the path form; empty means all. */
  readonly allowChannels: readonly string[];
}

export type SourceAuth =
  | {
      readonly kind: 'hmac';
      readonly secrets: readonly Secret[];
      /** Lower case. */
      readonly header: string;
      /** Lower case, the first that is present counts; empty means no timestamp is expected (no replay protection). */
      readonly timestampHeaders: readonly string[];
      readonly toleranceMs: number;
    }
  | { readonly kind: 'bearer'; readonly secrets: readonly Secret[] }
  /** Each secret is `user:password`. */
  | { readonly kind: 'basic'; readonly secrets: readonly Secret[] }
  | { readonly kind: 'none' };

export interface RobotSettings {
  readonly url: Secret;
  /** undefined: the robot does not ask for a signature. */
  readonly secret: Secret | undefined;
  /** Hash of the URL: names the robot in the store, in pacing and in pauses without revealing it. */
  readonly key: string;
}

/** When to mention: alerts newly firing, a reminder in which nothing changed, alerts resolved. */
export type MentionEvent = 'firing' | 'reminder' | 'resolved';

export interface ChannelSettings {
  readonly name: string;
  readonly provider: ProviderName;
  readonly robots: readonly RobotSettings[];
  /** Put into every message when a robot demands one; '' when none does. */
  readonly keyword: string;
  /** The first rung: dingtalk card, markdown or text; feishu card2, card1 or text. */
  readonly form: Rung;
  readonly template: string;
  readonly locale: Locale;
  /** IANA name. */
  readonly timezone: string;
  readonly sendResolved: boolean;
  readonly group: 'together' | 'each';
  readonly mention: { readonly all: boolean; readonly on: readonly MentionEvent[] };
  /** Name of the channel that hears when this one is broken; undefined when none. */
  readonly fallback: string | undefined;
  readonly brokenAfterMs: number;
  readonly lateAfterMs: number;
  readonly giveUpAfterMs: number;
  readonly pacing: Pacing;
  readonly digestAbove: number;
}

/** Our own limit per robot, below the vendor's; every POST takes a token. */
export interface Pacing {
  /** undefined: no limit per second. */
  readonly perSecond: number | undefined;
  /** 0 means pacing is off (benchmarks and tests only). */
  readonly perMinute: number;
}

export interface RouteSettings {
  readonly matchers: readonly Matcher[];
  readonly channels: readonly string[];
  readonly mentionAll: boolean;
  readonly continue: boolean;
}

export interface MentionRule {
  readonly matchers: readonly Matcher[];
  readonly dingtalk: { readonly mobiles: readonly string[]; readonly userIds: readonly string[] };
  readonly feishu: { readonly openIds: readonly string[]; readonly userIds: readonly string[] };
}

/** The forms a card falls back through; `bare` holds our own words only. */
export type Rung = 'card' | 'card2' | 'card1' | 'markdown' | 'text' | 'bare';

/** The ladder of each provider, best form first. A channel starts at its `form`. */
export const LADDERS: Readonly<Record<ProviderName, readonly Rung[]>> = {
  dingtalk: ['card', 'markdown', 'text', 'bare'],
  feishu: ['card2', 'card1', 'text', 'bare'],
};
