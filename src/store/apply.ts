import { act } from './acts.ts';
import { release } from './attempts.ts';
import { noteBroken, tellDeaths } from './channel-state.ts';
import { claim } from './claim.ts';
import { type ExpiryCursors, expire } from './expire.ts';
import { accept } from './inbox.ts';
import type { Answers, Intent, Turn } from './intents.ts';
import { wakeChannel } from './lines.ts';
import { type PruneCursor, prune } from './prune.ts';
import { reap } from './recover.ts';
import { rehome } from './rehome.ts';
import { settle } from './settle.ts';

/** Positions of walks through the tables; losing them only starts a walk anew. */
export interface Cursors {
  readonly expiry: ExpiryCursors;
  readonly prune: PruneCursor;
}

/** Carries out one intent inside the open transaction. */
export function apply(turn: Turn, intent: Intent, cursors: Cursors): Answers[keyof Answers] {
  switch (intent.kind) {
    case 'accept':
      return accept(turn, intent.accepted);
    case 'claim':
      return claim(turn, intent.claim);
    case 'settle':
      return settle(turn, intent);
    case 'release':
      return release(turn, intent.token);
    case 'act':
      return act(turn, intent.action);
    case 'expire':
      return expire(turn, intent.request, cursors.expiry);
    case 'reap':
      return reap(turn);
    case 'prune':
      return prune(turn, intent.retention, cursors.prune);
    case 'rehome':
      return rehome(turn, intent);
    case 'wakeChannel':
      return wakeChannel(turn, intent.channel);
    case 'noteBroken':
      noteBroken(turn, intent.channel, intent.broken);
      return null;
    case 'tellDeaths':
      tellDeaths(turn, intent.channel, intent.count);
      return null;
  }
}
