import { describe, expect, it } from 'vitest';
import { classify } from '../../../src/channels/feishu/classify.ts';
import { answered } from '../answers.ts';

describe("reading a Feishu bot's code", () => {
  it.each([
    [0, 'success', 'delivered', 'ok'],
    [9499, 'Bad Request', 'rejected', 'bad_message'],
    [9499, 'too many request', 'throttled', 'rate_limited'],
    [9499, 'frequency limited, try later', 'throttled', 'rate_limited'],
    [9499, 'request size too large', 'rejected', 'too_long'],
    [2200, 'internal error', 'unavailable', 'system_busy'],
    [10002, 'text is nil', 'rejected', 'bad_message'],
    [11232, 'frequency limited psm[lark.oapi.app_platform_runtime]appID[1500]', 'throttled', 'rate_limited'],
    [19001, 'param invalid: incoming webhook access token invalid', 'misconfigured', 'unknown_token'],
    [19002, 'params error, msg_type need', 'rejected', 'bad_message'],
    [19003, 'content need object', 'rejected', 'bad_message'],
    [19004, 'text need', 'rejected', 'bad_message'],
    [19007, 'Bot Not Enabled', 'misconfigured', 'robot_disabled'],
    [19021, 'sign match fail or timestamp is not within one hour', 'misconfigured', 'bad_signature'],
    [19022, 'Ip Not Allowed', 'misconfigured', 'ip_denied'],
    [19024, 'Key Words Not Found', 'misconfigured', 'keyword_missing'],
    [19036, 'The message exceeds the size limit of 30KB', 'rejected', 'too_long'],
    [99991201, 'resource not find', 'misconfigured', 'bad_request'],
    [99991300, 'invalid request body: not json', 'rejected', 'bad_message'],
    [99991400, 'request trigger frequency limit', 'throttled', 'rate_limited'],
    [19006, 'nobody documents this', 'rejected', 'unknown_code'],
  ])('%i %s is %s, %s', (code, msg, outcome, reason) => {
    const verdict = classify(answered({ code, data: {}, msg }));

    expect(verdict).toMatchObject({ outcome, reason, httpStatus: 200, providerCode: String(code) });
  });

  it.each([
    [100290, 'invalid user id', 'rejected', 'bad_mention'],
    [11310, 'card table number over limit', 'rejected', 'bad_message'],
    [11310, 'cardid is invalid', 'unavailable', 'system_busy'],
    [200380, 'template not exist', 'rejected', 'bad_message'],
    [200410, 'action not allowed in column', 'rejected', 'bad_message'],
    [200550, 'chart spec invalid', 'rejected', 'bad_message'],
    [200570, 'image key is invalid', 'rejected', 'bad_message'],
    [200621, 'parse card json err', 'rejected', 'bad_message'],
    [200861, 'cards of schema V2 no longer support this capability', 'rejected', 'bad_message'],
  ])('a card refused with %i %s is %s, %s', (subCode, words, outcome, reason) => {
    const msg = `ErrCode: ${subCode}; ErrMsg: ${words}; ErrorValue: too many request; `;

    const verdict = classify(answered({ code: 11246, msg }));

    expect(verdict).toMatchObject({ outcome, reason, providerCode: `11246.${subCode}` });
  });

  it('knows a refused card without a sub-code', () => {
    const verdict = classify(answered({ code: 11246, msg: 'path: message->card; err_type: validation' }));

    expect(verdict).toMatchObject({ outcome: 'rejected', reason: 'bad_message', providerCode: '11246' });
  });

  it('speaks of secret and clock alike when the signature was refused', () => {
    expect(classify(answered({ code: 19021, msg: 'sign match fail' })).providerText).toMatch(
      /secret.*clock/u,
    );
  });

  it('takes codes from fields, never from the digits of a log id', () => {
    const verdict = classify(answered({ code: 0, msg: 'success', log_id: '2023190019499' }));

    expect(verdict.outcome).toBe('delivered');
  });
});

describe('which field decides', () => {
  it.each([
    [
      'code before StatusCode',
      { StatusCode: 0, StatusMessage: '', code: 19007, msg: 'Bot Not Enabled' },
      'misconfigured',
    ],
    ['StatusCode without code', { Extra: null, StatusCode: 0, StatusMessage: 'success' }, 'delivered'],
    ['a refusal in StatusCode', { StatusCode: 19001, StatusMessage: 'invalid' }, 'misconfigured'],
    ['a code that is no number', { code: 'x', StatusCode: 0 }, 'unconfirmed'],
    ['neither', { ok: true }, 'unconfirmed'],
  ])('%s', (_, body, outcome) => {
    expect(classify(answered(body)).outcome).toBe(outcome);
  });
});

describe('how long to wait', () => {
  it.each([
    [
      'the gateway header with HTTP 429',
      { code: 99991400, msg: '' },
      429,
      { 'x-ogw-ratelimit-reset': '37' },
      37_000,
    ],
    [
      'the gateway header with HTTP 400',
      { code: 99991400, msg: '' },
      400,
      { 'x-ogw-ratelimit-reset': '2' },
      2_000,
    ],
    ['Retry-After of a page', '<html>', 429, { 'retry-after': '3' }, 3_000],
    ['no header', { code: 11232, msg: '' }, 200, {}, undefined],
  ])('%s', (_, body, httpStatus, headers, waitMs) => {
    const verdict = classify(answered(body, { httpStatus, headers }));

    expect(verdict).toMatchObject({ outcome: 'throttled', reason: 'rate_limited' });
    expect(verdict.waitMs).toBe(waitMs);
  });
});

describe('an answer in another form', () => {
  it.each([
    ['an empty body', answered(''), 'unconfirmed', 'unreadable_answer'],
    ['success, cut off', answered({ code: 0 }, { isCutOff: true }), 'unconfirmed', 'unreadable_answer'],
    ['HTTP 307', answered('', { httpStatus: 307 }), 'misconfigured', 'redirect'],
    ['HTTP 500', answered('no', { httpStatus: 500 }), 'unavailable', 'server_error'],
    ['HTTP 504', answered('no', { httpStatus: 504 }), 'unconfirmed', 'gateway'],
    [
      'HTTP 400 with a rate code',
      answered({ code: 9499, msg: 'too many request' }, { httpStatus: 400 }),
      'throttled',
      'rate_limited',
    ],
  ])('%s', (_, answer, outcome, reason) => {
    expect(classify(answer)).toMatchObject({ outcome, reason });
  });
});
