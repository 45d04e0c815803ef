import type { AppPort, CommandContext, HttpFunction, SignalHandlers } from '../../src/commands/context.ts';
import { httpRequest } from '../../src/commands/http.ts';
import { runCommand } from '../../src/commands/main.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { ChannelSettings, Settings, SourceSettings } from '../../src/domain/settings.ts';

export const NOW = Date.UTC(2026, 2, 2, 8, 21, 11);

const MINUTE = 60_000;

export function channel(changes: Partial<ChannelSettings> = {}): ChannelSettings {
  return {
    name: 'ops',
    provider: 'dingtalk',
    robots: [{ url: new Secret('https://robot.invalid/?access_token=c4n4ry'), secret: undefined, key: 'a' }],
    keyword: '',
    form: 'card',
    template: 'default',
    locale: 'en',
    timezone: 'Asia/Shanghai',
    sendResolved: true,
    group: 'together',
    mention: { all: false, on: ['firing'] },
    fallback: undefined,
    brokenAfterMs: 2 * MINUTE,
    lateAfterMs: 5 * MINUTE,
    giveUpAfterMs: 1_440 * MINUTE,
    pacing: { perSecond: undefined, perMinute: 18 },
    digestAbove: 6,
    ...changes,
  };
}

export function source(changes: Partial<SourceSettings> = {}): SourceSettings {
  return {
    name: 'grafana',
    auth: {
      kind: 'hmac',
      secrets: [new Secret('s3cr3t-signing-key')],
      header: 'x-grafana-alerting-signature',
      timestampHeaders: ['x-grafana-alerting-timestamp'],
      toleranceMs: 5 * MINUTE,
    },
    dedupWindowMs: 2 * MINUTE,
    channels: ['ops'],
    allowChannels: [],
    ...changes,
  };
}

export function settingsWith(changes: Partial<Settings> = {}): Settings {
  return {
    server: {
      host: '127.0.0.1',
      port: 9095,
      publicUrl: '',
      adminToken: undefined,
      bodyLimitBytes: 10 * 1024 * 1024,
      drainDelayMs: 0,
    },
    store: {
      path: '/var/lib/alertcard/alertcard.db',
      retention: { deliveredMs: 1, bodiesMs: 1, deadMs: 1, maxSizeBytes: 1 },
    },
    defaults: { locale: 'en', timezone: 'Asia/Shanghai' },
    templatesDir: undefined,
    severity: { label: 'severity', ranks: [] },
    links: { rewrites: [], logs: undefined, images: 'link' },
    egress: { allowHosts: [], allowPrivate: false, proxy: undefined, caFile: '' },
    sources: new Map([['grafana', source()]]),
    channels: new Map([['ops', channel()]]),
    routes: [],
    mentions: [],
    sandbox: false,
    ...changes,
  };
}

/** An app that must not be needed. */
export const NO_APP: AppPort = {
  build: async () => Promise.reject(new Error('build was called')),
  startSandbox: async () => Promise.reject(new Error('startSandbox was called')),
  preview: async () => Promise.reject(new Error('preview was called')),
  checkTemplates: async () => [],
  sampleTemplates: async () => ({ templates: 2, samples: 16, problems: [], warnings: [] }),
  backup: async () => Promise.reject(new Error('backup was called')),
  examine: async () => [],
};

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly settings?: Settings;
  readonly warnings?: readonly string[];
  readonly loadSettings?: CommandContext['loadSettings'];
  readonly files?: Readonly<Record<string, string>>;
  readonly app?: Partial<AppPort>;
  readonly http?: HttpFunction;
  readonly onSignals?: (handlers: SignalHandlers) => void;
}

/** Runs the program in this process with a command line and a few things from outside. */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const context: CommandContext = {
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
    now: () => NOW,
    sleep: async () => undefined,
    readFile: async (path) => {
      const text = options.files?.[path];
      if (text === undefined) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
      return Buffer.from(text);
    },
    http: options.http ?? httpRequest,
    loadSettings:
      options.loadSettings ??
      (async () => ({
        settings: options.settings ?? settingsWith(),
        file: 'alertcard.yaml',
        warnings: options.warnings ?? [],
      })),
    app: { ...NO_APP, ...options.app },
    onSignals: options.onSignals ?? (() => undefined),
  };
  const code = await runCommand(context, args, '1.2.3');
  return { code, stdout: stdout.join(''), stderr: stderr.join('') };
}
