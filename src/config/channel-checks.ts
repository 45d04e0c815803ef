import { type EgressSettings, PROVIDER_NAMES, type ProviderName } from '../domain/settings.ts';
import type { Issue } from './issues.ts';
import { CHANNEL_RULES } from './providers.ts';
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
    const provider = PROVIDER_NAMES.find((name) => name === text(get(channel, 'provider')));
    if (provider === undefined) return [];
    return [...checkForm(channel, provider), ...checkRobots(channel, provider, options)];
  });
}

function checkForm(channel: Entry, provider: ProviderName): Issue[] {
  const form = get(channel, 'form');
  const value = text(form);
  const { forms } = CHANNEL_RULES[provider];
  const isOfAnother = PROVIDER_NAMES.some((other) =>
    CHANNEL_RULES[other].forms.some((known) => known === value),
  );
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
  const problem = CHANNEL_RULES[provider].robotUrl.safeParse(value).error?.issues[0]?.message;
  return problem ?? checkParts(value) ?? checkEgress(value, options);
}

function checkParts(value: string): string | undefined {
  const url = parseUrl(value);
  if (url === undefined) return undefined;
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.hash !== '') return 'must not hold a #';
  return undefined;
}

function checkEgress(value: string, { egress, checkRobotUrl }: ChannelCheckOptions): string | undefined {
  if (egress === undefined) return undefined;
  return checkRobotUrl?.(value, egress);
}
