import { z } from 'zod';

/** What a provider knows of its own robots' addresses. A host it does not know may have any path. */
export interface RobotUrlRules {
  /** Hosts of the vendor, and what is wrong with a URL on one of them; undefined when nothing is. */
  readonly hosts: readonly string[];
  readonly problem: (url: URL) => string | undefined;
  /** Hosts of other providers, to the name that the channel should have. */
  readonly others: Readonly<Record<string, string>>;
}

/** A robot's URL as configured. Messages never repeat the URL, because it holds the token. */
export function robotUrlSchema(rules: RobotUrlRules): z.ZodType<string> {
  return z.string().superRefine((text, context) => {
    const message = problemOf(text.trim(), rules);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  });
}

function problemOf(text: string, rules: RobotUrlRules): string | undefined {
  if (text === '') return 'the robot has no URL: copy the webhook address from its settings in the chat';
  if (!URL.canParse(text)) return 'not a URL: copy the whole webhook address, starting with https://';
  const url = new URL(text);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https://';
  const other = rules.others[url.hostname];
  if (other !== undefined) return `this is a robot of another chat: set provider to ${other}`;
  return rules.hosts.includes(url.hostname) ? rules.problem(url) : undefined;
}
