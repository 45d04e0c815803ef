import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from '../../support/program.ts';

/** Said where somebody chose to go without: the tests then count as skipped, never as passed. */
export const HAS_NO_COMPILER = process.env.ALERTCARD_NO_COMPILER === '1';

/** A library that stands between one program and its disk. */
interface FaultyDisk {
  /** Environment for the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Where the files lie as the last sync left them, when the disk was made with `durable`. */
  readonly durableDir: string;
  /** Turns a fault on or off. */
  set(fault: 'eio' | 'enospc', isOn: boolean): void;
}

/** Compiles the faulty disk for one test. */
export function faultyDisk(options: { readonly durable?: boolean } = {}): FaultyDisk {
  const dir = mkdtempSync(join(tmpdir(), 'alertcard-disk-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const library = compile(join(import.meta.dirname, 'faulty-disk.c'), dir);
  const durableDir = join(dir, 'durable');
  if (options.durable === true) mkdirSync(durableDir);
  return {
    env: { LD_PRELOAD: library, FAULT_DIR: dir },
    durableDir,
    set: (fault, isOn) => {
      const path = join(dir, fault);
      if (isOn) writeFileSync(path, '');
      else rmSync(path, { force: true });
    },
  };
}

/** Environment under which every sync takes so long. */
export function slowDisk(delayMs: number): Readonly<Record<string, string>> {
  const dir = mkdtempSync(join(tmpdir(), 'alertcard-disk-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const library = compile(join(ROOT, 'bench/slow-fsync.c'), dir);
  return { LD_PRELOAD: library, SLOW_FSYNC_MS: String(delayMs) };
}

function compile(source: string, dir: string): string {
  const library = join(dir, 'preload.so');
  try {
    execFileSync('cc', ['-O2', '-shared', '-fPIC', '-o', library, source, '-ldl'], { stdio: 'pipe' });
  } catch (error) {
    throw new Error(
      'This test needs a C compiler (cc). Install one, or set ALERTCARD_NO_COMPILER=1 to go without the tests of failing disks.',
      { cause: error },
    );
  }
  return library;
}
