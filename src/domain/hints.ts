import type { Reason } from './outcome.ts';
import type { ProviderName } from './settings.ts';

/** What a lane may wait for besides a robot's answer. */
export type HintReason = Reason | 'paused' | 'pacing' | 'waiting';

type Hint = string | Readonly<Record<ProviderName, string>>;

const CHECK_NETWORK = 'Check DNS, firewall and proxy between Alertcard and the robot host.';
const READ_ANSWER =
  'Nobody can tell whether the card was shown. It is sent again, marked as a possible repeat.';
const SIMPLER = 'It is sent again in a simpler form. Look at the template of the channel.';
const DEAD_LETTER = 'It can be replayed: alertcard deliveries replay <id>.';

const HINTS: Readonly<Record<HintReason, Hint>> = {
  ok: 'Nothing to do.',
  rate_limited: 'The robot pauses by itself. Add a second robot to the channel if this repeats.',
  flood_guard: 'All DingTalk robots pause for some minutes. Send less from this address.',
  quota_exhausted: 'The quota of the robot is used up until tomorrow. Add a second robot to the channel.',
  dns: CHECK_NETWORK,
  connect: CHECK_NETWORK,
  tls: 'Check the certificate chain: behind an intercepting proxy set egress.ca_file.',
  connect_timeout: CHECK_NETWORK,
  reset_before_sent: CHECK_NETWORK,
  server_error: 'The provider has a fault. It is tried again by itself.',
  system_busy: 'The provider is busy. It is tried again by itself.',
  bad_signature: {
    dingtalk:
      'Copy the secret of the robot (SEC...) into the configuration, and check the clock of this host.',
    feishu: 'Copy the signing secret of the robot into the configuration, and check the clock of this host.',
  },
  bad_timestamp: 'Check the clock of this host: the provider refuses signatures more than an hour off.',
  unknown_token: 'The robot is not known: copy its webhook URL anew into the configuration.',
  ip_denied: 'Add the outgoing address of this host to the IP list in the settings of the robot.',
  robot_disabled: 'The robot was disabled or removed: enable it, or configure a new one.',
  keyword_missing: 'Set the keyword of the channel to one that the robot demands.',
  redirect: 'The robot URL answers with a redirect: configure the final URL.',
  egress_denied: 'The robot host is not allowed: add it to egress.allow_hosts.',
  bad_request:
    'The provider could not read the request: check the robot URL and the provider of the channel.',
  bare_refused: 'Even the plainest message was refused: read the text of the robot and check its settings.',
  bad_message: SIMPLER,
  too_long: SIMPLER,
  unsafe_content: 'The provider judged the content unsafe. It is sent again in a simpler form.',
  bad_mention: 'A mentioned person is not known in that chat: correct the mentions in the configuration.',
  unknown_code: 'The robot answered with an unknown code: read its text.',
  timeout: READ_ANSWER,
  reset: READ_ANSWER,
  unreadable_answer: `${READ_ANSWER} Check that no proxy or login page answers in place of the robot.`,
  gateway: READ_ANSWER,
  interrupted: READ_ANSWER,
  lease_expired: READ_ANSWER,
  expired: `It was given up after give_up_after. ${DEAD_LETTER}`,
  poison: `It ended the process five times. ${DEAD_LETTER}`,
  discarded: DEAD_LETTER,
  replaced: 'Nothing to do.',
  paused: 'A person paused the channel: alertcard channels resume <name>.',
  pacing: 'The robots are at their own rate limit. Add a second robot to the channel if this repeats.',
  waiting: 'Look at the attempts of the channel: alertcard deliveries list.',
};

/** Says in one line what a person can do about a reason. */
export function hintFor(reason: HintReason, provider: ProviderName): string {
  const hint = HINTS[reason];
  return typeof hint === 'string' ? hint : hint[provider];
}
