import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type Ear,
  freePort,
  type Program,
  type ProgramOptions,
  spawnProgram,
  startEar,
  untilReady,
  writeConfig,
} from './program.ts';

/** What a process test stands on: a folder with a configuration, a port, a robot, and what was started. */
export interface Stage {
  readonly dir: string;
  readonly port: number;
  readonly ear: Ear;
  readonly config: string;
  /** Writes the configuration anew. */
  rewrite(edit: (yaml: string) => string): void;
  /** Starts the program and waits until it is ready. */
  start(options?: ProgramOptions): Promise<Program>;
  /** Starts it without waiting: it may refuse to run. */
  spawn(options?: ProgramOptions): Program;
}

interface StageOptions {
  /** Changes the configuration before it is written. */
  readonly edit?: (yaml: string) => string;
}

/** Sets a stage for one test; whatever still runs when it ends is killed. */
export async function setStage({ edit = (yaml) => yaml }: StageOptions = {}): Promise<Stage> {
  const dir = mkdtempSync(join(tmpdir(), 'alertcard-fault-'));
  const [port, ear] = [await freePort(), await startEar()];
  const programs: Program[] = [];
  onTestFinished(async () => {
    for (const { child } of programs) child.kill('SIGKILL');
    await Promise.all(programs.map(({ ended }) => ended));
    await ear.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const rewrite = (change: (yaml: string) => string): string => {
    const path = writeConfig(dir, port, ear.url);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
    return path;
  };
  const config = rewrite(edit);
  const keep = (program: Program): Program => {
    programs.push(program);
    return program;
  };
  return {
    dir,
    port,
    ear,
    config,
    rewrite,
    start: async (options) => {
      const program = keep(spawnProgram(config, options));
      await untilReady(program, port);
      return program;
    },
    spawn: (options) => keep(spawnProgram(config, options)),
  };
}

/** Resolves when the robot has heard a text, or a minute has passed. */
export async function untilHeard({ ear }: Stage, text: string): Promise<boolean> {
  return until(() => ear.heard.some((message) => message.includes(text)));
}

/** Resolves to true once it holds, to false after a minute. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (Date.now() < deadline) {
    if (await holds()) return true;
    await new Promise((passed) => setTimeout(passed, 25));
  }
  return false;
}

/** Status of an open page; undefined when nobody answers. */
export async function statusOf({ port }: Stage, path: '/healthz' | '/readyz'): Promise<number | undefined> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
  await answer?.arrayBuffer();
  return answer?.status;
}

/** A figure of `/metrics`: the sum of its series. */
export async function metricOf({ port }: Stage, name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}
