import type { PreviewedMessage, PreviewInput } from '../domain/preview.ts';
import type { ReloadResult } from '../domain/reload.ts';
import type { ProviderName, Settings } from '../domain/settings.ts';

/** Anything that takes text: a stream, or a buffer in tests. */
export interface Output {
  write(text: string): unknown;
}

/** One command of the program. */
export interface Command {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** The whole help, usage line first. */
  readonly help: string;
  /** Resolves to the exit code. */
  run(context: CommandContext, args: readonly string[]): Promise<number>;
}

/** Everything a command takes from outside. */
export interface CommandContext {
  readonly stdout: Output;
  readonly stderr: Output;
  /** Epoch ms. */
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly readFile: (path: string) => Promise<Uint8Array>;
  readonly http: HttpFunction;
  readonly loadSettings: LoadSettings;
  readonly app: AppPort;
  /** Calls the handlers on SIGTERM or SIGINT and on SIGHUP, until the process ends. */
  readonly onSignals: (handlers: SignalHandlers) => void;
}

export interface SignalHandlers {
  readonly drain: () => Promise<void>;
  readonly reload: () => Promise<unknown>;
}

export type HttpFunction = (request: {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly timeoutMs: number;
}) => Promise<{ readonly status: number; readonly body: string }>;

export interface LoadRequest {
  /** `--config`; undefined: the loader looks where the documentation says. */
  readonly file: string | undefined;
  /** `serve` refuses a configuration without channels; the others do with what there is. */
  readonly purpose: 'serve' | 'sandbox' | 'read';
}

export interface LoadedSettings {
  readonly settings: Settings;
  /** The file read; undefined when the environment was enough. */
  readonly file: string | undefined;
  readonly warnings: readonly string[];
}

/** Throws `config_invalid` with one report of every problem. */
export type LoadSettings = (request: LoadRequest) => Promise<LoadedSettings>;

/** What the commands need of the composition root. */
export interface AppPort {
  /** Builds and starts the service; rejects when it cannot start. */
  build(settings: Settings, options: BuildOptions): Promise<RunningApp>;
  startSandbox(options: SandboxOptions): Promise<Sandbox>;
  /** The messages a template makes of a payload, without a running server. */
  preview(settings: Settings, input: PreviewInput): Promise<readonly PreviewedMessage[]>;
  /** Problems of the templates that channels name; empty when all compile. */
  checkTemplates(settings: Settings): Promise<readonly string[]>;
  /** Renders the templates that channels name with the samples that come with the program. */
  sampleTemplates(settings: Settings): Promise<SampleReport>;
  /** Copies the store over a read-only connection, beside a running server too. */
  backup(settings: Settings, file: string): Promise<{ readonly bytes: number }>;
  /** Looks at what can be looked at without a server: store, file system, clock, permissions. */
  examine(settings: Settings): Promise<readonly Finding[]>;
}

/** What the samples showed about the templates in use. */
export interface SampleReport {
  /** Tried: one for each template, language and form in use. */
  readonly templates: number;
  readonly samples: number;
  /** Templates that fail while they render. */
  readonly problems: readonly string[];
  /** What comes out blank or too large. */
  readonly warnings: readonly string[];
}

export interface BuildOptions {
  /** Where log lines go. */
  readonly log: Output;
  readonly logLevel: 'info' | 'warn' | 'error';
  /** Reads the configuration anew on reload. */
  readonly loadAgain: () => Promise<LoadedSettings>;
}

export interface RunningApp {
  /** Root URL it answers at, e.g. `http://127.0.0.1:9095`. */
  readonly address: string;
  reload(): Promise<ReloadResult>;
  /** Finishes or hands back what is in flight, closes everything; the same promise each time. */
  drain(): Promise<void>;
  /** Settles when it has drained, or rejects when it can no longer serve. */
  readonly closed: Promise<void>;
}

export interface SandboxOptions {
  /**
   * Whose channels get look-alike robots; undefined: a configuration of its own, with source
   * `grafana` signed by HMAC, on a free loopback port.
   */
  readonly settings: Settings | undefined;
  /** Folder of the store where `settings` is undefined. */
  readonly dataDir: string;
  /** A robot showed this card. */
  readonly onCard: (card: SandboxCard) => void;
}

export interface Sandbox {
  readonly settings: Settings;
  close(): Promise<void>;
}

/** A card as it stands in the chat. */
export interface SandboxCard {
  readonly provider: ProviderName;
  readonly channel: string;
  readonly title: string;
  readonly body: string;
  readonly buttons: readonly { readonly text: string; readonly url: string }[];
}

/** One thing the doctor saw. `untrusted` is about the store itself. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'failed' | 'untrusted';
  readonly subject: string;
  /** What is so, and what to do when it is not well. */
  readonly text: string;
}
