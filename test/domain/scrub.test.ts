import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrub, scrubAnswer, scrubKnown } from '../../src/domain/scrub.ts';

describe('scrub', () => {
  it.each([
    ['https://oapi.dingtalk.com/robot/send?access_token=CANARY', 'access_token=[redacted]'],
    ['POST /robot/send?access_token=CANARY&timestamp=1&sign=CANARY%2B failed', '&timestamp=1&sign='],
    ['connect https://open.feishu.cn/open-apis/bot/v2/hook/CANARY-1: refused', '/hook/[redacted]'],
    ['authorization: Bearer CANARY.a.b', 'Bearer [redacted]'],
    ['authorization: Basic Q0FOQVJZOkNBTkFSWQ==', 'Basic [redacted]'],
    ['https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=CANARY', 'send?key=[redacted]'],
    ['redirect?to=x%3Faccess_token%3DCANARY', 'access_token%3D[redacted]'],
    ['proxy http://user:CANARY@proxy.internal:3128', 'http://[redacted]@proxy.internal:3128'],
    ['{"timestamp":"1","sign":"CANARY\\"x","msg_type":"text"}', '"sign":"[redacted]","msg_type"'],
    ['{"text":"{\\"secret\\":\\"CANARY\\"}"}', 'secret\\":\\"[redacted]\\"'],
    ['ACCESS_TOKEN=CANARY', '[redacted]'],
    ['sent sign: CANARY, refused', 'sign: [redacted]'],
  ])('takes the credential out of %s', (text, kept) => {
    const clean = scrub(text);

    expect(clean).not.toMatch(/CANARY|Q0FOQVJZ/);
    expect(clean).toContain(kept);
  });

  it.each([
    'POST /hooks/grafana 202',
    'group_key={}:{alertname="x"} robot_key=abc',
    'delivered to ops in 12 ms',
    'see https://grafana.example.com/d/abc?orgId=1&from=1#x',
  ])('leaves %s alone', (text) => {
    expect(scrub(text)).toBe(text);
  });

  it('keeps any line of JSON a line of JSON', () => {
    const texts = fc.oneof(
      fc.string(),
      fc.constantFrom(
        'access_token=',
        'sign: ',
        'token:',
        '/hook/',
        'Bearer ',
        '"sign":"',
        '\\"secret\\":\\"',
        '://a@',
        'x\\',
      ),
    );

    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.array(texts).map((parts) => parts.join('')),
        ),
        (fields) => {
          expect(() =>
            JSON.parse(scrub(JSON.stringify({ ...fields, sign: 'a"b', nested: { key: '\\' } }))),
          ).not.toThrow();
        },
      ),
    );
  });
});

describe("scrubbing a robot's words", () => {
  it.each([
    ['?access_token=canary&x=1', '?access_token=[redacted]&x=1'],
    ['sign: "canary"', 'sign: "[redacted]"'],
    ['POST /open-apis/bot/v2/hook/canary?x', 'POST /open-apis/bot/v2/hook/[redacted]?x'],
    ['denied from ip 203.0.113.9, sorry', 'denied from ip [redacted], sorry'],
    ['ip 203.0.113.9 not in whitelist', 'ip 203.0.113.9 not in whitelist'],
    ['sign not match', 'sign not match'],
  ])('%j becomes %j', (text, expected) => {
    expect(scrubAnswer(text)).toBe(expected);
  });

  it('takes known secrets out plain and encoded', () => {
    expect(scrubKnown('a+b= and a%2Bb%3D', ['a+b=', ''])).toBe('[redacted] and [redacted]');
  });
});
