import type { LookupFunction } from 'node:net';
import { Agent, type Dispatcher, ProxyAgent, request as undiciRequest } from 'undici';
import type { Clock } from '../domain/clock.ts';
import type { EgressSettings } from '../domain/settings.ts';
import { guardedConnector, trustedRoots } from './connector.ts';
import { checkRobotUrl } from './egress.ts';
import type { Answer, SignedRequest } from './provider.ts';
import { RequestBody } from './request-body.ts';
import { failureOf } from './transport-failure.ts';

/** DNS, TCP and TLS together, ms. */
const CONNECT_TIMEOUT_MS = 3_000;
/** From dialling to the last byte of the answer, ms. undici's own timers only bound the gaps in between. */
const TOTAL_TIMEOUT_MS = 15_000;
/** A robot's answer is a line of JSON; more is somebody else's page. */
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
/** Short, so that a connection the vendor has closed meanwhile is rarely written to, ms. */
const KEEP_ALIVE_MS = 4_000;
/**
 * All channels of a provider share its host, and a lane has one attempt in flight: fewer connections
 * than channels would let one hanging robot delay the others.
 */
const MAX_CONNECTIONS_PER_HOST = 256;

export interface RequestSender {
  /** Sends one request once, following nothing. Never rejects: every failure is an answer. */
  post(request: SignedRequest): Promise<Answer>;
  /** Ends what is in flight. */
  close(): Promise<void>;
}

export interface SenderOptions {
  readonly egress: EgressSettings;
  readonly clock: Pick<Clock, 'after'>;
  /** Instead of real connections: the egress check of URLs stays, the one of addresses does not. */
  readonly dispatcherFactory?: (egress: EgressSettings) => Dispatcher;
  /** Instead of the system's name resolution. */
  readonly lookup?: LookupFunction;
  /** 3 s when not given. */
  readonly connectTimeoutMs?: number;
}

/** The one way out to the network. */
export function createSender(options: SenderOptions): RequestSender {
  const { egress, clock } = options;
  const dispatcher = options.dispatcherFactory?.(egress) ?? makeDispatcher(options);
  return {
    post: async (request) => {
      const check = checkRobotUrl(request.url, egress);
      if (!check.ok) return { kind: 'not_sent', cause: 'egress_denied', text: check.problem };
      return exchange(request, dispatcher, clock);
    },
    close: () => dispatcher.destroy(),
  };
}

function makeDispatcher({ egress, lookup, connectTimeoutMs }: SenderOptions): Dispatcher {
  const timeout = connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  const limits = {
    connections: MAX_CONNECTIONS_PER_HOST,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  if (egress.proxy === undefined)
    return new Agent({ ...limits, connect: guardedConnector(egress, timeout, lookup) });
  // The proxy resolves names itself: our guard cannot see what it dials, so the proxy has to filter.
  const tls = { ...trustedRoots(egress.caFile), timeout };
  return new ProxyAgent({ ...limits, uri: egress.proxy.reveal(), requestTls: tls, proxyTls: tls });
}

async function exchange(
  request: SignedRequest,
  dispatcher: Dispatcher,
  clock: Pick<Clock, 'after'>,
): Promise<Answer> {
  const timeout = new AbortController();
  const cancelTimeout = clock.after(TOTAL_TIMEOUT_MS, () => timeout.abort());
  const body = new RequestBody(request.body);
  try {
    const response = await undiciRequest(request.url, {
      dispatcher,
      method: 'POST',
      headers: { ...HEADERS, 'content-length': String(body.bytes.length) },
      body: body.stream(),
      signal: timeout.signal,
      headersTimeout: TOTAL_TIMEOUT_MS,
      bodyTimeout: TOTAL_TIMEOUT_MS,
    });
    const read = await readAnswer(response.body);
    if (timeout.signal.aborted) return { kind: 'no_answer', cause: 'timeout', text: 'no answer in time' };
    return { kind: 'answered', httpStatus: response.statusCode, headers: flat(response.headers), ...read };
  } catch (error) {
    return failureOf({ error, isWritten: body.isWritten, isTimedOut: timeout.signal.aborted });
  } finally {
    cancelTimeout();
  }
}

/** Uncompressed, so that a small answer cannot unpack into a large one; what comes compressed is unreadable. */
const HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  accept: 'application/json',
  'accept-encoding': 'identity',
  'user-agent': 'alertcard',
} as const;

/** Reads up to the cap. An answer that ends early is kept as far as it came, and marked. */
async function readAnswer(
  stream: AsyncIterable<Uint8Array>,
): Promise<{ readonly body: string; readonly isCutOff: boolean }> {
  const chunks: Uint8Array[] = [];
  let room = MAX_ANSWER_BYTES;
  let isCutOff = false;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk.subarray(0, room));
      room -= chunk.length;
      isCutOff = room < 0;
      if (isCutOff) break;
    }
  } catch {
    isCutOff = true;
  }
  return { body: new TextDecoder().decode(Buffer.concat(chunks)), isCutOff };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  );
}
