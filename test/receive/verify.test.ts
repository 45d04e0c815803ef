import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secret } from '../../src/domain/secret.ts';
import type { SourceAuth } from '../../src/domain/settings.ts';
import { type DistinctHeaders, verifyBody, verifyHeaders } from '../../src/receive/verify.ts';
import { signedHeaders } from '../support/sign.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');
const NOW_SECONDS = 1_772_439_671;
const NOW_MS = NOW_SECONDS * 1000 + 400;
const SECRET = 's3cr3t-signing-key';
const BODY = '{"status":"firing"}';

interface Vector {
  name: string;
  secret: string;
  body?: string;
  bodyFile?: string;
  timestamp: string | null;
  headers: Record<string, string>;
}
const vectors: Vector[] = JSON.parse(readFileSync(join(FIXTURES, 'hmac-vectors.json'), 'utf8'));

type HmacAuth = Extract<SourceAuth, { kind: 'hmac' }>;

function hmacAuth(change: Partial<HmacAuth> = {}): HmacAuth {
  return {
    kind: 'hmac',
    secrets: [new Secret(SECRET)],
    header: 'x-grafana-alerting-signature',
    timestampHeaders: ['x-grafana-alerting-timestamp', 'x-grafana-alerting-signature-timestamp'],
    toleranceMs: 300_000,
    ...change,
  };
}

function distinct(headers: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]));
}

function verify(
  auth: SourceAuth,
  headers: DistinctHeaders,
  body: string | Uint8Array = BODY,
  nowMs = NOW_MS,
) {
  const verdict = verifyHeaders(auth, headers, nowMs);
  if (verdict.kind === 'refused') return verdict.refusal.code;
  return verifyBody(verdict.verifier, Buffer.from(body)) ? 'authentic' : 'signature_mismatch';
}

describe('a signature', () => {
  it.each(vectors)(
    'is accepted as Grafana makes it: $name',
    ({ secret, body, bodyFile, timestamp, headers }) => {
      const bytes = bodyFile === undefined ? Buffer.from(body ?? '') : readFileSync(join(FIXTURES, bodyFile));
      const auth = hmacAuth({
        secrets: [new Secret(secret)],
        ...(timestamp === null ? { timestampHeaders: [] } : {}),
      });

      const result = verify(auth, distinct(headers), bytes);

      expect(result).toBe('authentic');
    },
  );

  it('is accepted over a body that arrives in pieces', () => {
    const headers = distinct(signedHeaders(SECRET, BODY, { timestampSeconds: NOW_SECONDS }));
    const verdict = verifyHeaders(hmacAuth(), headers, NOW_MS);
    if (verdict.kind === 'refused') throw new Error(verdict.refusal.detail);

    for (const byte of Buffer.from(BODY)) verdict.verifier.update(Buffer.from([byte]));

    expect(verdict.verifier.isAuthentic()).toBe(true);
  });

  it('is accepted with any of the secrets while they are rotated', () => {
    const auth = hmacAuth({ secrets: [new Secret('new'), new Secret('old')] });
    const resultOf = (secret: string) =>
      verify(auth, distinct(signedHeaders(secret, BODY, { timestampSeconds: NOW_SECONDS })));

    const results = [resultOf('new'), resultOf('old'), resultOf('older')];

    expect(results).toEqual(['authentic', 'authentic', 'signature_mismatch']);
  });

  it('is refused without any secret to compare with', () => {
    const headers = distinct(signedHeaders('', BODY, { timestampSeconds: NOW_SECONDS }));

    expect(verify(hmacAuth({ secrets: [] }), headers)).toBe('signature_mismatch');
  });

  it.each<[string, string[] | undefined, string]>([
    ['missing', undefined, 'signature_missing'],
    ['empty', [''], 'signature_missing'],
    ['too short', ['abcd'], 'signature_mismatch'],
    ['not hex', ['z'.repeat(64)], 'signature_mismatch'],
    ['in upper case', ['A'.repeat(64)], 'signature_mismatch'],
    ['prefixed', [`sha256=${'a'.repeat(64)}`], 'signature_mismatch'],
    ['a list', [`${'a'.repeat(64)}, ${'b'.repeat(64)}`], 'signature_mismatch'],
    ['repeated', ['a'.repeat(64), 'a'.repeat(64)], 'signature_repeated'],
  ])('that is %s is refused by the headers alone', (_what, signature, code) => {
    const headers = {
      'x-grafana-alerting-signature': signature,
      'x-grafana-alerting-timestamp': [`${NOW_SECONDS}`],
    };

    const verdict = verifyHeaders(hmacAuth(), headers, NOW_MS);

    expect(verdict).toMatchObject({ kind: 'refused', refusal: { code } });
  });

  it('is refused when one bit of body, signature or timestamp is changed', () => {
    const parts = ['body', 'x-grafana-alerting-signature', 'x-grafana-alerting-timestamp'] as const;
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.constantFrom(...parts),
        fc.nat(),
        fc.nat(7),
        (body, part, position, bit) => {
          const headers = distinct(signedHeaders(SECRET, body, { timestampSeconds: NOW_SECONDS }));
          const whole = part === 'body' ? Buffer.from(body) : Buffer.from(headers[part]?.[0] ?? '', 'latin1');
          const at = position % whole.length;
          whole.writeUInt8(whole.readUInt8(at) ^ (1 << bit), at);

          const flipped =
            part === 'body'
              ? verify(hmacAuth(), headers, whole)
              : verify(hmacAuth(), { ...headers, [part]: [whole.toString('latin1')] }, body);

          expect(verify(hmacAuth(), headers, body)).toBe('authentic');
          expect(flipped).not.toBe('authentic');
        },
      ),
    );
  });
});

describe('the timestamp', () => {
  const signedAt = (timestampSeconds: number | string) =>
    verify(hmacAuth(), distinct(signedHeaders(SECRET, BODY, { timestampSeconds })));

  it.each([
    [-301, 'timestamp_out_of_window'],
    [-300, 'authentic'],
    [-299, 'authentic'],
    [0, 'authentic'],
    [299, 'authentic'],
    [300, 'authentic'],
    [301, 'timestamp_out_of_window'],
  ])('%i s from our clock gives %s', (offset, expected) => {
    expect(signedAt(NOW_SECONDS + offset)).toBe(expected);
  });

  it.each(['abc', '17724396.71', '-1772439671', '0x69a5', '1772439671 ', '9'.repeat(30)])(
    'must be decimal digits, not %j',
    (timestamp) => {
      expect(signedAt(timestamp)).toBe('timestamp_out_of_window');
    },
  );

  it('must be of this very second with a tolerance of 0', () => {
    const resultOf = (timestampSeconds: number) =>
      verify(hmacAuth({ toleranceMs: 0 }), distinct(signedHeaders(SECRET, BODY, { timestampSeconds })));

    const results = [resultOf(NOW_SECONDS), resultOf(NOW_SECONDS - 1)];

    expect(results).toEqual(['authentic', 'timestamp_out_of_window']);
  });

  it('may come in the second of the configured headers', () => {
    const headers = signedHeaders(SECRET, BODY, {
      timestampSeconds: NOW_SECONDS,
      timestampHeader: 'X-Grafana-Alerting-Signature-Timestamp',
    });

    expect(verify(hmacAuth(), distinct(headers))).toBe('authentic');
  });

  it('is asked for by the name of the field in Grafana when it is missing', () => {
    const verdict = verifyHeaders(hmacAuth(), distinct(signedHeaders(SECRET, BODY)), NOW_MS);

    expect(verdict).toMatchObject({ kind: 'refused', refusal: { code: 'timestamp_missing' } });
    expect(JSON.stringify(verdict)).toContain('HMAC Signature > Timestamp header');
    expect(JSON.stringify(verdict)).toContain('X-Grafana-Alerting-Timestamp');
  });

  it('must not come twice', () => {
    const headers = distinct(signedHeaders(SECRET, BODY, { timestampSeconds: NOW_SECONDS }));
    headers['x-grafana-alerting-timestamp']?.push('1');

    expect(verify(hmacAuth(), headers)).toBe('signature_repeated');
  });

  it('is not looked at when none is configured', () => {
    const auth = hmacAuth({ timestampHeaders: [] });

    expect(verify(auth, distinct(signedHeaders(SECRET, BODY)))).toBe('authentic');
  });
});

describe('credentials', () => {
  const bearer: SourceAuth = { kind: 'bearer', secrets: [new Secret('t0ken'), new Secret('older')] };
  const basic: SourceAuth = { kind: 'basic', secrets: [new Secret('grafana:pass:word')] };
  const encoded = Buffer.from('grafana:pass:word').toString('base64');

  it.each<[string, SourceAuth, string[] | undefined, string]>([
    ['the right token', bearer, ['Bearer t0ken'], 'authentic'],
    ['the older token', bearer, ['bearer older'], 'authentic'],
    ['a wrong token', bearer, ['Bearer t0keN'], 'credentials_wrong'],
    ['a longer token', bearer, ['Bearer t0ken0'], 'credentials_wrong'],
    ['no token', bearer, ['Bearer '], 'credentials_wrong'],
    ['another scheme', bearer, ['Basic t0ken'], 'credentials_wrong'],
    ['the header twice', bearer, ['Bearer t0ken', 'Bearer t0ken'], 'credentials_wrong'],
    ['no header', bearer, undefined, 'credentials_wrong'],
    ['the right pair', basic, [`Basic ${encoded}`], 'authentic'],
    ['a wrong pair', basic, [`Basic ${encoded.slice(4)}`], 'credentials_wrong'],
    ['the pair in clear', basic, ['Basic grafana:pass:word'], 'credentials_wrong'],
    ['nothing where nothing is asked', { kind: 'none' }, undefined, 'authentic'],
  ])('of %s are judged by the headers alone', (_what, auth, authorization, expected) => {
    expect(verify(auth, { authorization })).toBe(expected);
  });

  it('never stand in a refusal', () => {
    const verdict = verifyHeaders(bearer, { authorization: ['Bearer wrong-guess'] }, NOW_MS);

    expect(JSON.stringify(verdict)).not.toMatch(/t0ken|older|wrong-guess/);
  });
});
