import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import { guardedConnector, guardedLookup } from '../../src/channels/connector.ts';
import { checkRobotUrl, permitsAddress } from '../../src/channels/egress.ts';
import { createSender } from '../../src/channels/send.ts';
import type { EgressSettings } from '../../src/domain/settings.ts';
import { handClock, LOOPBACK_EGRESS, useRobots } from '../support/robots.ts';

const CLOSED: EgressSettings = { allowHosts: [], allowPrivate: false, proxy: undefined, caFile: '' };
const OPEN = LOOPBACK_EGRESS;
const robots = useRobots();

const METADATA = ['http://169.254.169.254/', 'http://100.100.100.200/', 'http://[fd00:ec2::254]/'];
const LOOPBACK_IN_DISGUISE = [
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0177.0.0.1/',
  'http://127.1/',
  'http://１２７.０.０.１/',
];
const NEVER = [
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b:1::1]/',
  'https://[2002:7f00:1::]/',
  'https://[2001:db8::1]/',
  'https://[fe80::1]/',
  'https://[100::1]/',
  'https://[::]/',
  'https://0.0.0.0/',
  'https://100.64.0.1/',
  'https://198.18.0.1/',
  'https://192.0.2.1/',
  'https://224.0.0.1/',
  'https://255.255.255.255/',
  'https://localhost./',
];
const PRIVATE = [
  'https://10.0.0.1/',
  'https://192.168.1.1/',
  'https://[fc00::1]/',
  'https://127.0.0.1/',
  'https://localhost/',
];

describe('the URL of a robot', () => {
  it.each([
    'https://oapi.dingtalk.com/robot/send?access_token=t',
    'https://open.feishu.cn/open-apis/bot/v2/hook/t',
    'https://open.larksuite.com/open-apis/bot/v2/hook/t',
  ])('may be %s', (url) => {
    expect(checkRobotUrl(url, CLOSED)).toEqual({ ok: true });
  });

  it.each([...METADATA, ...LOOPBACK_IN_DISGUISE, ...NEVER, ...PRIVATE])('may not be %s', (url) => {
    expect(checkRobotUrl(url, CLOSED).ok).toBe(false);
  });

  it.each([...METADATA, ...NEVER])('may not be %s even where private addresses are allowed', (url) => {
    expect(checkRobotUrl(url, OPEN).ok).toBe(false);
  });

  it.each([...PRIVATE, ...LOOPBACK_IN_DISGUISE, 'http://127.0.0.1:8080/x', 'http://[::1]:9000/'])(
    'may be %s where private addresses are allowed',
    (url) => {
      expect(checkRobotUrl(url, OPEN)).toEqual({ ok: true });
    },
  );

  it.each([
    ['http://oapi.dingtalk.com/robot/send', CLOSED, /https/u],
    ['http://oapi.dingtalk.com/robot/send', OPEN, /https/u],
    ['https://oapi.dingtalk.com:8443/robot/send', OPEN, /port 8443/u],
    ['https://oapi.dingtalk.com./robot/send', CLOSED, /allow_hosts/u],
    ['https://oapi.dingtalk.com.evil.example/', CLOSED, /allow_hosts/u],
    ['https://user:canary@oapi.dingtalk.com/', CLOSED, /user name/u],
    ['https://robots.example.com/canary', CLOSED, /robots\.example\.com is not a robot host/u],
    ['https://10.1.2.3/canary', CLOSED, /allow_private/u],
    ['ftp://oapi.dingtalk.com/', CLOSED, /https/u],
    ['canary', CLOSED, /not a URL/u],
  ])('%s is refused with what to do, and never repeated', (url, egress, problem) => {
    const check = checkRobotUrl(url, egress);

    expect(check).toMatchObject({ ok: false, problem: expect.stringMatching(problem) });
    expect(JSON.stringify(check)).not.toContain('canary');
  });

  it.each([
    ['https://robots.example.com/', ['robots.example.com']],
    ['https://robots.example.com:8443/', ['robots.example.com:8443']],
  ])('may be %s when allow_hosts holds %j', (url, allowHosts) => {
    expect(checkRobotUrl(url, { ...CLOSED, allowHosts })).toEqual({ ok: true });
  });

  it('needs its port listed too when it is not the usual one', () => {
    const check = checkRobotUrl('https://robots.example.com:8443/', {
      ...CLOSED,
      allowHosts: ['robots.example.com'],
    });

    expect(check.ok).toBe(false);
  });
});

describe('the address behind a name', () => {
  const inside = new URL('http://robots.internal:8080/');
  const rules = { allowHosts: ['robots.internal'], allowPrivate: true };

  it('is private when it is called in the clear or on an unusual port', () => {
    expect(permitsAddress(inside, '10.0.0.7', rules)).toBe(true);
    expect(permitsAddress(inside, '93.184.216.34', rules)).toBe(false);
  });

  it.each(['169.254.169.254', '100.100.100.200', 'fd00:ec2::254', '::ffff:10.0.0.1', 'nonsense'])(
    'is never %s',
    (address) => {
      expect(permitsAddress(inside, address, rules)).toBe(false);
    },
  );

  it('is filtered when a name has good and bad ones', async () => {
    const found = await addressesOf([
      { address: '10.0.0.1', family: 4 },
      { address: '93.184.216.34', family: 4 },
      { address: '::1', family: 6 },
    ]);

    expect(found).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('is refused when a name has only bad ones', async () => {
    await expect(addressesOf([{ address: '127.0.0.1', family: 4 }])).rejects.toThrow('must not be dialled');
  });
});

describe('sending', () => {
  it('dials nothing when a listed name leads to loopback', async () => {
    const sandbox = await robots();
    sandbox.dingtalkUrl('t');
    const lookup: LookupFunction = (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
    const egress = { ...CLOSED, allowHosts: [`robots.example.com:${sandbox.port}`] };
    const sender = createSender({ egress, clock: handClock(0), lookup });

    const answer = await sender.post({
      url: `https://robots.example.com:${sandbox.port}/robot/send`,
      body: '{}',
    });

    expect(answer).toMatchObject({ kind: 'not_sent', cause: 'egress_denied' });
    expect(sandbox.received).toEqual([]);
    await sender.close();
  });

  it('refuses a name that turned from a good address to a bad one', async () => {
    const sandbox = await robots();
    const url = sandbox.dingtalkUrl('t').replace('127.0.0.1', 'robots.internal');
    const answers = ['127.0.0.1', '169.254.169.254'];
    const lookup: LookupFunction = (_, __, callback) =>
      callback(null, [{ address: answers.shift() ?? '', family: 4 }]);
    const egress = { ...OPEN, allowHosts: ['robots.internal'] };
    const first = createSender({ egress, clock: handClock(0), lookup });
    const second = createSender({ egress, clock: handClock(0), lookup });

    const outcomes = [await first.post({ url, body: '{}' }), await second.post({ url, body: '{}' })];

    expect(outcomes).toMatchObject([{ kind: 'answered' }, { kind: 'not_sent', cause: 'egress_denied' }]);
    expect(sandbox.received).toHaveLength(1);
    await Promise.all([first.close(), second.close()]);
  });

  it('looks once more at the address a connection led to', async () => {
    const sandbox = await robots();
    const connector = guardedConnector(CLOSED, 1_000);
    const options = {
      protocol: 'http:',
      hostname: '127.0.0.1',
      host: '127.0.0.1',
      port: String(sandbox.port),
    };

    const error = await new Promise((resolve) => connector(options, (...[failure]) => resolve(failure)));

    expect(error).toMatchObject({ name: 'EgressDenied' });
  });

  it.each([...NEVER, ...METADATA])('sends nothing to %s', async (url) => {
    const sender = createSender({ egress: OPEN, clock: handClock(0) });

    expect(await sender.post({ url, body: '{}' })).toMatchObject({
      kind: 'not_sent',
      cause: 'egress_denied',
    });
    await sender.close();
  });
});

function addressesOf(all: readonly { address: string; family: number }[]): Promise<unknown> {
  const lookup: LookupFunction = (_, __, callback) => callback(null, [...all]);
  const guarded = guardedLookup(new URL('https://oapi.dingtalk.com/'), CLOSED, lookup);
  return new Promise((resolve, reject) => {
    guarded('oapi.dingtalk.com', { all: true }, (error, found) =>
      error === null ? resolve(found) : reject(error),
    );
  });
}
