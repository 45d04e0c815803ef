import { describe, expect, it } from 'vitest';
import { DINGTALK_URL, FEISHU_URL, minimalWith, reportOf } from './support.ts';

describe('a broken configuration', () => {
  it('is reported whole, each problem with file, line, column and path', () => {
    const yaml = `server:
  lisen: 0.0.0.0:80
  body_limit: 10MB
sources:
  grafana:
    auth: {}
    channels: [opps]
channels:
  ops:
    provider: dingtalk
    robots:
      - url: ${FEISHU_URL}
        secret: \${MISSING}
    form: card2
    fallback: ops
    timezone: Asia/Shangai
routes:
  - match: ['severity=~"crit("']
    channels: [nowhere]
`;

    const report = reportOf({ yaml, env: { MISSIN: 'x' } });

    expect(report.split('\n')).toEqual([
      'alertcard.yaml:2:3: server.lisen: is not a known key, did you mean "listen"?',
      'alertcard.yaml:3:15: server.body_limit: must be a size such as 512KiB, 10MiB or 2GiB',
      'alertcard.yaml:6:11: sources.grafana.auth: needs exactly one of hmac, bearer, basic; or none, written out',
      'alertcard.yaml:7:16: sources.grafana.channels[0]: there is no channel "opps", did you mean "ops"?; known: ops',
      'alertcard.yaml:12:14: channels.ops.robots[0].url: this is a robot of another chat: set provider to feishu',
      'alertcard.yaml:13:17: channels.ops.robots[0].secret: the environment variable MISSING is not set, did you mean "MISSIN"?',
      'alertcard.yaml:14:11: channels.ops.form: dingtalk has no such form: use one of card, markdown, text',
      'alertcard.yaml:15:15: channels.ops.fallback: must name another channel',
      'alertcard.yaml:16:15: channels.ops.timezone: must be an IANA time zone such as Asia/Shanghai or UTC',
      'alertcard.yaml:18:13: routes[0].match[0]: matcher severity=~"crit(": in the pattern, the pattern is not a regular expression: look for an unclosed ( or [ or a stray * + ? (position 11)',
      'alertcard.yaml:19:16: routes[0].channels[0]: there is no channel "nowhere"; known: ops',
    ]);
  });

  it.each([
    ['', ['alertcard.yaml: sources: is required', 'alertcard.yaml: channels: is required']],
    ['- a', ['alertcard.yaml:1:1: must be a mapping']],
    ['a: [', ['alertcard.yaml:1:5: Flow sequence in block collection must be sufficiently indented']],
    ['a: *nowhere', ['alertcard.yaml: Unresolved alias']],
    ['a: 1\na: 2', ['alertcard.yaml:2:1: Map keys must be unique']],
    ['a: b: hunter2', ['alertcard.yaml:1:4: Nested mappings are not allowed in compact mappings']],
  ])('names what is wrong with %j as a whole', (yaml, expected) => {
    const report = reportOf({ yaml });

    for (const line of expected) expect(report).toContain(line);
    expect(report).not.toContain('hunter2');
  });

  it.each([
    ['server', null, 'server: is empty: give it a value or remove the key'],
    ['server.listen', '9095', 'server.listen: must be host:port such as'],
    ['server.listen', 'host:70000', 'server.listen: must be host:port such as'],
    ['server.listen', '[host]:80', 'server.listen: must be host:port such as'],
    [
      'server.public_url',
      'alertcard.example.com',
      'server.public_url: must be a URL with http:// or https://',
    ],
    ['server.body_limit', '1KiB', 'server.body_limit: must be at least 64KiB'],
    ['server.drain_delay', '1h', 'server.drain_delay: must be at most 15s'],
    ['server.drain_delay', 5, 'server.drain_delay: must be a duration such as 30s'],
    ['store.url', 'postgres://db/x', 'store.url: must be sqlite: and a path'],
    ['store.retention.dead', '10 years', 'store.retention.dead: must be a duration'],
    ['defaults.locale', 'zh_CN', 'defaults.locale: must be one of zh-CN, en, did you mean "zh-CN"?'],
    ['defaults.timezone', '+08:00', 'defaults.timezone: must be an IANA time zone'],
    ['severity.ranks', { a: ['x'], b: ['X'] }, 'severity.ranks.b[0]: "X" already stands in rank a'],
    ['links.images', 'inline', 'links.images: must be one of link, public'],
    ['links.rewrites', [{ from: 'grafana', to: 'https://b' }], 'links.rewrites[0].from: must be a URL'],
    ['egress.allow_hosts', ['https://x'], 'egress.allow_hosts[0]: must be a host name'],
    ['egress.allow_private', 'yes', 'egress.allow_private: must be true or false'],
    ['egress.proxy', 'proxy:3128', 'egress.proxy: must be a URL with http:// or https://'],
    ['egress.ca_file', '/etc/none.pem', 'egress.ca_file: there is no file none.pem'],
    ['sources', {}, 'sources: needs at least one source'],
    ['sources.grafana.channels', [], 'sources.grafana.channels: needs at least one channel'],
    ['sources.grafana.channels', 'ops', 'sources.grafana.channels: must be a list'],
    ['sources.grafana.channels', ['ops', 'ops'], 'sources.grafana.channels[1]: names channel "ops" twice'],
    ['sources.grafana.allow_channels', ['x'], 'sources.grafana.allow_channels[0]: there is no channel "x"'],
    ['sources.grafana.auth', undefined, 'sources.grafana.auth: is required'],
    [
      'sources.grafana.auth',
      { bearer: { secrets: ['a'] }, basic: { secrets: ['a:b'] } },
      'sources.grafana.auth: needs exactly one of',
    ],
    ['sources.grafana.auth', { hmac: { secrets: [] } }, 'auth.hmac.secrets: needs at least one secret'],
    ['sources.grafana.auth', { hmac: { secrets: [''] } }, 'auth.hmac.secrets[0]: must not be empty'],
    [
      'sources.grafana.auth',
      { hmac: { secret: 'a' } },
      'auth.hmac.secret: is not a known key, did you mean "secrets"?',
    ],
    [
      'sources.grafana.auth',
      { basic: { secrets: ['user'] } },
      'auth.basic.secrets[0]: must be user:password',
    ],
    ['sources.grafana.auth', { none: false }, 'sources.grafana.auth.none'],
    [
      'sources.alertcard',
      { auth: 'none', channels: ['ops'] },
      'sources.alertcard: the name alertcard is reserved',
    ],
    ['channels.a b', {}, 'channels.a b: the name must be 1 to 63 letters'],
    ['channels.ops.provider', 'wecom', 'channels.ops.provider: must be one of dingtalk, feishu'],
    ['channels.ops.provider', undefined, 'channels.ops.provider: is required: one of dingtalk, feishu'],
    ['channels.ops.robots', [], 'channels.ops.robots: needs at least one robot'],
    ['channels.ops.robots', [{ url: '' }], 'channels.ops.robots[0].url: must not be empty'],
    ['channels.ops.robots', [{}], 'channels.ops.robots[0].url: is required'],
    [
      'channels.ops.robots',
      [{ url: 'oapi.dingtalk.com' }],
      'robots[0].url: not a URL: copy the whole webhook address',
    ],
    ['channels.ops.robots', [{ url: 'ftp://a.example.com' }], 'robots[0].url: must start with https://'],
    [
      'channels.ops.robots',
      [{ url: 'https://u:p@a.example.com' }],
      'robots[0].url: must not hold a user name',
    ],
    ['channels.ops.robots', [{ url: `${DINGTALK_URL}#x` }], 'robots[0].url: must not hold a #'],
    [
      'channels.ops.robots',
      [{ url: 'https://oapi.dingtalk.com/robot/send' }],
      'robots[0].url: access_token is missing: copy the whole webhook address',
    ],
    [
      'channels.ops.robots',
      [{ url: 'https://oapi.dingtalk.com/robot?access_token=x' }],
      'robots[0].url: the path must be /robot/send',
    ],
    [
      'channels.ops.robots',
      [{ url: DINGTALK_URL }, { url: DINGTALK_URL }],
      'robots[1].url: is the same robot as one above',
    ],
    ['channels.ops.robots', [{ url: DINGTALK_URL, secret: '' }], 'robots[0].secret: must not be empty'],
    ['channels.ops.form', 'bare', 'channels.ops.form: must be one of card, markdown, card2, card1, text'],
    ['channels.ops.group', 'single', 'channels.ops.group: must be one of together, each'],
    ['channels.ops.template', '../x', 'channels.ops.template: must be 1 to 63 letters'],
    ['channels.ops.mention', { on: ['fired'] }, 'channels.ops.mention.on[0]: must be one of firing'],
    ['channels.ops.fallback', 'op', 'channels.ops.fallback: there is no channel "op", did you mean "ops"?'],
    ['channels.ops.pacing', { per_minute: -1 }, 'channels.ops.pacing.per_minute: must be at least 0'],
    ['channels.ops.pacing', { per_minute: 'many' }, 'channels.ops.pacing.per_minute: must be a number'],
    ['channels.ops.digest', { above: 0 }, 'channels.ops.digest.above: must be at least 1'],
    ['channels.ops.broken_after', '1s', 'channels.ops.broken_after: must be at least 10s'],
    ['routes', [{ match: ['a=b'], channels: [] }], 'routes[0].channels: needs at least one channel'],
    ['routes', [{ match: 'a=b', channels: ['ops'] }], 'routes[0].match: must be a list'],
    ['routes', [{ matchers: ['a=b'], channels: ['ops'] }], 'routes[0].matchers: is not a known key'],
    ['mentions', [{ match: [] }], 'mentions[0].match: needs a condition'],
    [
      'mentions',
      [{ match: ['a=b'], dingtalk: { mobiles: ['alice'] } }],
      'mentions[0].dingtalk.mobiles[0]: must be a phone number',
    ],
    [
      'mentions',
      [{ match: ['a=b'], dingtalk: { mobiles: ['+85212345678'] } }],
      'mentions[0].dingtalk.mobiles[0]: must be a phone number; one from abroad is written +852-12345678',
    ],
    [
      'mentions',
      [{ match: ['a=b'], feishu: { open_ids: ['a@example.com'] } }],
      'mentions[0].feishu.open_ids[0]: must be an open_id (ou_…)',
    ],
    [
      'mentions',
      [{ match: ['a=b'], feishu: { user_ids: ['a@example.com'] } }],
      'mentions[0].feishu.user_ids[0]: a custom bot cannot mention by email',
    ],
  ])('names what is wrong when %s is %j', (path, value, expected) => {
    const report = reportOf({ yaml: minimalWith({ [path]: value }) });

    expect(report).toContain(expected);
  });

  it.each([
    ['https://open.feishu.cn/open-apis/bot/hook/abc', 'this is the old kind of bot'],
    ['https://open.larksuite.com/open-apis/bot/v2/hook/', 'the path must be /open-apis/bot/v2/hook/'],
    [DINGTALK_URL, 'this is a robot of another chat: set provider to dingtalk'],
  ])('names what is wrong with the feishu robot %s', (url, expected) => {
    const report = reportOf({
      yaml: minimalWith({ 'channels.ops': { provider: 'feishu', robots: [{ url }] } }),
    });

    expect(report).toContain(`channels.ops.robots[0].url: ${expected}`);
  });

  it('asks whether a robot may be called at all, with the egress rules of the same file', () => {
    const yaml = minimalWith({ 'egress.allow_private': true });

    const report = reportOf({
      yaml,
      checkRobotUrl: (url, egress) => `asked: ${url === DINGTALK_URL} ${egress.allowPrivate}`,
    });

    expect(report).toContain('channels.ops.robots[0].url: asked: true true');
  });

  it('never shows a robot URL or what came from outside', () => {
    const yaml = minimalWith({
      'channels.ops.robots': [{ url: `${FEISHU_URL}-canary` }],
      'sources.grafana.channels': [`\${TOKEN}`],
      routes: [{ match: [`\${TOKEN}`], channels: ['ops'] }],
    });

    const report = reportOf({ yaml, env: { TOKEN: 'canary-from-outside' } });

    expect(report).toContain(`there is no channel "\${TOKEN}"`);
    expect(report).not.toContain('canary');
  });

  it('cannot be read when the file is missing', () => {
    const report = reportOf({ path: '/etc/nowhere.yaml' });

    expect(report).toBe('nowhere.yaml: the file cannot be read (ENOENT)');
  });
});
