import { describe, expect, it } from 'vitest';
import { checkReport, formatCheck } from '../../src/config/check.ts';
import { ConfigError } from '../../src/config/problems.ts';
import { DINGTALK_URL, load, MINIMAL, minimalWith } from './support.ts';

describe('the check', () => {
  it('shows the resolved routing and every gap', () => {
    const yaml = minimalWith({
      'sources.grafana.auth': 'none',
      'sources.second': {
        auth: { hmac: { secrets: ['x'], timestamp_header: '' } },
        channels: ['ops'],
        allow_channels: ['ops'],
      },
      'sources.third': { auth: { bearer: { secrets: ['x'] } }, channels: ['ops'] },
      'channels.pay': {
        provider: 'dingtalk',
        robots: [{ url: `${DINGTALK_URL}1` }, { url: `${DINGTALK_URL}2` }],
        fallback: 'ops',
        pacing: { per_minute: 0 },
      },
      'channels.idle': { provider: 'dingtalk', robots: [{ url: `${DINGTALK_URL}3` }], fallback: 'ops' },
      routes: [
        { match: ['team=~pay', 'a!=b'], channels: ['pay', 'ops'], mention: { all: true }, continue: true },
        { channels: ['ops'] },
      ],
    });

    const text = formatCheck(checkReport(load({ yaml })));

    expect(text.split('\n')).toEqual([
      '/etc/alertcard.yaml: ok',
      '',
      'source grafana (none): POST /hooks/grafana',
      '  to ops for alerts that no route matches',
      '  POST /hooks/grafana/{channel} for any channel',
      'source second (hmac): POST /hooks/second',
      '  to ops for alerts that no route matches',
      '  POST /hooks/second/{channel} for ops',
      'source third (bearer): POST /hooks/third',
      '  to ops for alerts that no route matches',
      '  POST /hooks/third/{channel} for any channel',
      'route 1: team=~"pay" and a!="b" to pay, ops, mentioning everyone, then on to the next route',
      'route 2: every alert to ops',
      'channel ops: dingtalk, 1 robot, form card, template default, zh-CN, Asia/Shanghai, no fallback',
      'channel pay: dingtalk, 2 robots, form card, template default, zh-CN, Asia/Shanghai, fallback ops',
      'channel idle: dingtalk, 1 robot, form card, template default, zh-CN, Asia/Shanghai, fallback ops',
      '',
      'warning: source grafana: auth is none, so anyone who reaches the port may post',
      'warning: source second: no timestamp header, so a request that was overheard can be repeated',
      'warning: source third: bearer carries no timestamp, so a request that was overheard can be repeated',
      'warning: channel ops: no fallback, so nobody hears of it in a chat when it is broken',
      'warning: channel ops: DingTalk promises mentions in markdown and text only; use form: markdown where people must be called',
      'warning: channel pay: pacing is off, so the vendor may mute its robots',
      'warning: channel pay: DingTalk promises mentions in markdown and text only; use form: markdown where people must be called',
      'warning: channel idle: no source and no route leads to it; only /hooks/{source}/idle does',
      '',
    ]);
  });

  it('shows the problems of a broken configuration and nothing else', () => {
    const error = catchConfigError(() => load({ yaml: `${MINIMAL}extra: 1\n` }));

    const report = checkReport(error);

    expect(report).toMatchObject({ isOk: false, warnings: [], routing: [] });
    expect(formatCheck(report)).toBe('/etc/alertcard.yaml:9:1: extra: is not a known key\n');
  });

  it('warns of a template folder that is not there', () => {
    const { warnings } = load({ yaml: minimalWith({ templates_dir: 'mine' }) });

    expect(warnings).toContain(
      'templates_dir: there is no folder /srv/mine; the built-in templates are used',
    );
  });

  it('says in the error itself what is wrong', () => {
    const error = catchConfigError(() => load({ yaml: `${MINIMAL}extra: 1\n` }));

    expect(error.code).toBe('config_invalid');
    expect(error.message).toBe(
      'the configuration has 1 problem\n/etc/alertcard.yaml:9:1: extra: is not a known key',
    );
  });
});

function catchConfigError(run: () => unknown): ConfigError {
  try {
    run();
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
