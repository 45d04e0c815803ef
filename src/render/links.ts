import type { Labels } from '../domain/alert.ts';
import type { LinkSettings } from '../domain/settings.ts';

/** Rewrites and checks links; '' is a link that is missing or not fit to be shown. */
export interface Links {
  /** A link that came with a notification, or from an annotation. */
  usable(url: string): string;
  /** Loki's logs for the alert's labels around its time; '' when not configured or no label is there. */
  logs(query: LogsQuery): string;
}

export interface LogsQuery {
  /** Root of Grafana, as sent. */
  readonly root: string;
  readonly org: string;
  readonly labels: Labels;
  /** Label names; those of the configuration when empty. */
  readonly names: readonly string[];
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
}

/** Logs are shown from so long before an alert's start, and until so long after its end. */
const LOGS_MARGIN_MS = 15 * 60_000;

/** Explore wants exactly three characters, one of them a letter, as the name of a pane. */
const PANE = 'alc';

export function makeLinks(settings: LinkSettings): Links {
  return {
    usable: (url) => usableLink(url, settings),
    logs: (query) => logsLink(query, settings),
  };
}

/** An http(s) link in its normal form, anything else ''. */
export function webLink(url: string): string {
  return parseWeb(url)?.href ?? '';
}

function parseWeb(url: string): URL | undefined {
  const text = url.trim();
  if (!/^https?:\/\//iu.test(text)) return undefined;
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Grafana's root defaults to localhost; such a link leads nowhere from a phone. */
function usableLink(url: string, settings: LinkSettings): string {
  const link = url === '' ? undefined : parseWeb(rewrite(url.trim(), settings.rewrites));
  return link === undefined || isLocal(link.hostname) ? '' : link.href;
}

/** The first rewrite whose prefix ends where a part of the URL ends. */
function rewrite(url: string, rewrites: LinkSettings['rewrites']): string {
  for (const { from, to } of rewrites) {
    if (!url.startsWith(from)) continue;
    const rest = url.slice(from.length);
    if (rest === '' || from.endsWith('/') || /^[/?#]/u.test(rest)) return join(to, rest, from);
  }
  return url;
}

function join(to: string, rest: string, from: string): string {
  if (from.endsWith('/') && !to.endsWith('/')) return `${to}/${rest}`;
  return to.endsWith('/') && rest.startsWith('/') ? `${to.slice(0, -1)}${rest}` : `${to}${rest}`;
}

function isLocal(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/u, '');
  return /^(?:localhost|.*\.localhost|127\..*|0\.0\.0\.0|\[::1?\])$/u.test(name);
}

/** A path of Grafana below its root. */
export function below(root: string, path: string): string {
  return root === '' ? '' : `${root.replace(/\/+$/u, '')}/${path}`;
}

/**
 * One silence link for several alerts: the matchers their own links share. '' when these would silence
 * more than one rule, which nobody pressing the button would expect.
 */
export function commonSilence(urls: readonly string[]): string {
  const [first, ...others] = urls;
  if (first === undefined || urls.includes('')) return '';
  const [page = '', query = ''] = first.split('?', 2);
  const shared = new Set(query.split('&'));
  for (const url of others) {
    const parts = new Set(url.split('?', 2)[1]?.split('&'));
    for (const part of shared) if (!parts.has(part)) shared.delete(part);
  }
  const namesOneRule = [...shared].some((part) =>
    /^matchers?=(?:__alert_rule_uid__|alertname)%3D/u.test(part),
  );
  return namesOneRule ? `${page}?${[...shared].join('&')}` : '';
}

function logsLink(query: LogsQuery, settings: LinkSettings): string {
  const { logs } = settings;
  if (logs === undefined) return '';
  const root = usableLink(query.root, settings);
  const names = query.names.length > 0 ? query.names : logs.labels;
  const present = names.filter((name) => (query.labels[name] ?? '') !== '');
  if (root === '' || present.length === 0) return '';
  const selector = present.map((name) => `${name}="${escapeLogql(query.labels[name] ?? '')}"`).join(', ');
  const pane = paneOf(logs.datasourceUid, `{${selector}}`, query);
  const org = query.org === '' ? '' : `&orgId=${encodeURIComponent(query.org)}`;
  const search =
    logs.grafana >= 10
      ? `schemaVersion=1&panes=${encodeURIComponent(JSON.stringify({ [PANE]: pane }))}`
      : `left=${encodeURIComponent(JSON.stringify(pane))}`;
  return below(root, `explore?${search}${org}`);
}

function paneOf(uid: string, expr: string, query: LogsQuery): Readonly<Record<string, unknown>> {
  const queryOf = { refId: 'A', expr, queryType: 'range', datasource: { type: 'loki', uid } };
  return { datasource: uid, queries: [queryOf], range: rangeOf(query) };
}

/** Explore takes the ends of a range as strings only. */
function rangeOf({ startedAt, endedAt }: LogsQuery): { readonly from: string; readonly to: string } {
  if (startedAt === undefined) return { from: 'now-1h', to: 'now' };
  const to = endedAt === undefined ? 'now' : String(endedAt + LOGS_MARGIN_MS);
  return { from: String(startedAt - LOGS_MARGIN_MS), to };
}

function escapeLogql(value: string): string {
  return value.replace(/[\\"]/gu, '\\$&').replaceAll('\n', '\\n');
}
