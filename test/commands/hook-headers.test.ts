import { describe, expect, it } from 'vitest';
import { hookHeaders } from '../../src/commands/hook-headers.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { SourceAuth } from '../../src/domain/settings.ts';

const BODY = Buffer.from('{"status":"firing","title":"a \\u0026 b"}');
const secrets = [new Secret('s3cr3t-signing-key'), new Secret('old')];
const hmac = { kind: 'hmac', secrets, header: 'x-sig', timestampHeaders: ['x-at'], toleranceMs: 1 } as const;

describe('hookHeaders', () => {
  it.each<[string, SourceAuth, object]>([
    [
      'a signature with a timestamp',
      hmac,
      { 'x-sig': '0c0c193dae82373acf6dfa8e8cbd01d55ca7785743b1c8988eb8ca0659b1b03e', 'x-at': '1772439671' },
    ],
    [
      'a signature alone',
      { ...hmac, timestampHeaders: [] },
      { 'x-sig': 'dabc028a0eef3f466a3c4b8c7fb79daab244d5818a9eaab25943ef82f995bc32' },
    ],
    ['a bearer token', { kind: 'bearer', secrets }, { authorization: 'Bearer s3cr3t-signing-key' }],
    [
      'user and password',
      { kind: 'basic', secrets: [new Secret('grafana:p')] },
      { authorization: 'Basic Z3JhZmFuYTpw' },
    ],
    ['nothing', { kind: 'none' }, {}],
  ])('carry %s', (_name, auth, expected) => {
    expect(hookHeaders(auth, BODY, 1_772_439_671_900)).toEqual(expected);
  });
});
