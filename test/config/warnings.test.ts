import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/config/problems.ts';
import { scrub } from '../../src/domain/scrub.ts';
import { DINGTALK_URL, load, MINIMAL, minimalWith } from './support.ts';

describe('what a configuration is warned of', () => {
  it('is worded so that the scrubbing of standard error leaves it whole', () => {
    const auth = (kind: object) => ({ auth: kind, channels: ['ops'] });
    const yaml = minimalWith({
      'sources.b': auth({ bearer: { secrets: ['x-secret'] } }),
      'sources.c': auth({ basic: { secrets: ['user:password'] } }),
    });

    const text = load({ yaml }).warnings.join('\n');

    expect(text).toContain('no timestamp with auth bearer');
    expect(scrub(text)).toBe(text);
  });

  it('names every gap, once', () => {
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

    const { warnings } = load({ yaml });

    expect(warnings).toEqual([
      'source grafana: auth is none, so anyone who reaches the port may post',
      'source second: no timestamp header, so a request that was overheard can be repeated',
      'source third: no timestamp with auth bearer, so a request that was overheard can be repeated',
      'channel ops: no fallback, so nobody hears of it in a chat when it is broken',
      'channel ops: DingTalk promises mentions in markdown and text only; use form: markdown where people must be called',
      'channel pay: pacing is off, so the vendor may mute its robots',
      'channel pay: DingTalk promises mentions in markdown and text only; use form: markdown where people must be called',
      'channel idle: no source and no route leads to it; only /hooks/{source}/idle does',
    ]);
  });

  it('warns of a template folder that is not there', () => {
    const { warnings } = load({ yaml: minimalWith({ templates_dir: 'mine' }) });

    expect(warnings).toContain(
      'templates_dir: there is no folder /srv/mine; the built-in templates are used',
    );
  });
});

describe('a configuration that cannot be used', () => {
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
