/**
 * Limits of DingTalk's custom robots.
 * https://open.dingtalk.com/document/development/custom-robots-send-group-messages
 */

/**
 * Ours for the whole request body, bytes. The robot refuses past 20,000 (460101), and does not say
 * whether it measures the JSON or the text in it.
 */
export const MAX_REQUEST_BYTES = 18_000;

/** Members one message may mention. */
export const MAX_MENTIONS = 50;

/** Not documented; more than these do not fit on a phone. */
export const MAX_BUTTONS = 5;

/** The robot takes 20 messages a minute and mutes itself for ten minutes past that. Ours, below it. */
export const MESSAGES_PER_MINUTE = 18;

/** How long a robot stays mute after more than 20 messages in a minute, ms. */
export const MUTE_MS = 10 * 60_000;

/** How long the flood guard blocks an address after too many calls, ms: five minutes or more. */
export const FLOOD_GUARD_MS = 5 * 60_000;

/** Not documented: ours, so that a huge alert name leaves room for the card. Code points. */
export const MAX_TITLE_CHARS = 200;
export const MAX_BUTTON_CHARS = 40;
