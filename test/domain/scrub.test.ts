import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scrub } from '../../src/domain/scrub.ts';

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
      fc.constantFrom('access_token=', '/hook/', 'Bearer ', '"sign":"', '\\"secret\\":\\"', '://a@', 'x\\'),
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
