import type { Meaning } from '../http-verdict.ts';

const BAD_MESSAGE: Meaning = { outcome: 'rejected', reason: 'bad_message' };
const TOO_LONG: Meaning = { outcome: 'rejected', reason: 'too_long' };
const BUSY: Meaning = { outcome: 'unavailable', reason: 'system_busy' };
const RATE: Meaning = { outcome: 'throttled', reason: 'rate_limited' };

/** Codes that mean one thing. 11232 and 99991400 come with the wait in a header, or without one. */
const CODES: ReadonlyMap<number, Meaning> = new Map([
  [0, { outcome: 'delivered', reason: 'ok' }],
  [2200, BUSY],
  [10002, BAD_MESSAGE],
  [11232, RATE],
  [19001, { outcome: 'misconfigured', reason: 'unknown_token' }],
  [19002, BAD_MESSAGE],
  [19003, BAD_MESSAGE],
  [19004, BAD_MESSAGE],
  [19007, { outcome: 'misconfigured', reason: 'robot_disabled' }],
  // One code and one text for a wrong signature and for a clock an hour off.
  [19021, { outcome: 'misconfigured', reason: 'bad_signature' }],
  [19022, { outcome: 'misconfigured', reason: 'ip_denied' }],
  [19024, { outcome: 'misconfigured', reason: 'keyword_missing' }],
  [19036, TOO_LONG],
  [99991201, { outcome: 'misconfigured', reason: 'bad_request' }],
  [99991300, BAD_MESSAGE],
  [99991400, RATE],
]);

/** A card in a form that the bot refuses; its text names a sub-code. */
export const CARD_REFUSED = 11246;

/** Sub-codes of a refused card that say more than "this card". */
const BAD_MENTION = 100290;
const VALIDATION = 11310;

/** What a code means; undefined when nobody has documented or seen it. */
export function meaningOfCode(code: number, text: string): Meaning | undefined {
  if (code === 9499) return /size|too (?:long|large)|exceed/iu.test(text) ? TOO_LONG : BAD_MESSAGE;
  return code === CARD_REFUSED ? refusedCard(text) : CODES.get(code);
}

/** The sub-code of a refused card, as its text begins: `ErrCode: 200621; ErrMsg: …`. */
export function subCodeOf(code: number, text: string): number | undefined {
  const digits = code === CARD_REFUSED ? /\bErrCode:\s*(\d+)/u.exec(text)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}

function refusedCard(text: string): Meaning {
  const subCode = subCodeOf(CARD_REFUSED, text);
  if (subCode === BAD_MENTION) return { outcome: 'rejected', reason: 'bad_mention' };
  // Seen to pass on the next try, unlike everything else under this sub-code.
  if (subCode === VALIDATION && /cardid is invalid/iu.test(text)) return BUSY;
  return BAD_MESSAGE;
}
