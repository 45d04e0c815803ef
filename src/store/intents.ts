import type { Accepted, AcceptResult } from '../domain/accepted.ts';
import type { ErrorCode } from '../domain/errors.ts';
import type { AttemptId, DeliveryId } from '../domain/ids.ts';
import type { Reason } from '../domain/outcome.ts';
import type {
  ActResult,
  BrokenNote,
  ExpireRequest,
  RetentionRequest,
  SourceDefaults,
  StoreAction,
} from '../domain/store.ts';
import type { ClaimRequest, Settlement, SettleResult, Work } from '../domain/work.ts';
import type { Connection } from './connection.ts';

/** A claim with the names of the attempt it may open: randomness comes from the caller. */
export interface ClaimIntent {
  readonly request: ClaimRequest;
  readonly attemptId: AttemptId;
  readonly token: string;
}

/** One write, as it travels to the writer thread. */
export type Intent =
  | { readonly kind: 'accept'; readonly accepted: Accepted }
  | { readonly kind: 'claim'; readonly claim: ClaimIntent }
  | {
      readonly kind: 'settle';
      readonly token: string;
      readonly settlement: Settlement;
      readonly thenClaim: ClaimIntent | undefined;
    }
  | { readonly kind: 'release'; readonly token: string }
  | { readonly kind: 'act'; readonly action: StoreAction }
  | { readonly kind: 'expire'; readonly request: ExpireRequest }
  | { readonly kind: 'reap' }
  | { readonly kind: 'prune'; readonly retention: RetentionRequest }
  | {
      readonly kind: 'rehome';
      readonly channel: string;
      readonly defaults: SourceDefaults;
      /** Enough ids for the copies of one slice. */
      readonly newIds: readonly DeliveryId[];
    }
  | { readonly kind: 'wakeChannel'; readonly channel: string }
  | { readonly kind: 'noteBroken'; readonly channel: string; readonly broken: BrokenNote | null }
  | { readonly kind: 'tellDeaths'; readonly channel: string; readonly count: number };

export type IntentOf<K extends Intent['kind']> = Extract<Intent, { readonly kind: K }>;

/** What each intent is answered with. */
export interface Answers {
  readonly accept: AcceptResult;
  readonly claim: Work | undefined;
  readonly settle: SettleResult;
  readonly release: boolean;
  readonly act: ActResult;
  readonly expire: { readonly dead: number };
  readonly reap: { readonly reaped: number };
  readonly prune: { readonly pruned: number; readonly more: boolean };
  /** `more` asks for another slice. */
  readonly rehome: { readonly moved: number; readonly more: boolean };
  readonly wakeChannel: { readonly more: boolean };
  readonly noteBroken: null;
  readonly tellDeaths: null;
}

/** Deaths that no answer counts: of lines found poisonous by a claim, and by a person's discard. For the event `died`. */
export interface Deaths {
  readonly channel: string;
  readonly reason: Reason;
  readonly count: number;
}

/** One intent being applied: the connection inside its transaction, the time, and the deaths it brings. */
export interface Turn {
  readonly db: Connection;
  /** Epoch ms of the scheduling clock. */
  readonly now: number;
  readonly deaths: Deaths[];
  /** What the quota leaves for bodies, counted down within the transaction. */
  roomBytes: number;
}

export type Answer =
  | { readonly kind: 'ok'; readonly value: Answers[keyof Answers] }
  | { readonly kind: 'failed'; readonly code: ErrorCode; readonly message: string };

/** What the writer thread is told. */
export type WriterRequest =
  | { readonly kind: 'batch'; readonly now: number; readonly intents: readonly Intent[] }
  | { readonly kind: 'ping'; readonly id: number }
  | { readonly kind: 'close' };

export type BatchReply =
  /** The lock was not to be had within the busy timeout; nothing was written. */
  | { readonly kind: 'busy' }
  | {
      readonly kind: 'done';
      readonly answers: readonly Answer[];
      /** Time between BEGIN and the end of COMMIT. */
      readonly commitMs: number;
      readonly deaths: readonly Deaths[];
      /** Whether the quota leaves ample room for notifications. */
      readonly hasRoom: boolean;
      /** Why a write failed, `''` when none did. */
      readonly trouble: string;
      /** The writer must not go on. */
      readonly isFatal: boolean;
    };

/** What the writer thread says. */
export type WriterReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly message: string }
  | { readonly kind: 'batch'; readonly reply: BatchReply }
  | { readonly kind: 'pong'; readonly id: number };

export interface WriterData {
  readonly path: string;
  readonly maxSizeBytes: number;
  readonly busyTimeoutMs: number;
  /** Epoch ms of the scheduling clock at start. */
  readonly now: number;
}
