/** Why a lane rests though it is, or may be, owed a card. */
export type RestReason =
  /** The next backed-off line comes due. */
  | 'due'
  /** A robot's token comes back. */
  | 'pacing'
  /** The first of its paused robots returns. */
  | 'robots'
  /** The way to the robots, or their answers, failed. */
  | 'backoff'
  /** The store did not answer. */
  | 'store'
  /** A person paused the channel. */
  | 'paused'
  /** Work is due and cannot be claimed: an attempt whose lease still runs, or it came after the claim. */
  | 'held';

/**
 * What a lane is doing. `idle` -> `working` by a wake; `working` -> `working` while there is work, else
 * `resting` when something is to come at a known time, else `idle`; `resting` -> `working` by its timer, or by
 * a wake where news can change the matter; anything -> `stopped`, once, for good.
 */
export type LaneState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'working' }
  | {
      readonly kind: 'resting';
      readonly why: RestReason;
      readonly until: number;
      readonly cancel: () => void;
    }
  | { readonly kind: 'stopped' };

/** Whether newly accepted work can end a rest: backoff, a failing store and a pause outlast it. */
export function isEndedByNews(why: RestReason): boolean {
  switch (why) {
    case 'due':
    case 'pacing':
    case 'robots':
    case 'held':
      return true;
    case 'backoff':
    case 'store':
    case 'paused':
      return false;
    default:
      return why satisfies never;
  }
}
