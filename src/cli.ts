#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandPort } from './app/command-port.ts';
import { settingsLoader } from './app/settings-loader.ts';
import type { CommandContext } from './commands/context.ts';
import { runEntry } from './commands/entry.ts';
import { httpRequest } from './commands/http.ts';
import { createLogger } from './observe/logger.ts';

const STDERR = 2;

/** Runs the program with what reads its configuration and builds it. */
export async function main(ports: Pick<CommandContext, 'loadSettings' | 'app'>): Promise<void> {
  process.stdout.on('error', endQuietly);
  const log = createLogger({ level: 'fatal', destination: { write: (line) => writeSync(STDERR, line) } });
  await runEntry({
    version: readVersion(),
    logCrash: (error) => log.fatal({ err: error }, 'uncaught error'),
    host: {
      args: process.argv.slice(2),
      stdout: process.stdout,
      stderr: process.stderr,
      on: (event: string, handler: (error: unknown) => void) => process.on(event, handler),
      exit: (code) => process.exit(code),
    },
    ports: {
      ...ports,
      now: Date.now,
      sleep: async (ms) => sleep(ms),
      readFile,
      http: httpRequest,
    },
  });
}

/** Whoever reads our output has gone, `head` for instance: nothing is left to say. */
function endQuietly(error: Error & { readonly code?: string }): void {
  if (error.code === 'EPIPE') process.exit(1);
  throw error;
}

/** The same path from `src` and from `dist`. */
function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  );
  return version;
}

await main({
  loadSettings: settingsLoader(process.env, process.cwd()),
  app: commandPort(readVersion()),
});
