import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/channels/dingtalk/classify.ts';
import { answered } from '../answers.ts';

const TEN_MINUTES_MS = 600_000;

describe("reading a DingTalk robot's code", () => {
  it.each([
    [0, 'ok', 'delivered', 'ok'],
    [-1, '系统繁忙', 'unavailable', 'system_busy'],
    [15, 'remote service call timed out', 'unavailable', 'system_busy'],
    [500100, '系统异常，请稍后再试', 'unavailable', 'system_busy'],
    [22, 'Invalid method', 'misconfigured', 'bad_request'],
    [404, '请求的URI地址不存在', 'misconfigured', 'bad_request'],
    [43002, '需要POST请求', 'misconfigured', 'bad_request'],
    [43004, '无效的HTTP HEADER Content-Type', 'misconfigured', 'bad_request'],
    [88, 'ding talk error[subcode=40014,submsg=不合法的access_token]', 'misconfigured', 'unknown_token'],
    [88, 'access_token is blank', 'misconfigured', 'unknown_token'],
    [88, 'authentication service', 'unavailable', 'system_busy'],
    [40035, '缺少参数 access_token', 'misconfigured', 'unknown_token'],
    [40035, '缺少参数 json', 'rejected', 'bad_message'],
    [90002, 'api hot', 'throttled', 'rate_limited'],
    [90018, 'qps limit', 'throttled', 'rate_limited'],
    [90020, 'monthly quota', 'throttled', 'quota_exhausted'],
    [90030, 'webhook over limit', 'throttled', 'quota_exhausted'],
    [130101, 'send too fast, exceed 20 times per minute', 'throttled', 'rate_limited'],
    [410100, '发送速度太快而限流', 'throttled', 'rate_limited'],
    [450101, '', 'throttled', 'rate_limited'],
    [101002, 'message is too long', 'rejected', 'too_long'],
    [460101, 'message too long, exceed 20000 bytes', 'rejected', 'too_long'],
    [300001, 'token is not exist', 'misconfigured', 'unknown_token'],
    [300001, 'session 不存在', 'misconfigured', 'unknown_token'],
    [300001, 'msgtype is null', 'rejected', 'bad_message'],
    [300005, 'token is not exist', 'misconfigured', 'unknown_token'],
    [400101, 'access_token不存在', 'misconfigured', 'unknown_token'],
    [400013, '群已被解散', 'misconfigured', 'robot_disabled'],
    [400102, '机器人已停用', 'misconfigured', 'robot_disabled'],
    [400106, '机器人不存在', 'misconfigured', 'robot_disabled'],
    [400105, '不支持的消息类型', 'rejected', 'bad_message'],
    [400402, 'miss param : markdown->text', 'rejected', 'bad_message'],
    [400403, 'invalid param', 'rejected', 'bad_message'],
    [430101, '含有不安全的外链', 'rejected', 'unsafe_content'],
    [430102, '含有不合适的文本', 'rejected', 'unsafe_content'],
    [430103, '含有不合适的图片', 'rejected', 'unsafe_content'],
    [430104, '含有不合适的内容', 'rejected', 'unsafe_content'],
    [130102, 'nobody documents this', 'rejected', 'unknown_code'],
    [999999, 'send too fast', 'throttled', 'rate_limited'],
  ])('%i %s is %s, %s', (errcode, errmsg, outcome, reason) => {
    const verdict = classify(answered({ errcode, errmsg }));

    expect(verdict).toMatchObject({ outcome, reason, httpStatus: 200, providerCode: String(errcode) });
  });

  it.each([
    [90002, 1_000],
    [130101, TEN_MINUTES_MS],
    [410100, TEN_MINUTES_MS],
    [90030, undefined],
  ])('%i asks to wait %s ms', (errcode, waitMs) => {
    expect(classify(answered({ errcode, errmsg: '' })).waitMs).toBe(waitMs);
  });

  it('takes an empty sub_code of 88 for a time-out of the vendor', () => {
    const verdict = classify(answered({ errcode: 88, errmsg: '', sub_code: '', sub_msg: '' }));

    expect(verdict.outcome).toBe('unavailable');
  });

  it('believes the code before the HTTP status', () => {
    expect(classify(answered({ errcode: 130101, errmsg: '' }, { httpStatus: 400 })).outcome).toBe(
      'throttled',
    );
    expect(classify(answered({ errcode: 300005, errmsg: '' }, { httpStatus: 502 })).outcome).toBe(
      'misconfigured',
    );
  });
});

describe('the failed security check, 310000', () => {
  it.each([
    ['keywords not in content, more: [https://open.dingtalk.com/sign]', 'keyword_missing'],
    ['description:关键词不匹配;solution:请联系群管理员查看此机器人的关键词;link:请参考', 'keyword_missing'],
    ['错误描述:关键词不匹配;解决方案:请查看签名', 'keyword_missing'],
    ['sign not match', 'bad_signature'],
    [
      'description:机器人发送签名不匹配;solution:请确认签名和生成签名的时间戳必须都放在调用的网址中',
      'bad_signature',
    ],
    [
      '\n错误描述:\n  机器人发送签名不匹配\n解决方案:\n  请确认签名和生成签名的时间戳(timestamp)\n',
      'bad_signature',
    ],
    ['invalid timestamp', 'bad_timestamp'],
    [
      'description:机器人发送签名过期;solution:签名生成时间和发送时间请保持在timestampms以内',
      'bad_timestamp',
    ],
    ['错误描述：机器人发送签名过期；解决方案：请确认', 'bad_timestamp'],
    ['ip 203.0.113.9 not in whitelist', 'ip_denied'],
    ['description:ip 不在白名单中;solution:请确认', 'ip_denied'],
    ['错误描述:ip 203.0.113.9 不在白名单中;解决方案:请联系群管理员', 'ip_denied'],
    ['something new', 'bad_request'],
  ])('%j is %s', (errmsg, reason) => {
    expect(classify(answered({ errcode: 310000, errmsg }))).toMatchObject({
      outcome: 'misconfigured',
      reason,
    });
  });

  it('speaks of the clock when the timestamp was refused', () => {
    expect(classify(answered({ errcode: 310000, errmsg: 'invalid timestamp' })).providerText).toContain(
      'clock',
    );
  });
});

describe('the flood guard', () => {
  it.each([
    ['as JSON', answered({ status: 1111, wait: 5, source: 'x5', punish: 'deny', uuid: 'u' })],
    ['as JSON in a page', answered('<html><script>var a={"status":1111,"wait":5}</script></html>')],
    ['as a page that links to it', answered('<html><a href="https://g.alicdn.com/punish/punish.html">')],
    [
      'as a redirect',
      answered('', { httpStatus: 302, headers: { location: 'https://x/_____tmd_____/punish?a' } }),
    ],
    ['cut off', answered('<html> punish', { isCutOff: true })],
  ])('is throttled for five minutes or more %s', (_, answer) => {
    const verdict = classify(answer);

    expect(verdict).toMatchObject({ outcome: 'throttled', reason: 'flood_guard' });
    expect(verdict.waitMs).toBeGreaterThanOrEqual(300_000);
  });

  it('is recognised inside an ordinary answer', () => {
    const verdict = classify(answered({ errcode: 130101, errmsg: 'send too fast', punish: 'deny' }));

    expect(verdict).toMatchObject({ reason: 'flood_guard', waitMs: TEN_MINUTES_MS, providerCode: '130101' });
  });
});

describe('an answer in another form', () => {
  it.each([
    ['an empty body', answered(''), 'unconfirmed', 'unreadable_answer'],
    ['a page', answered('<html>welcome</html>'), 'unconfirmed', 'unreadable_answer'],
    ['JSON without a code', answered({ ok: true }), 'unconfirmed', 'unreadable_answer'],
    ['a code that is no number', answered({ errcode: '0' }), 'unconfirmed', 'unreadable_answer'],
    ['a list', answered([{ errcode: 0 }]), 'unconfirmed', 'unreadable_answer'],
    ['success, cut off', answered({ errcode: 0 }, { isCutOff: true }), 'unconfirmed', 'unreadable_answer'],
    ['HTTP 302', answered('', { httpStatus: 302 }), 'misconfigured', 'redirect'],
    ['HTTP 403', answered('no', { httpStatus: 403 }), 'misconfigured', 'bad_request'],
    ['HTTP 413', answered('no', { httpStatus: 413 }), 'rejected', 'too_long'],
    ['HTTP 429', answered('no', { httpStatus: 429 }), 'throttled', 'rate_limited'],
    ['HTTP 500', answered('no', { httpStatus: 500 }), 'unavailable', 'server_error'],
    ['HTTP 502', answered('no', { httpStatus: 502 }), 'unconfirmed', 'gateway'],
    ['HTTP 503', answered('no', { httpStatus: 503 }), 'unavailable', 'server_error'],
    ['HTTP 504', answered('no', { httpStatus: 504 }), 'unconfirmed', 'gateway'],
  ])('%s', (_, answer, outcome, reason) => {
    expect(classify(answer)).toMatchObject({ outcome, reason });
  });
});
