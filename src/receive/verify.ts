import { createHash, createHmac, type Hmac, timingSafeEqual } from 'node:crypto';
import type { ErrorCode } from '../domain/errors.ts';
import type { Secret } from '../domain/secret.ts';
import type { SourceAuth } from '../domain/settings.ts';

type HmacAuth = Extract<SourceAuth, { kind: 'hmac' }>;

/** Every occurrence of each header, by lower-case name, as Node's `headersDistinct` gives them. */
export type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>;

export interface Refusal {
  readonly code: ErrorCode;
  readonly detail: string;
}

/** What remains to be checked once the headers passed: feed every byte of the body, then ask. */
export interface BodyVerifier {
  /** The signed timestamp, Unix seconds as sent; undefined when the source sends none. */
  readonly timestamp: string | undefined;
  update(chunk: Uint8Array): void;
  /** Whether the sender is who it should be. To be called once, after the last byte. */
  isAuthentic(): boolean;
}

export type HeaderVerdict =
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  | { readonly kind: 'passed'; readonly verifier: BodyVerifier };

/** Lower-case hex SHA-256 without a prefix, as Grafana writes it. */
const SIGNATURE = /^[0-9a-f]{64}$/;
const UNIX_SECONDS = /^\d{1,15}$/;

/** One text whatever the reason, so that an answer tells nothing about how near a guess was. */
export const MISMATCH: Refusal = {
  code: 'signature_mismatch',
  detail:
    'The signature is not the HMAC-SHA256 of this body. The secret in the Grafana contact point (HMAC Signature > Secret) and the one of this source must be the same, and nothing between may change the body.',
};

/** Refuses what the headers alone can refuse, before a byte of the body is read. `nowMs` is the true wall clock. */
export function verifyHeaders(auth: SourceAuth, headers: DistinctHeaders, nowMs: number): HeaderVerdict {
  switch (auth.kind) {
    case 'hmac':
      return verifyHmacHeaders(auth, headers, nowMs);
    case 'bearer':
      return verifyCredentials(auth.secrets, bearerToken(headers), 'Authorization: Bearer <token>');
    case 'basic':
      return verifyCredentials(auth.secrets, basicPair(headers), 'Authorization: Basic <user:password>');
    case 'none':
      return { kind: 'passed', verifier: AUTHENTIC };
    default:
      return auth satisfies never;
  }
}

/** Checks a whole body at once: the form for those who have it in memory. */
export function verifyBody(verifier: BodyVerifier, body: Uint8Array): boolean {
  verifier.update(body);
  return verifier.isAuthentic();
}

const AUTHENTIC: BodyVerifier = { timestamp: undefined, update: () => {}, isAuthentic: () => true };

function verifyHmacHeaders(auth: HmacAuth, headers: DistinctHeaders, nowMs: number): HeaderVerdict {
  const signatures = headers[auth.header] ?? [];
  const [signature] = signatures;
  if (signature === undefined || signature === '')
    return refused(
      'signature_missing',
      `The header ${displayName(auth.header)} is missing. Set HMAC Signature > Secret in the Grafana contact point, and its header there to this name.`,
    );
  if (signatures.length > 1)
    return refused('signature_repeated', `The header ${displayName(auth.header)} must come exactly once.`);
  if (!SIGNATURE.test(signature)) return { kind: 'refused', refusal: MISMATCH };

  const timestamp = readTimestamp(auth, headers, nowMs);
  if (typeof timestamp === 'object') return { kind: 'refused', refusal: timestamp };
  return { kind: 'passed', verifier: hmacVerifier(auth.secrets, signature, timestamp) };
}

/** The timestamp to sign with, undefined when none is expected, or why it is refused. */
function readTimestamp(
  auth: HmacAuth,
  headers: DistinctHeaders,
  nowMs: number,
): string | undefined | Refusal {
  const [firstName] = auth.timestampHeaders;
  if (firstName === undefined) return undefined;
  const name = auth.timestampHeaders.find((candidate) => (headers[candidate]?.[0] ?? '') !== '');
  if (name === undefined)
    return {
      code: 'timestamp_missing',
      detail: `The header ${displayName(firstName)} is missing. Set HMAC Signature > Timestamp header in the Grafana contact point to this name.`,
    };
  const values = headers[name] ?? [];
  const [value = ''] = values;
  if (values.length > 1)
    return {
      code: 'signature_repeated',
      detail: `The header ${displayName(name)} must come exactly once.`,
    };
  if (!UNIX_SECONDS.test(value))
    return {
      code: 'timestamp_out_of_window',
      detail: `The header ${displayName(name)} must hold Unix seconds in decimal digits.`,
    };
  // The sender cut its clock to whole seconds, so ours is cut too: a tolerance of 0 means the same second.
  const apartMs = Math.abs(Math.floor(nowMs / 1000) - Number(value)) * 1000;
  if (apartMs > auth.toleranceMs)
    return {
      code: 'timestamp_out_of_window',
      detail: `The timestamp and this server's clock are ${apartMs / 1000} s apart; ${auth.toleranceMs / 1000} s are allowed. Check the clocks of both (NTP).`,
    };
  return value;
}

function hmacVerifier(
  secrets: readonly Secret[],
  signature: string,
  timestamp: string | undefined,
): BodyVerifier {
  const given = Buffer.from(signature, 'hex');
  const hmacs = secrets.map((secret) => startHmac(secret, timestamp));
  return {
    timestamp,
    update(chunk) {
      for (const hmac of hmacs) hmac.update(chunk);
    },
    isAuthentic: () =>
      isOneOf(
        given,
        hmacs.map((hmac) => hmac.digest()),
      ),
  };
}

function startHmac(secret: Secret, timestamp: string | undefined): Hmac {
  const hmac = createHmac('sha256', secret.reveal());
  return timestamp === undefined ? hmac : hmac.update(`${timestamp}:`);
}

function verifyCredentials(
  secrets: readonly Secret[],
  given: string | undefined,
  expected: string,
): HeaderVerdict {
  // Digests are of equal length, whatever was sent: comparing them tells nothing about the secret's length.
  const isRight =
    given !== undefined &&
    isOneOf(
      sha256(given),
      secrets.map((secret) => sha256(secret.reveal())),
    );
  if (isRight) return { kind: 'passed', verifier: AUTHENTIC };
  return refused('credentials_wrong', `This source needs the right ${expected}, exactly once.`);
}

/** Compares with every candidate, without stopping at a match. */
function isOneOf(given: Buffer, candidates: readonly Buffer[]): boolean {
  let found = false;
  for (const candidate of candidates) found = timingSafeEqual(given, candidate) || found;
  return found;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function bearerToken(headers: DistinctHeaders): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization(headers))?.[1];
}

function basicPair(headers: DistinctHeaders): string | undefined {
  const encoded = /^basic +(\S+) *$/i.exec(authorization(headers))?.[1];
  return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString('utf8');
}

function authorization(headers: DistinctHeaders): string {
  const values = headers.authorization ?? [];
  return values.length === 1 ? (values[0] ?? '') : '';
}

/** `x-grafana-alerting-signature` as people write it. */
function displayName(header: string): string {
  return header.replace(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}

function refused(code: ErrorCode, detail: string): HeaderVerdict {
  return { kind: 'refused', refusal: { code, detail } };
}
