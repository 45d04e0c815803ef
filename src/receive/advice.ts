import type { Verdict } from '../domain/outcome.ts';

type Advised = Exclude<Verdict['outcome'], 'delivered'>;

/** What a person can do about an outcome, where the reason alone does not say more. */
const BY_OUTCOME: Readonly<Record<Advised, string>> = {
  throttled: 'The robot is over its rate; the notification stays scheduled and goes out when the pause ends.',
  unavailable:
    'The chat server could not be reached; the notification stays scheduled. Check network, DNS and proxy.',
  misconfigured: "Check the robot's URL and its security settings.",
  rejected: 'The robot refused the message; a simpler form of it follows.',
  unconfirmed: 'No readable answer came; the message may or may not have been shown. It stays scheduled.',
};

const BY_REASON: Readonly<Partial<Record<Verdict['reason'], string>>> = {
  bad_signature: "The robot's secret in the configuration is not the one the chat shows: copy it anew.",
  bad_timestamp: "This server's clock is wrong: set it (NTP).",
  unknown_token:
    "The robot's URL is not known: it was deleted or copied wrong. Make a robot and set its URL.",
  ip_denied: "The robot accepts only listed addresses: add this server's to its security settings.",
  robot_disabled: 'The robot was disabled or removed from the chat: enable it or make a new one.',
  keyword_missing: "The robot demands a keyword: set `keyword` of the channel to one of the robot's.",
  egress_denied: "The robot's host is not allowed: add it to egress.allow_hosts.",
  redirect: "The robot's URL redirects: set the URL it leads to.",
  tls: 'The TLS connection failed: check the certificates, or set egress.ca_file.',
};

/** Says what to do about an attempt that did not deliver. */
export function adviceFor(verdict: Verdict): string {
  if (verdict.outcome === 'delivered') return '';
  return BY_REASON[verdict.reason] ?? BY_OUTCOME[verdict.outcome];
}
