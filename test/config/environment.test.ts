import { describe, expect, it } from 'vitest';
import { DINGTALK_URL, FEISHU_URL, load, MINIMAL, reportOf } from './support.ts';

const DINGTALK = { ALERTCARD_DINGTALK_URL: DINGTALK_URL };
const BOTH = { ...DINGTALK, ALERTCARD_FEISHU_URL: FEISHU_URL };
const HMAC = { ALERTCARD_HMAC_SECRET: 'hmac-secret' };

describe('zero configuration', () => {
  it('makes source grafana and a channel for each robot, each the fallback of the other', () => {
    const env = { ...BOTH, ...HMAC, ALERTCARD_DINGTALK_SECRET: 'SEC', ALERTCARD_FEISHU_KEYWORD: '告警' };

    const { settings, warnings, origin } = load({ env });

    expect([...settings.sources.keys()]).toEqual(['grafana']);
    expect(settings.sources.get('grafana')).toMatchObject({
      auth: { kind: 'hmac' },
      channels: ['dingtalk', 'feishu'],
    });
    expect(settings.channels.get('dingtalk')).toMatchObject({ provider: 'dingtalk', fallback: 'feishu' });
    expect(settings.channels.get('dingtalk')?.robots[0]?.secret?.reveal()).toBe('SEC');
    expect(settings.channels.get('feishu')).toMatchObject({ fallback: 'dingtalk', keyword: '告警' });
    expect([warnings, origin]).toEqual([[], 'environment']);
  });

  it('leaves a single channel without fallback and says so', () => {
    const { settings, warnings } = load({ env: { ...DINGTALK, ...HMAC } });

    expect(settings.channels.get('dingtalk')?.fallback).toBeUndefined();
    expect(warnings).toEqual([
      'channel dingtalk: no fallback, so nobody hears of it in a chat when it is broken',
    ]);
  });

  it.each([
    [{ ALERTCARD_LISTEN: '127.0.0.1:0' }, { server: { host: '127.0.0.1', port: 0 } }],
    [{ ALERTCARD_DATA: '/data' }, { store: { path: '/data/alertcard.db' } }],
    [{ ALERTCARD_DATA: 'state/' }, { store: { path: '/srv/state/alertcard.db' } }],
    [{ ALERTCARD_LOCALE: 'en' }, { defaults: { locale: 'en' } }],
    [{ ALERTCARD_TIMEZONE: 'UTC' }, { defaults: { timezone: 'UTC' } }],
    [{ ALERTCARD_LOCALE: '' }, { defaults: { locale: 'zh-CN' } }],
  ])('obeys %j', (variables, expected) => {
    const { settings } = load({ env: { ...DINGTALK, ...HMAC, ...variables } });

    expect(settings).toMatchObject(expected);
  });

  it.each([
    [HMAC, 'hmac'],
    [{ ALERTCARD_BEARER_TOKEN: 't' }, 'bearer'],
    [{ ALERTCARD_BASIC: 'user:password' }, 'basic'],
    [{ ALERTCARD_AUTH: 'none' }, 'none'],
  ])('authenticates by %j', (variables, kind) => {
    const { settings } = load({ env: { ...DINGTALK, ...variables } });

    expect(settings.sources.get('grafana')?.auth.kind).toBe(kind);
  });

  it('takes every value from a file as well, and does not look for references in it', () => {
    const env = { ALERTCARD_DINGTALK_URL_FILE: '/run/url', ALERTCARD_HMAC_SECRET_FILE: '/run/hmac' };
    const files = { '/run/url': `${DINGTALK_URL}\n`, '/run/hmac': `\${A}\n` };

    const { settings, watchedFiles } = load({ env, files });

    const auth = settings.sources.get('grafana')?.auth;
    expect(auth?.kind === 'hmac' && auth.secrets[0]?.reveal()).toBe(`\${A}`);
    expect(settings.channels.get('dingtalk')?.robots[0]?.url.reveal()).toBe(DINGTALK_URL);
    expect([...watchedFiles].sort()).toEqual(['/run/hmac', '/run/url']);
  });

  it.each([
    [{}, 'no channel is configured: set ALERTCARD_DINGTALK_URL or ALERTCARD_FEISHU_URL'],
    [DINGTALK, 'set exactly one of ALERTCARD_HMAC_SECRET'],
    [{ ...DINGTALK, ...HMAC, ALERTCARD_AUTH: 'none' }, '(ALERTCARD_HMAC_SECRET and ALERTCARD_AUTH are set)'],
    [{ ...DINGTALK, ALERTCARD_AUTH: 'off' }, 'ALERTCARD_AUTH: must be none'],
    [{ ...DINGTALK, ALERTCARD_BASIC: 'user' }, 'ALERTCARD_BASIC: must be user:password'],
    [
      { ...DINGTALK, ...HMAC, ALERTCARD_HMAC_SECRET_FILE: '/run/x' },
      'ALERTCARD_HMAC_SECRET: ALERTCARD_HMAC_SECRET and ALERTCARD_HMAC_SECRET_FILE are both set: keep one',
    ],
    [{ ...DINGTALK, ALERTCARD_HMAC_SECRET_FILE: '/run/x' }, 'the file /run/x cannot be read (ENOENT)'],
    [
      { ...DINGTALK, ...HMAC, ALERTCARD_FEISHU_SECRET: 's' },
      'ALERTCARD_FEISHU_SECRET: needs ALERTCARD_FEISHU_URL as well',
    ],
    [
      { ...HMAC, ALERTCARD_FEISHU_URL: DINGTALK_URL },
      'ALERTCARD_FEISHU_URL: this is a robot of another chat',
    ],
    [{ ...DINGTALK, ...HMAC, ALERTCARD_LISTEN: '80' }, 'ALERTCARD_LISTEN: must be host:port'],
    [{ ...DINGTALK, ...HMAC, ALERTCARD_LOCALE: 'fr' }, 'ALERTCARD_LOCALE: must be one of zh-CN, en'],
    [{ ...DINGTALK, ...HMAC, ALERTCARD_TIMEZONE: 'CST8' }, 'ALERTCARD_TIMEZONE: must be an IANA time zone'],
  ])('refuses %j', (env, expected) => {
    const report = reportOf({ env });

    expect(report).toContain(expected);
  });

  it('warns of variables that look like its own, with what was probably meant', () => {
    const env = {
      ...BOTH,
      ...HMAC,
      ALERTCARD_DINGTALK_SECERT: 'x',
      ALERTCARD_WHATEVER_ELSE: 'x',
      ALERTCARD_PORT: 'tcp://10.0.0.1:9095',
      ALERTCARD_PORT_9095_TCP: 'tcp://10.0.0.1:9095',
      ALERTCARD_SERVICE_HOST: '10.0.0.1',
      ALERTCARD_CONFIG: '',
    };

    const { warnings } = load({ env });

    expect(warnings).toEqual([
      'the environment variable ALERTCARD_DINGTALK_SECERT is not known: did you mean ALERTCARD_DINGTALK_SECRET?',
      'the environment variable ALERTCARD_WHATEVER_ELSE is not known',
    ]);
  });
});

describe('a file beside the environment', () => {
  it('is found as alertcard.yaml in the working directory', () => {
    const { origin } = load({ files: { '/srv/alertcard.yaml': MINIMAL } });

    expect(origin).toBe('/srv/alertcard.yaml');
  });

  it('is found by ALERTCARD_CONFIG, and --config goes before it', () => {
    const files = { '/srv/a.yaml': MINIMAL, '/etc/b.yaml': MINIMAL };
    const env = { ALERTCARD_CONFIG: 'a.yaml' };

    const origins = [load({ env, files }).origin, load({ env, files, path: '/etc/b.yaml' }).origin];

    expect(origins).toEqual(['/srv/a.yaml', '/etc/b.yaml']);
  });

  it('is refused together with variables that describe a channel', () => {
    const report = reportOf({ yaml: MINIMAL, env: DINGTALK });

    expect(report).toBe(
      'ALERTCARD_DINGTALK_URL: describes a channel beside the file alertcard.yaml: remove one of them',
    );
  });

  it('may ask for such variables by name, and for others of that prefix', () => {
    const yaml = `${MINIMAL.replace(DINGTALK_URL, `\${ALERTCARD_DINGTALK_URL}`)}    keyword: \${ALERTCARD_MY_WORD}\n`;

    const { settings, warnings } = load({ yaml, env: { ...DINGTALK, ALERTCARD_MY_WORD: 'w' } });

    expect(settings.channels.get('ops')?.keyword).toBe('w');
    expect(warnings.filter((warning) => warning.includes('ALERTCARD'))).toEqual([]);
  });

  it('lets variables say where the program runs, as far as it says nothing itself', () => {
    const env = {
      ALERTCARD_LISTEN: '1.2.3.4:5',
      ALERTCARD_DATA: '/data/',
      ALERTCARD_ADMIN_TOKEN_FILE: '/run/token',
      ALERTCARD_LOCALE: 'en',
      ALERTCARD_TIMEZONE: 'Mars/Olympus',
    };
    const yaml = `${MINIMAL}server: { listen: ":7" }\ndefaults: { timezone: UTC }\n`;

    const { settings, warnings } = load({ yaml, env, files: { '/run/token': 'from-file\n' } });

    expect(settings.server).toMatchObject({ host: '0.0.0.0', port: 7 });
    expect(settings.server.adminToken?.reveal()).toBe('from-file');
    expect(settings.store.path).toBe('/data/alertcard.db');
    expect(settings.defaults).toEqual({ locale: 'en', timezone: 'UTC' });
    expect(warnings.filter((warning) => warning.includes('ALERTCARD'))).toEqual([]);
  });

  it('names the variable when such a value is wrong', () => {
    const report = reportOf({ yaml: MINIMAL, env: { ALERTCARD_LISTEN: 'nowhere' } });

    expect(report).toContain('ALERTCARD_LISTEN: server.listen: must be host:port');
  });

  it('makes the variables of authentication void, which is said', () => {
    const { warnings } = load({ yaml: MINIMAL, env: { ALERTCARD_AUTH: 'none' } });

    expect(warnings).toContain('ALERTCARD_AUTH has no effect: the configuration file decides');
  });
});
