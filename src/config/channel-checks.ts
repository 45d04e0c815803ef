import type { EgressSettings, ProviderName } from '../domain/settings.ts';
import type { Issue } from './issues.ts';
import { PROVIDER_FACTS, PROVIDERS, type ProviderFacts } from './provider-facts.ts';
import { children, type Entry, get, text } from './tree.ts';
import { parseUrl } from './values.ts';

/** Says why a robot's URL may not be called, or undefined; handed in by whoever sends. */
export type CheckRobotUrl = (url: string, egress: EgressSettings) => string | undefined;

export interface ChannelCheckOptions {
  /** undefined when that section is itself in error. */
  readonly egress: EgressSettings | undefined;
  readonly checkRobotUrl: CheckRobotUrl | undefined;
}

/** What the provider of a channel allows: its forms and the shape of its robots' URLs. */
export function checkChannels(tree: unknown, options: ChannelCheckOptions): Issue[] {
  return children(get({ path: [], value: tree }, 'channels')).flatMap((channel) => {
    const provider = PROVIDERS.find((name) => name === text(get(channel, 'provider')));
    if (provider === undefined) return [];
    return [...checkForm(channel, provider), ...checkRobots(channel, provider, options)];
  });
}

function checkForm(channel: Entry, provider: ProviderName): Issue[] {
  const form = get(channel, 'form');
  const value = text(form);
  const { forms } = PROVIDER_FACTS[provider];
  const isOfAnother = PROVIDERS.some((other) => PROVIDER_FACTS[other].forms.some((known) => known === value));
  if (!isOfAnother || forms.some((known) => known === value)) return [];
  return [{ path: form.path, message: `${provider} has no such form: use one of ${forms.join(', ')}` }];
}

function checkRobots(channel: Entry, provider: ProviderName, options: ChannelCheckOptions): Issue[] {
  const seen = new Set<string>();
  return children(get(channel, 'robots')).flatMap((robot) => {
    const url = get(robot, 'url');
    const value = text(url);
    if (value === undefined || value === '') return [];
    const isRepeated = seen.has(value);
    seen.add(value);
    const message = isRepeated ? 'is the same robot as one above' : checkUrl(value, provider, options);
    return message === undefined ? [] : [{ path: url.path, message }];
  });
}

/** Never quotes the URL: it is a credential. */
function checkUrl(value: string, provider: ProviderName, options: ChannelCheckOptions): string | undefined {
  const facts = PROVIDER_FACTS[provider];
  const url = parseUrl(value);
  if (url === undefined) return `is not a URL; it looks like ${facts.urlShape}`;
  const other = PROVIDERS.find((name) => name !== provider && isOn(url, PROVIDER_FACTS[name]));
  if (other !== undefined) return `is the URL of a ${other} robot, but the channel's provider is ${provider}`;
  if (isOn(url, facts)) {
    const wrong = facts.checkUrl(url);
    if (wrong !== undefined) return `${wrong}; it looks like ${facts.urlShape}`;
  }
  return checkAddress(url) ?? checkEgress(value, options);
}

function checkAddress(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must begin with https://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not hold a #';
  return undefined;
}

function checkEgress(value: string, { egress, checkRobotUrl }: ChannelCheckOptions): string | undefined {
  if (egress === undefined) return undefined;
  return checkRobotUrl?.(value, egress);
}

function isOn(url: URL, facts: ProviderFacts): boolean {
  return facts.hosts.includes(url.hostname);
}
