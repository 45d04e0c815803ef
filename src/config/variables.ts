import type { Problem } from './problems.ts';

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads variables that may also come as `NAME_FILE`; an empty one counts as not set. */
export class Variables {
  readonly problems: Problem[] = [];
  readonly #env: Env;
  readonly #readFile: (path: string) => string;

  constructor(env: Env, readFile: (path: string) => string) {
    this.#env = env;
    this.#readFile = readFile;
  }

  get(variable: string): string | undefined {
    const value = present(this.#env[variable]);
    const file = present(this.#env[`${variable}_FILE`]);
    if (file === undefined) return value;
    if (value !== undefined) {
      this.refuse(variable, `${variable} and ${variable}_FILE are both set: keep one`);
      return undefined;
    }
    try {
      return this.#readFile(file);
    } catch (error) {
      this.refuse(`${variable}_FILE`, error instanceof Error ? error.message : String(error));
      return undefined;
    }
  }

  isSet(variable: string): boolean {
    return present(this.#env[variable]) !== undefined || present(this.#env[`${variable}_FILE`]) !== undefined;
  }

  refuse(variable: string, message: string): void {
    this.problems.push({ origin: variable, path: '', message });
  }
}

/** An empty variable counts as not set. */
export function present(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}

/** A record without the keys that hold nothing. */
export function compact(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}
