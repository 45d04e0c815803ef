import type Sqlite from 'better-sqlite3';

export type Value = string | number | null | Uint8Array;

interface Prepared {
  readonly statement: Sqlite.Statement<unknown[]>;
  /** Numbered parameters (`?1`) count as named ones to better-sqlite3, the plain `?` do not. */
  readonly isNumbered: boolean;
}

type BoundValues = Value[] | [Readonly<Record<string, Value>>];

/** An open database that prepares each statement once. SQL stands in named constants beside the verbs that use them. */
export class Connection {
  readonly raw: Sqlite.Database;
  readonly #prepared = new Map<string, Prepared>();

  constructor(raw: Sqlite.Database) {
    this.raw = raw;
  }

  // The row type is the caller's word for what its SQL selects: STRICT tables hold it, the compiler cannot.
  get<Row>(sql: string, ...values: Value[]): Row | undefined {
    const prepared = this.#prepare(sql);
    return prepared.statement.get(...bind(prepared, values)) as Row | undefined;
  }

  all<Row>(sql: string, ...values: Value[]): Row[] {
    const prepared = this.#prepare(sql);
    return prepared.statement.all(...bind(prepared, values)) as Row[];
  }

  /** Rows one at a time; the connection can do nothing else until the loop ends. */
  iterate<Row>(sql: string, ...values: Value[]): IterableIterator<Row> {
    const prepared = this.#prepare(sql);
    return prepared.statement.iterate(...bind(prepared, values)) as IterableIterator<Row>;
  }

  /** Returns how many rows changed. */
  run(sql: string, ...values: Value[]): number {
    const prepared = this.#prepare(sql);
    return prepared.statement.run(...bind(prepared, values)).changes;
  }

  /** Runs an INSERT and returns the new row's integer key. */
  insert(sql: string, ...values: Value[]): number {
    const prepared = this.#prepare(sql);
    return Number(prepared.statement.run(...bind(prepared, values)).lastInsertRowid);
  }

  pragma(text: string): unknown {
    return this.raw.pragma(text, { simple: true });
  }

  close(): void {
    this.raw.close();
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const prepared = { statement: this.raw.prepare<unknown[]>(sql), isNumbered: /\?\d/.test(sql) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function bind({ isNumbered }: Prepared, values: Value[]): BoundValues {
  return isNumbered ? [Object.fromEntries(values.map((value, index) => [index + 1, value]))] : values;
}

/** Booleans are integers in SQLite. */
export function flag(value: boolean): 0 | 1 {
  return value ? 1 : 0;
}
