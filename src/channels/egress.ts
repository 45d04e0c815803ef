import type { EgressSettings } from '../domain/settings.ts';
import { literalAddress, type Reach, reachOf } from './addresses.ts';

/** The vendors' own robot hosts. */
const VENDOR_HOSTS: readonly string[] = ['oapi.dingtalk.com', 'open.feishu.cn', 'open.larksuite.com'];

type Rules = Pick<EgressSettings, 'allowHosts' | 'allowPrivate'>;

export type UrlCheck = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/**
 * Says whether a robot's URL may be called at all; a problem never repeats the URL. The addresses
 * behind a name are checked when it is dialled (`permitsAddress`), because they may change.
 */
export function checkRobotUrl(text: string, rules: Rules): UrlCheck {
  if (!URL.canParse(text)) return { ok: false, problem: 'not a URL' };
  const url = new URL(text);
  const problem = formProblem(url) ?? hostProblem(url, rules) ?? transportProblem(url, rules);
  return problem === undefined ? { ok: true } : { ok: false, problem };
}

/** Whether an address behind the URL may be dialled. In the clear, or on an unusual port: only a private one. */
export function permitsAddress(url: URL, address: string, rules: Rules): boolean {
  const reach = reachOf(address);
  if (reach === 'public') return isFitForPublic(url, rules);
  return reach === 'private' && rules.allowPrivate;
}

function formProblem(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https://';
  return url.username === '' && url.password === '' ? undefined : 'must not hold a user name or password';
}

function hostProblem(url: URL, rules: Rules): string | undefined {
  const reach = knownReach(url);
  if (reach === 'never') return `${url.hostname} is not an address a robot can have`;
  if (reach === 'private')
    return rules.allowPrivate
      ? undefined
      : `${url.hostname} is a private or loopback address: set egress.allow_private to true to call it`;
  const isListed = rules.allowHosts.includes(url.hostname) || rules.allowHosts.includes(url.host);
  if (isListed || VENDOR_HOSTS.includes(url.hostname)) return undefined;
  return `${url.hostname} is not a robot host: add it to egress.allow_hosts to call it`;
}

function transportProblem(url: URL, rules: Rules): string | undefined {
  const mayBePrivate = rules.allowPrivate && knownReach(url) !== 'public' && !isVendor(url);
  if (mayBePrivate || isFitForPublic(url, rules)) return undefined;
  return url.protocol === 'http:'
    ? 'must start with https:// (http only to private addresses, with egress.allow_private)'
    : `port ${url.port} is not the usual one: add ${url.host} to egress.allow_hosts to call it`;
}

/** https on the default port, or on one that `allow_hosts` names. */
function isFitForPublic(url: URL, rules: Rules): boolean {
  return url.protocol === 'https:' && (url.port === '' || rules.allowHosts.includes(url.host));
}

/** What can be known of a host without asking DNS; undefined for a name. */
function knownReach(url: URL): Reach | undefined {
  const address = literalAddress(url.hostname);
  if (address !== undefined) return reachOf(address);
  return url.hostname === 'localhost' ? 'private' : undefined;
}

function isVendor(url: URL): boolean {
  return VENDOR_HOSTS.includes(url.hostname);
}
