import type { ErrorCode } from './errors.ts';
import type { Outcome, Reason } from './outcome.ts';

/** What to do about each refusal, in one line; docs/errors.md is made of it. */
export const ERROR_ADVICE: Readonly<Record<ErrorCode, string>> = {
  signature_missing: 'Set the HMAC secret in the contact point, or the header name in `auth.hmac.header`.',
  signature_mismatch: 'Set the same secret on both sides; let no proxy change the body.',
  signature_repeated: 'Send the signature header once: a proxy may be adding a second.',
  timestamp_missing:
    'Set the contact point\'s timestamp header, or `timestamp_header: ""` to do without protection against replay.',
  timestamp_out_of_window:
    'Set the clocks of Grafana and this machine right (NTP), or raise `auth.hmac.tolerance`.',
  credentials_wrong: 'Set the same user and password, or token, on both sides.',
  admin_token_wrong:
    'Send `Authorization: Bearer` with `server.admin_token`, or what the file `admin-token` holds.',
  unknown_source: 'Post to `/hooks/{source}` with a name that stands under `sources`.',
  unknown_channel:
    'Use one of the channels that the answer names, or add it to `allow_channels` of the source.',
  not_found: 'Look the path or the id up: it may have been pruned.',
  empty_body: 'Send the notification as the body of the request.',
  bad_request: 'Correct what the answer names.',
  method_not_allowed: 'Post to hooks; the answer names the methods of this path.',
  request_too_slow: 'Look at the network between Grafana and here: the request did not arrive in time.',
  wrong_state:
    'Only a dead letter can be replayed; a delivery that waits and a dead letter can be discarded.',
  body_too_large: 'Set "Max alerts" in the contact point, or raise `server.body_limit`.',
  content_encoding_unsupported: 'Send the body uncompressed.',
  test_not_delivered: 'Do what the answer says about the robot: the way from Grafana to here is fine.',
  internal_error: 'Report it with the log line of the same time.',
  store_outcome_unknown:
    'Nothing: Grafana repeats the notification, and a copy that was kept shows as a duplicate.',
  store_unavailable: 'Look at `/readyz` for the reason: disk full, read-only, or the store shut down.',
  overloaded: 'Nothing if it is short: Grafana repeats. Otherwise look at `commit_seconds` and the disk.',
  config_invalid: 'Correct the listed problems; `alertcard check` shows them without starting.',
  template_invalid: 'Correct the template at the place named; `alertcard preview` shows the result.',
  store_corrupt:
    'Keep the file, restore a backup or start with an empty one; Grafana repeats what still fires.',
  store_foreign: 'Set `store.url` to a path of its own: the file there belongs to another program.',
  store_newer: 'Run the newer release that wrote the file, or restore a backup made before it.',
  store_in_use: 'Stop the other server named in the message: one file has one server.',
  store_not_durable: 'Move the file to a local disk: this file system cannot promise that a commit stays.',
  server_unreachable: 'Start the server, or say where it runs with `--server`.',
};

/** What each outcome of an attempt means; docs/outcomes.md is made of it. */
export const OUTCOME_MEANINGS: Readonly<Record<Outcome, string>> = {
  delivered: 'The robot said so with its own success code.',
  throttled: 'The vendor limits the rate: the robot pauses, the cards wait.',
  unavailable: 'The request cannot have arrived, or the vendor is busy: the channel waits and tries again.',
  misconfigured: 'The robot refuses us until somebody changes a setting: it pauses and is probed.',
  rejected: 'The robot refuses this message: the next simpler form goes out at once.',
  unconfirmed: 'No readable answer came: tried again, marked as a possible repeat.',
};

/** What each reason says; docs/outcomes.md is made of it. */
export const REASON_MEANINGS: Readonly<Record<Reason, string>> = {
  ok: 'Delivered.',
  rate_limited: 'Too many requests to the robot.',
  flood_guard: "The vendor's flood guard answers for this address.",
  quota_exhausted: 'The quota of the day is used up.',
  dns: "The robot's host was not found.",
  connect: 'No connection came about.',
  tls: 'The certificate was not accepted.',
  connect_timeout: 'The connection took too long.',
  reset_before_sent: 'The connection broke before the request was written.',
  server_error: 'The vendor answered with a server error.',
  system_busy: 'The vendor says it is busy.',
  bad_signature: 'The robot refuses the signature.',
  bad_timestamp: 'The robot refuses the time of the request.',
  unknown_token: 'The robot does not exist.',
  ip_denied: "This machine's address is not allowed.",
  robot_disabled: 'The robot is switched off or removed.',
  keyword_missing: 'The robot demands a word that the message lacks.',
  redirect: 'The address answers with a redirect, which is never followed.',
  egress_denied: 'The address may not be called.',
  bad_request: 'The robot does not accept the request as such.',
  bare_refused: 'Even the simplest form was refused.',
  bad_message: 'The robot refuses the form of the message.',
  too_long: 'The robot finds the message too long.',
  unsafe_content: 'The vendor refuses the words of the message.',
  bad_mention: 'The robot does not know somebody mentioned.',
  unknown_code: 'The robot refuses with a code nobody has documented.',
  timeout: 'No answer came in time.',
  reset: 'The connection broke before the answer.',
  unreadable_answer: "The answer is not of the vendor's form.",
  gateway: 'A gateway answered that it had no answer.',
  interrupted: 'This program stopped during the attempt.',
  lease_expired: 'The attempt took longer than it may.',
  expired: 'Older than `give_up_after`.',
  poison: 'The program died five times over it.',
  discarded: 'A person ended it.',
  replaced: 'Something newer took its place.',
};
