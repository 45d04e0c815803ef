import { describe, expect, it } from 'vitest';
import type { LoadRequest, RunningApp, SandboxCard, SignalHandlers } from '../../src/commands/context.ts';
import type { Settings } from '../../src/domain/settings.ts';
import { run, settingsWith } from './support.ts';

const CARD: SandboxCard = {
  provider: 'feishu',
  channel: 'ops',
  title: '[FIRING:1] API error rate high',
  body: 'one\n\ntwo',
  buttons: [{ text: 'Panel', url: 'https://grafana.example.com/d/checkout' }],
};

/** An app that runs until it is drained. */
function runningApp(log: string[] = []): RunningApp {
  let finish: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    address: 'http://127.0.0.1:12345',
    reload: async () => {
      log.push('reload');
      return { ok: true, warnings: [] };
    },
    drain: async () => {
      log.push('drain');
      finish();
    },
    closed,
  };
}

describe('serve', () => {
  it('runs until it has drained, and reloads when asked to', async () => {
    const log: string[] = [];

    const ran = await run(['serve'], {
      warnings: ['ALERTCARD_LISTN is unknown'],
      app: { build: async () => runningApp(log) },
      onSignals: ({ reload, drain }) => void reload().then(drain),
    });

    expect(ran).toEqual({ code: 0, stdout: '', stderr: 'warning: ALERTCARD_LISTN is unknown\n' });
    expect(log).toEqual(['reload', 'drain']);
  });

  it('fails when the service can no longer serve', async () => {
    const app = { ...runningApp(), closed: Promise.reject(new Error('the writer has died')) };

    const ran = await run(['serve'], { app: { build: async () => app } });

    expect(ran).toEqual({ code: 1, stdout: '', stderr: 'alertcard serve: the writer has died\n' });
  });

  it('reads the same configuration again on reload', async () => {
    const requests: LoadRequest[] = [];

    await run(['serve', '--config', 'other.yaml'], {
      loadSettings: async (request) => {
        requests.push(request);
        return { settings: settingsWith(), file: 'other.yaml', warnings: [] };
      },
      app: {
        build: async (_settings, { loadAgain }) => {
          await loadAgain();
          return runningApp();
        },
      },
      onSignals: ({ drain }) => void drain(),
    });

    expect(requests).toEqual([
      { file: 'other.yaml', purpose: 'serve' },
      { file: 'other.yaml', purpose: 'serve' },
    ]);
  });

  it('serves look-alike robots in the sandbox, after a reload too, and closes them', async () => {
    const sandboxed = settingsWith({ sandbox: true });
    const built: Settings[] = [];
    const warnings: string[] = [];
    const log: string[] = [];

    const ran = await run(['serve', '--sandbox'], {
      app: {
        startSandbox: async ({ settings, onCard }) => {
          expect(settings).toBeDefined();
          onCard(CARD);
          return { settings: sandboxed, close: async () => void log.push('robots closed') };
        },
        build: async (settings, { loadAgain }) => {
          const again = await loadAgain();
          built.push(settings, again.settings);
          warnings.push(...again.warnings);
          return runningApp(log);
        },
      },
      onSignals: ({ drain }) => void drain(),
    });

    expect(ran.code).toBe(0);
    expect(warnings).toEqual([expect.stringContaining('only templates were read anew')]);
    expect(ran.stderr).toBe('sandbox: ops (feishu) shows: [FIRING:1] API error rate high\n');
    expect(built).toEqual([sandboxed, sandboxed]);
    expect(log).toEqual(['drain', 'robots closed']);
  });

  it('closes the robots when the service cannot start', async () => {
    const log: string[] = [];

    const { code } = await run(['serve', '--sandbox'], {
      app: {
        startSandbox: async () => ({
          settings: settingsWith(),
          close: async () => void log.push('robots closed'),
        }),
        build: async () => Promise.reject(new Error('port in use')),
      },
    });

    expect(code).toBe(1);
    expect(log).toEqual(['robots closed']);
  });
});

describe('demo', () => {
  const sandboxOf = (log: string[], show: (card: SandboxCard) => void = () => undefined) => ({
    startSandbox: async (options: { dataDir: string; onCard: (card: SandboxCard) => void }) => {
      log.push(`sandbox in ${options.dataDir}`);
      show = options.onCard;
      return { settings: settingsWith(), close: async () => void log.push('robots closed') };
    },
    show: (card: SandboxCard) => show(card),
  });

  it('tells the story through the hook, prints each card and leaves the store behind', async () => {
    const log: string[] = [];
    const sandbox = sandboxOf(log);
    const posts: { url: string; status: string; alerts: number; headers: string[]; prefer: string }[] = [];

    const { code, stdout, stderr } = await run(['demo', '--data', './story'], {
      app: { startSandbox: sandbox.startSandbox, build: async () => runningApp(log) },
      http: async ({ url, body, headers }) => {
        const { status, alerts } = JSON.parse(Buffer.from(body ?? '').toString());
        posts.push({
          url,
          status,
          alerts: alerts.length,
          headers: Object.keys(headers).toSorted(),
          prefer: headers.prefer ?? '',
        });
        sandbox.show({ ...CARD, title: `${status} ${alerts.length}` });
        return { status: 202, body: '{}' };
      },
    });

    expect(code).toBe(0);
    expect(stderr).toBe('');
    const url = 'http://127.0.0.1:12345/hooks/grafana';
    const headers = [
      'content-type',
      'prefer',
      'x-grafana-alerting-signature',
      'x-grafana-alerting-timestamp',
    ];
    expect(posts).toEqual([
      { url, status: 'firing', alerts: 1, headers, prefer: 'wait=10' },
      { url, status: 'firing', alerts: 3, headers, prefer: 'wait=10' },
      { url, status: 'resolved', alerts: 3, headers, prefer: 'wait=10' },
    ]);
    expect(stdout.indexOf('firing 1')).toBeLessThan(stdout.indexOf('firing 3'));
    expect(stdout.indexOf('firing 3')).toBeLessThan(stdout.indexOf('resolved 3'));
    expect(stdout).toContain('  one\n\n  two\n\n  [ Panel ]  https://grafana.example.com/d/checkout\n');
    expect(stdout).toContain('ALERTCARD_DATA=./story node dist/cli.js deliveries list');
    expect(log).toEqual(['sandbox in ./story', 'drain', 'robots closed']);
  });

  it('fails when a card does not arrive, and closes all the same', async () => {
    const log: string[] = [];

    const { code, stderr } = await run(['demo'], {
      app: { startSandbox: sandboxOf(log).startSandbox, build: async () => runningApp(log) },
      http: async () => ({ status: 502, body: '{"code":"test_not_delivered"}' }),
    });

    expect(code).toBe(1);
    expect(stderr).toContain('The hook answered 502: {"code":"test_not_delivered"}');
    expect(log).toEqual(['sandbox in ./alertcard-demo', 'drain', 'robots closed']);
  });

  it('stops the story when it is interrupted', async () => {
    const log: string[] = [];
    let handlers: SignalHandlers | undefined;
    let posts = 0;

    const { code } = await run(['demo'], {
      app: { startSandbox: sandboxOf(log).startSandbox, build: async () => runningApp(log) },
      onSignals: (given) => {
        handlers = given;
      },
      http: async () => {
        posts += 1;
        await handlers?.drain();
        return Promise.reject(new Error('ECONNRESET'));
      },
    });

    expect(code).toBe(0);
    expect(posts).toBe(1);
    expect(log).toContain('robots closed');
  });
});
