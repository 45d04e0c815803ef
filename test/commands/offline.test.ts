import { describe, expect, it } from 'vitest';
import type { Finding } from '../../src/commands/context.ts';
import type { PreviewedMessage, PreviewInput } from '../../src/domain/preview.ts';
import { channel, run, settingsWith } from './support.ts';

const message: PreviewedMessage = {
  provider: 'dingtalk',
  rung: 'card',
  message: { msgtype: 'actionCard', actionCard: { title: '严重 & <b>' } },
  bytes: 812,
  shown: 3,
  omitted: 2,
  warnings: ['dingtalk/default: line 2: unknown helper'],
};

describe('preview', () => {
  it('prints the exact message on standard output, the rest beside it', async () => {
    const inputs: PreviewInput[] = [];

    const ran = await run(
      ['preview', '--template', 'default', '--payload', 'body.json', '--provider', 'dingtalk'],
      {
        files: { 'body.json': '{"status":"firing"}' },
        app: {
          preview: async (_settings, input) => {
            inputs.push(input);
            return [message];
          },
        },
      },
    );

    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toEqual(message.message);
    expect(ran.stderr).toBe(
      'dingtalk card: 812 bytes, 3 alerts, 2 left out\nwarning: dingtalk/default: line 2: unknown helper\n',
    );
    expect(inputs).toEqual([{ template: 'default', provider: 'dingtalk', payload: '{"status":"firing"}' }]);
  });

  it('prints all messages for programs', async () => {
    const { stdout } = await run(['preview', '--template', 'default', '--payload', 'body.json', '--json'], {
      files: { 'body.json': '{}' },
      app: { preview: async () => [message, { ...message, provider: 'feishu' }] },
    });

    expect(JSON.parse(stdout)).toEqual([message, { ...message, provider: 'feishu' }]);
  });
});

describe('preview --html', () => {
  const args = ['preview', '--template', 'default', '--payload', 'body.json', '--html'];
  const given = { files: { 'body.json': '{}' }, app: { preview: async () => [message] } };

  it('prints one page with every message', async () => {
    const { code, stdout, stderr } = await run(args, given);

    expect(code).toBe(0);
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*dingtalk card, 812 bytes[\s\S]*<\/html>\n$/u);
    expect(stderr).toContain('2 left out');
  });

  it('does not go with --json', async () => {
    const { code, stderr } = await run([...args, '--json'], given);

    expect(code).toBe(2);
    expect(stderr).toContain('--html and --json exclude each other');
  });
});

describe('backup', () => {
  it('copies the store of the configuration into the file', async () => {
    const ran = await run(['backup', 'copy.db'], {
      app: {
        backup: async (settings, file) => {
          expect([settings.store.path, file]).toEqual(['/var/lib/alertcard/alertcard.db', 'copy.db']);
          return { bytes: 4_096 };
        },
      },
    });

    expect(ran).toEqual({ code: 0, stdout: 'copy.db: 4096 bytes\n', stderr: '' });
  });
});

describe('doctor', () => {
  const settings = settingsWith({ channels: new Map([['ops', channel({ fallback: 'dev' })]]) });
  const answering = async () => ({ status: 200, body: '{}' });

  it('prints what it saw', async () => {
    const ran = await run(['doctor'], {
      settings,
      http: answering,
      app: { examine: async () => [{ level: 'ok', subject: 'store', text: 'is intact' }] },
    });

    expect(ran).toEqual({
      code: 0,
      stdout: `ok        configuration: can be read
ok        store: is intact
ok        server: http://127.0.0.1:9095/readyz answers 200
`,
      stderr: '',
    });
  });

  it.each([
    ['warning', 0],
    ['failed', 1],
    ['untrusted', 3],
  ] as const)('ends a finding that is %s with %i', async (level, exitCode) => {
    const finding: Finding = { level, subject: 'store', text: 'see above' };

    const { code, stdout } = await run(['doctor', '--json'], {
      settings,
      http: answering,
      app: { examine: async () => [finding] },
    });

    expect(code).toBe(exitCode);
    expect(JSON.parse(stdout).items).toContainEqual(finding);
  });

  it('fails on a broken template', async () => {
    const { code, stdout } = await run(['doctor'], {
      settings,
      http: answering,
      app: { checkTemplates: async () => ['dingtalk/night: unclosed block'] },
    });

    expect(code).toBe(1);
    expect(stdout).toContain('failed    template: dingtalk/night: unclosed block\n');
  });

  it('fails on a server that is not ready and forgives one that does not run', async () => {
    const notReady = await run(['doctor'], {
      settings,
      http: async () => ({ status: 503, body: '{"reason":"draining"}' }),
    });
    const notRunning = await run(['doctor'], {
      settings,
      http: async () => Promise.reject(new Error('ECONNREFUSED')),
    });

    expect(notReady.code).toBe(1);
    expect(notReady.stdout).toContain('answers 503: {"reason":"draining"}');
    expect(notRunning.code).toBe(0);
    expect(notRunning.stdout).toContain('warning   server: none answers at http://127.0.0.1:9095\n');
  });
});
