import { describe, expect, it } from 'vitest';
import { signatureOf, signedUrl } from '../../../src/channels/dingtalk/sign.ts';

describe('the signature of a DingTalk robot', () => {
  it.each([
    [1_700_000_000_000, 'SEC-example-not-a-real-secret', 'HVZ0NDIglk2iMZ+JUs8PB4SXB2xm1N+1FJEDvEoU86s='],
    [1_700_000_000_001, 'SEC-example-not-a-real-secret', 'a1FvWflfwMAopjiLNupRyoLJ/FgzBF41iC5rmT+aoxA='],
    [1_767_225_600_000, 'SECtest0123456789abcdef', 'K/OaowEa1KlFrnpLz8sTdHygAhQhOC3qD9Nzperaes4='],
  ])('matches the known answer for %i', (timestampMs, secret, expected) => {
    expect(signatureOf(secret, timestampMs)).toBe(expected);
  });

  it('is encoded exactly once into the query', () => {
    const url = signedUrl(
      'https://oapi.dingtalk.com/robot/send?access_token=t',
      'SEC-example-not-a-real-secret',
      1_700_000_000_000,
    );

    expect(url).toContain('sign=HVZ0NDIglk2iMZ%2BJUs8PB4SXB2xm1N%2B1FJEDvEoU86s%3D');
  });

  it('leaves the rest of the query as it was', () => {
    const url = new URL(signedUrl('https://oapi.dingtalk.com/robot/send?access_token=t%2B1&x=1', 'SEC', 5));

    expect(url.searchParams.get('access_token')).toBe('t+1');
    expect(url.searchParams.get('x')).toBe('1');
    expect(url.searchParams.get('timestamp')).toBe('5');
  });
});
