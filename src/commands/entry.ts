import { scrub } from '../domain/scrub.ts';
import type { CommandContext, Output, SignalHandlers } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { runCommand } from './main.ts';

/** The parts of the process the entry touches. */
interface Host {
  readonly args: readonly string[];
  readonly stdout: Output;
  readonly stderr: Output;
  on(event: 'SIGTERM' | 'SIGINT' | 'SIGHUP', handler: () => void): unknown;
  on(event: 'uncaughtException' | 'unhandledRejection', handler: (error: unknown) => void): unknown;
  exit(code: number): void;
}

export interface EntryOptions {
  readonly host: Host;
  readonly version: string;
  /** Writes one scrubbed log line about an error nobody caught. */
  readonly logCrash: (error: unknown) => void;
  readonly ports: Omit<CommandContext, 'stdout' | 'stderr' | 'onSignals'>;
}

/** Runs the command of the command line and ends the process with its code. */
export async function runEntry({ host, version, logCrash, ports }: EntryOptions): Promise<void> {
  const crash = (error: unknown): void => {
    logCrash(error);
    host.exit(EXIT.failed);
  };
  host.on('uncaughtException', crash);
  host.on('unhandledRejection', crash);
  const context: CommandContext = {
    ...ports,
    stdout: host.stdout,
    // Messages may quote what others wrote; standard output is what was asked for, to the byte.
    stderr: { write: (text) => host.stderr.write(scrub(text)) },
    onSignals: (handlers) => {
      listen(host, handlers, crash, logCrash);
    },
  };
  host.exit(await runCommand(context, host.args, version));
}

/** The first signal drains, the second ends the process at once; a hang-up reloads and can end nothing. */
function listen(
  host: Host,
  handlers: SignalHandlers,
  crash: (error: unknown) => void,
  log: (error: unknown) => void,
): void {
  let isDraining = false;
  const end = (): void => {
    if (isDraining) {
      host.exit(EXIT.failed);
      return;
    }
    isDraining = true;
    handlers.drain().catch(crash);
  };
  host.on('SIGTERM', end);
  host.on('SIGINT', end);
  host.on('SIGHUP', () => {
    handlers.reload().catch(log);
  });
}
