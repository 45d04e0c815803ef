import type { Additions, Adopted, Card, Dialect, Message } from '../domain/card.ts';
import type { Verdict } from '../domain/outcome.ts';
import type { Pacing, ProviderName, RobotSettings, Rung } from '../domain/settings.ts';

/** What came back over the wire, before anyone believed it. */
export type Answer =
  | {
      readonly kind: 'answered';
      readonly httpStatus: number;
      /** Lower-case names. */
      readonly headers: Readonly<Record<string, string>>;
      /** At most 64 KiB. */
      readonly body: string;
      /** The answer was longer than the cap or ended before its declared length. */
      readonly isCutOff: boolean;
    }
  | {
      /** The request was not fully written: nothing can have arrived. */
      readonly kind: 'not_sent';
      readonly cause: 'dns' | 'connect' | 'tls' | 'connect_timeout' | 'reset_before_sent' | 'egress_denied';
      readonly text: string;
    }
  | {
      /** The request was written and no readable answer came. */
      readonly kind: 'no_answer';
      readonly cause: 'timeout' | 'reset';
      readonly text: string;
    };

export interface SignedRequest {
  /** Holds the robot's token: never logged. */
  readonly url: string;
  /** The exact UTF-8 body. */
  readonly body: string;
}

/** A chat platform: a folder of the same files, joined by one object of this shape. Pure. */
export interface Provider {
  readonly name: ProviderName;
  readonly limits: {
    /** Our limit on the final request body in bytes, below the vendor's. */
    readonly maxRequestBytes: number;
    readonly maxMentions: number;
    readonly maxButtons: number;
  };
  readonly defaultPacing: Pacing;
  dialect(rung: Rung): Dialect;
  /** Builds the message of a rung; inserts the keyword where the provider looks for it, and mention markers. */
  encode(card: Card, rung: Rung, keyword: string): Message;
  /** Checks a message that a template wrote in the vendor's own JSON, and puts in what it could not know. */
  adopt(json: unknown, rung: Rung, additions: Additions): Adopted;
  /** Bytes of the final request body, signature fields included. */
  requestBytes(message: Message, isSigned: boolean): number;
  /** Adds the signature for this instant. `nowMs` is the true wall clock at the moment of sending. */
  sign(message: Message, robot: RobotSettings, nowMs: number): SignedRequest;
  /** Reads an answer: transport failure, then the provider's own code, then the HTTP status. Total. */
  classify(answer: Answer): Verdict;
}
