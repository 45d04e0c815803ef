import { describe, expect, it } from 'vitest';
import { sandboxSettings } from '../../src/config/sandbox-settings.ts';
import { load, minimalWith } from './support.ts';

const request = {
  base: undefined,
  robotFor: (channel: string, provider: string) => ({
    url: `http://127.0.0.1:1/${provider}/${channel}`,
    secret: 'look-alike',
  }),
  hmacSecret: 'sandbox-hmac',
  storePath: '/sandbox/alertcard.db',
  cwd: '/srv',
};

describe('the sandbox', () => {
  it('needs no configuration: one signed source and a look-alike of each provider', () => {
    const settings = sandboxSettings({ ...request, listen: '127.0.0.1:0' });

    const auth = settings.sources.get('grafana')?.auth;
    expect(settings).toMatchObject({
      sandbox: true,
      server: { host: '127.0.0.1', port: 0 },
      store: { path: '/sandbox/alertcard.db' },
      egress: { allowPrivate: true },
    });
    expect(auth?.kind === 'hmac' && auth.secrets[0]?.reveal()).toBe('sandbox-hmac');
    expect([...settings.channels.keys()]).toEqual(['dingtalk', 'feishu']);
    expect(settings.channels.get('feishu')?.robots[0]?.url.reveal()).toBe('http://127.0.0.1:1/feishu/feishu');
  });

  it('keeps a configuration but for its robots, its store and what may be called', () => {
    const yaml = minimalWith({ 'egress.proxy': 'http://proxy:1', 'channels.ops.template': 'mine' });
    const { settings: base } = load({ yaml });

    const settings = sandboxSettings({ ...request, base });

    const ops = settings.channels.get('ops');
    expect(ops).toMatchObject({ template: 'mine' });
    expect(ops?.robots.map(({ url }) => url.reveal())).toEqual(['http://127.0.0.1:1/dingtalk/ops']);
    expect(ops?.robots[0]?.key).not.toBe(base.channels.get('ops')?.robots[0]?.key);
    expect(settings.egress).toEqual({ allowHosts: [], allowPrivate: true, proxy: undefined, caFile: '' });
    expect(settings.sources).toBe(base.sources);
  });
});
