import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { RunningApp } from '../../src/commands/context.ts';
import { type EntryOptions, runEntry } from '../../src/commands/entry.ts';
import { httpRequest } from '../../src/commands/http.ts';
import { NO_APP, settingsWith } from './support.ts';

interface Started {
  readonly process: EventEmitter;
  readonly exits: number[];
  readonly crashes: unknown[];
  readonly stderr: string[];
  readonly ended: Promise<void>;
}

function start(args: readonly string[], app: Partial<EntryOptions['ports']['app']> = {}): Started {
  const process = new EventEmitter();
  const exits: number[] = [];
  const crashes: unknown[] = [];
  const stderr: string[] = [];
  const ended = runEntry({
    version: '1.2.3',
    logCrash: (error) => void crashes.push(error),
    host: {
      args,
      stdout: { write: () => undefined },
      stderr: { write: (text) => stderr.push(text) },
      on: (event: string, handler: (error: unknown) => void) => process.on(event, handler),
      exit: (code) => void exits.push(code),
    },
    ports: {
      now: () => 0,
      sleep: async () => undefined,
      readFile: async () => new Uint8Array(),
      http: httpRequest,
      loadSettings: async () => ({ settings: settingsWith(), file: undefined, warnings: [] }),
      app: { ...NO_APP, ...app },
    },
  });
  return { process, exits, crashes, stderr, ended };
}

function appWith(changes: Partial<RunningApp>): { build: () => Promise<RunningApp> } {
  const app: RunningApp = {
    address: '',
    reload: async () => ({ ok: true, warnings: [] }),
    drain: async () => undefined,
    closed: new Promise(() => undefined),
    ...changes,
  };
  return { build: async () => app };
}

/** Lets what was promised so far happen. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the entry', () => {
  it('ends the process with the code of the command', async () => {
    const { exits, ended } = start(['nonsense']);

    await ended;

    expect(exits).toEqual([2]);
  });

  it.each(['SIGTERM', 'SIGINT'])('drains on the first %s and ends with 0', async (signal) => {
    let finish: () => void = () => undefined;
    const closed = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const { process, exits, ended } = start(['serve'], appWith({ closed, drain: async () => finish() }));
    await settle();

    process.emit(signal);
    await ended;

    expect(exits).toEqual([0]);
  });

  it('ends at once on the second signal, of whatever kind', async () => {
    let drains = 0;
    const drain = async (): Promise<void> => {
      drains += 1;
    };
    const { process, exits } = start(['serve'], appWith({ drain }));
    await settle();

    process.emit('SIGTERM');
    const afterFirst = [...exits];
    process.emit('SIGINT');

    expect(afterFirst).toEqual([]);
    expect(exits).toEqual([1]);
    expect(drains).toBe(1);
  });

  it('reloads on SIGHUP and survives a reload that fails', async () => {
    const fault = new Error('reload');
    let reloads = 0;
    const reload = async (): Promise<never> => {
      reloads += 1;
      return Promise.reject(fault);
    };
    const { process, exits, crashes } = start(['serve'], appWith({ reload }));
    await settle();

    process.emit('SIGHUP');
    process.emit('SIGHUP');
    await settle();

    expect(reloads).toBe(2);
    expect(crashes).toEqual([fault, fault]);
    expect(exits).toEqual([]);
  });

  it('leaves signals alone where nothing is to be drained', async () => {
    const { process, ended } = start(['--version']);

    await ended;

    expect(process.eventNames()).toEqual(['uncaughtException', 'unhandledRejection']);
  });

  it.each(['uncaughtException', 'unhandledRejection'])('logs %s and ends with 1', async (event) => {
    const { process, exits, crashes } = start(['serve'], appWith({}));
    await settle();
    const error = new Error('bug');

    process.emit(event, error);

    expect(crashes).toEqual([error]);
    expect(exits).toEqual([1]);
  });

  it('keeps credentials out of its messages', async () => {
    const build = async () =>
      Promise.reject(new Error('POST https://x/robot/send?access_token=c4n4ry failed'));
    const { stderr, ended } = start(['serve'], { build });

    await ended;

    expect(stderr.join('')).toBe(
      'alertcard serve: POST https://x/robot/send?access_token=[redacted] failed\n',
    );
  });
});
