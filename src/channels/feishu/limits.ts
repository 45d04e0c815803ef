/**
 * Limits of Feishu's custom bots.
 * https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */

/** Ours for the whole request body, bytes: the vendor says 20 KB and not which kind of K. */
export const MAX_REQUEST_BYTES = 20_000;

/** Not documented; ours. */
export const MAX_MENTIONS = 50;

/** Not documented; more than these do not fit on a phone. */
export const MAX_BUTTONS = 5;

/** Buttons side by side before they get too narrow to read. */
export const BUTTONS_PER_ROW = 3;

/** `header.text_tag_list` takes three. */
export const MAX_TAGS = 3;

/** The vendor takes 5 messages a second and 100 a minute. Ours, below it. */
export const MESSAGES_PER_SECOND = 4;
export const MESSAGES_PER_MINUTE = 90;

/** Bytes that `"timestamp":"1700000000","sign":"<44 characters>",` adds to a body. */
export const SIGNATURE_BYTES = 79;

/** Not documented: ours, so that a huge alert name leaves room for the card. Code points. */
export const MAX_TITLE_CHARS = 200;
export const MAX_BUTTON_CHARS = 40;
export const MAX_TAG_CHARS = 40;
