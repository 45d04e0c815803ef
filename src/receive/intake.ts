import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../domain/clock.ts';
import type { SourceSettings } from '../domain/settings.ts';
import type { AcceptRequest } from './accept.ts';
import { MAX_STREAMED_BYTES, MAX_WAIT_FOR_SPACE_MS, type ReadBody, readBody } from './body.ts';
import { preferredWaitMs } from './prefer.ts';
import { Semaphore } from './semaphore.ts';
import { type BodyVerifier, MISMATCH, type Refusal, verifyHeaders } from './verify.ts';

/** Bytes of bodies held in memory at one time, by all requests together. */
const MAX_BYTES_IN_FLIGHT = 64 * 1_048_576;

/** Longer bodies are parsed, planned and committed one at a time: each takes a while of the one thread. */
const LARGE_BYTES = 256 * 1024;

export interface IntakeOptions {
  readonly clock: Clock;
  readonly bodyLimitBytes: number;
}

type Taken =
  | {
      readonly kind: 'refused';
      readonly refusal: Refusal;
      /** The rest of the body is not worth reading: the connection ends. */
      readonly isLast: boolean;
    }
  | {
      readonly kind: 'taken';
      readonly request: Omit<AcceptRequest, 'source' | 'pathChannel' | 'startedAt'>;
    };

/** Takes the body of a request off the wire, once its headers and then its bytes have shown who sent it. */
export interface Intake {
  take(message: IncomingMessage, source: SourceSettings): Promise<Taken>;
}

export function createIntake(options: IntakeOptions): Intake {
  const space = new Semaphore(MAX_BYTES_IN_FLIGHT, options.clock);
  const turn = new Semaphore(1, options.clock);
  return {
    async take(message, source) {
      const verdict = verifyHeaders(source.auth, message.headersDistinct, options.clock.wall());
      if (verdict.kind === 'refused') return refuse(verdict.refusal);
      const { verifier } = verdict;
      const body = await readBody(message, {
        declaredBytes: declaredBytes(message),
        limitBytes: options.bodyLimitBytes,
        space,
        onChunk: (chunk) => verifier.update(chunk),
      });
      if (body.kind !== 'read') return notRead(body, message);
      const refusal = verifier.isAuthentic() ? refusalOf(body) : refusalOfStranger(body, options);
      const isLarge = (body.bytes?.length ?? 0) > LARGE_BYTES;
      const hasTurn = refusal === undefined && (!isLarge || (await turn.acquire(1, MAX_WAIT_FOR_SPACE_MS)));
      if (!hasTurn) {
        body.release();
        return refuse(refusal ?? OVERLOADED);
      }
      const onBodyFree = () => {
        body.release();
        if (isLarge) turn.release(1);
      };
      return { kind: 'taken', request: { ...toRequest(body, message, verifier), onBodyFree } };
    },
  };
}

type WholeBody = Extract<ReadBody, { kind: 'read' }>;

const OVERLOADED: Refusal = {
  code: 'overloaded',
  detail: 'Too many large notifications at once. Set maxAlerts in the Grafana contact point.',
};

function toRequest(
  body: WholeBody,
  message: IncomingMessage,
  verifier: BodyVerifier,
): Omit<AcceptRequest, 'source' | 'pathChannel' | 'startedAt' | 'onBodyFree'> {
  const common = {
    bytes: body.length,
    bodyHash: body.hash,
    timestamp: verifier.timestamp,
    waitMs: preferredWaitMs(message.headersDistinct.prefer ?? []),
  };
  if (body.bytes !== undefined) return { ...common, body: body.bytes };
  return { ...common, body: Buffer.from(JSON.stringify({ bytes: body.length })), format: 'stub' };
}

function refusalOf(body: WholeBody): Refusal | undefined {
  if (body.length > 0) return undefined;
  return { code: 'empty_body', detail: 'A notification has a body. Check the payload template.' };
}

/** A stranger's long body is refused for its length, which says nothing about a secret. */
function refusalOfStranger(body: WholeBody, { bodyLimitBytes }: IntakeOptions): Refusal {
  if (body.bytes !== undefined) return MISMATCH;
  return {
    code: 'body_too_large',
    detail: `The body is longer than ${bodyLimitBytes} bytes and its signature does not match.`,
  };
}

function notRead(body: Exclude<ReadBody, WholeBody>, message: IncomingMessage): Taken {
  switch (body.kind) {
    case 'too_long':
      return { ...refuse(TOO_LONG), isLast: true };
    case 'no_space':
      // Half of it was read: the rest has to go by before the sender hears the answer.
      message.resume();
      return refuse(OVERLOADED);
    case 'cut_off':
      return refuse(wasTooSlow(message.socket) ? TOO_SLOW : CUT_OFF);
    default:
      return body satisfies never;
  }
}

const TOO_LONG: Refusal = {
  code: 'body_too_large',
  detail: `No body longer than ${MAX_STREAMED_BYTES} bytes is read. Set maxAlerts in the Grafana contact point.`,
};
const TOO_SLOW: Refusal = { code: 'request_too_slow', detail: 'The body did not arrive in full in time.' };
const CUT_OFF: Refusal = { code: 'bad_request', detail: 'The connection ended before the body did.' };

function refuse(refusal: Refusal): Extract<Taken, { kind: 'refused' }> {
  return { kind: 'refused', refusal, isLast: false };
}

/** Content-Length; undefined when the body comes in chunks. Node has checked that it is a number. */
function declaredBytes(message: IncomingMessage): number | undefined {
  const length = message.headers['content-length'];
  return length === undefined ? undefined : Number(length);
}

/** Whether the server itself ended this connection because the request came too slowly. */
function wasTooSlow(socket: Socket): boolean {
  const error: NodeJS.ErrnoException | null = socket.errored;
  return error?.code === 'ERR_HTTP_REQUEST_TIMEOUT';
}
