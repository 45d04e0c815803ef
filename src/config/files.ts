import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** What loading needs of the file system. */
export interface ConfigFiles {
  /** Throws when the file cannot be read. */
  read(path: string): string;
  exists(path: string): boolean;
  /** Whether every user of the machine may read it. */
  isWorldReadable(path: string): boolean;
}

const OTHERS_MAY_READ = 0o004;

/** The real file system. */
export const nodeFiles: ConfigFiles = {
  read: (path) => readFileSync(path, 'utf8'),
  exists: existsSync,
  isWorldReadable: (path) => process.platform !== 'win32' && (statSync(path).mode & OTHERS_MAY_READ) !== 0,
};

/** Reads files that hold one secret each, and notes which and what is wrong with their permissions. */
export class SecretFiles {
  readonly #files: ConfigFiles;
  readonly #cwd: string;
  readonly read: string[] = [];
  readonly warnings: string[] = [];

  constructor(files: ConfigFiles, cwd: string) {
    this.#files = files;
    this.#cwd = cwd;
  }

  /** The content without one trailing newline; throws when the file is missing or empty. */
  text(name: string): string {
    const path = resolve(this.#cwd, name);
    const text = this.#readOrExplain(path).replace(/\r?\n$/, '');
    if (text === '') throw new Error(`the file ${path} is empty`);
    if (!this.read.includes(path)) {
      this.read.push(path);
      if (this.#files.isWorldReadable(path))
        this.warnings.push(`every user of this machine can read the secret in ${path}: chmod o-r`);
    }
    return text;
  }

  #readOrExplain(path: string): string {
    try {
      return this.#files.read(path);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      throw new Error(`the file ${path} cannot be read${code}`, { cause: error });
    }
  }
}
