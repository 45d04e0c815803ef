import { EgressDenied } from './connector.ts';
import type { Answer } from './provider.ts';

type Failure = Exclude<Answer, { kind: 'answered' }>;
type NotSentCause = Extract<Answer, { kind: 'not_sent' }>['cause'];

const CONNECT_CODES: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
]);
const TLS_CODE =
  /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|EPROTO|UND_ERR_PRX_TLS)/u;
const TIMEOUT_CODES: ReadonlySet<string> = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);

export interface FailedRequest {
  readonly error: unknown;
  /** The whole request had been handed to the network. */
  readonly isWritten: boolean;
  /** Our own total ran out. */
  readonly isTimedOut: boolean;
}

/** What a failed request means. Messages of libraries are not repeated: they may hold the address. */
export function failureOf({ error, isWritten, isTimedOut }: FailedRequest): Failure {
  const chain = chainOf(error);
  const codes = chain.map(codeOf).filter((code) => code !== '');
  const text = isTimedOut ? 'no answer in time' : (codes[0] ?? 'the connection ended');
  if (isWritten) {
    const isTimeout = isTimedOut || codes.some((code) => TIMEOUT_CODES.has(code));
    return { kind: 'no_answer', cause: isTimeout ? 'timeout' : 'reset', text };
  }
  const denied = chain.find((link) => link instanceof EgressDenied);
  if (denied instanceof EgressDenied)
    return { kind: 'not_sent', cause: 'egress_denied', text: denied.message };
  return { kind: 'not_sent', cause: causeOf(chain, codes, isTimedOut), text };
}

function causeOf(chain: readonly unknown[], codes: readonly string[], isTimedOut: boolean): NotSentCause {
  if (codes.some((code) => code === 'ENOTFOUND' || code.startsWith('EAI_') || code === 'ENODATA'))
    return 'dns';
  if (codes.some((code) => TLS_CODE.test(code)) || chain.some(isHandshakeCut)) return 'tls';
  if (codes.some((code) => code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT'))
    return 'connect_timeout';
  // A proxy that answers CONNECT with anything but 200.
  if (codes.some((code) => CONNECT_CODES.has(code) || code === 'UND_ERR_ABORTED') && !isTimedOut)
    return 'connect';
  return 'reset_before_sent';
}

function isHandshakeCut(error: unknown): boolean {
  return error instanceof Error && /before secure TLS connection/u.test(error.message);
}

/** An error, its causes, and the ones gathered from several addresses. */
function chainOf(error: unknown): readonly unknown[] {
  if (!(error instanceof Error)) return [];
  const inner: readonly unknown[] = error instanceof AggregateError ? error.errors : [];
  return [error, ...inner.flatMap(chainOf), ...chainOf(error.cause)];
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
