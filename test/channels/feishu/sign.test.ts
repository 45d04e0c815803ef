import { describe, expect, it } from 'vitest';
import { signatureFields, signatureOf } from '../../../src/channels/feishu/sign.ts';

describe('the signature of a Feishu bot', () => {
  it.each([
    [1_599_360_473, 'demo', 'l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8='],
    [1_700_000_000, 'example-not-a-real-secret', 'jrbFlS3QhzGGgChMtBt5xPqeHAo2GZROocTkTEZMISg='],
    [1_767_225_600, 'testSecret0123456789', 'kEyzNCOpznCCndxXQABqcTyo2iw2GUYFOwajc8sTTBA='],
  ])('matches the known answer for %i', (timestampSeconds, secret, expected) => {
    expect(signatureOf(secret, timestampSeconds)).toBe(expected);
  });

  it('is of whole seconds, sent as text', () => {
    const fields = signatureFields('demo', 1_599_360_473_999);

    expect(fields).toEqual({
      timestamp: '1599360473',
      sign: 'l1N0gAcBjdwBvGm1xMjOF0XSyaLRpR7tuO5dHfhAYc8=',
    });
  });
});
