import { AlertcardError } from '../domain/errors.ts';

/** Where something stands in what the operator wrote. */
export interface Location {
  /** A file, or the name of an environment variable. */
  readonly origin: string;
  readonly line?: number;
  readonly column?: number;
}

/** One mistake in the configuration: the key, what is wrong and what to do. */
export interface Problem extends Location {
  /** Such as `channels.ops.robots[0].url`; '' for the whole. */
  readonly path: string;
  readonly message: string;
}

export type Path = readonly PropertyKey[];

/** The configuration is unusable; carries every problem found, not only the first. */
export class ConfigError extends AlertcardError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    super('config_invalid', `the configuration has ${count(problems)}\n${formatProblems(problems)}`);
    this.problems = problems;
  }
}

/** One line a problem, in the form editors and terminals make clickable: `file:line:column: path: message`. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems
    .map(({ origin, line, column, path, message }) => {
      const place = line === undefined ? origin : `${origin}:${line}:${column ?? 1}`;
      return [place, path, message].filter((part) => part !== '').join(': ');
    })
    .join('\n');
}

export function formatPath(path: Path): string {
  return path
    .map((key, position) => {
      if (typeof key === 'number') return `[${key}]`;
      return position === 0 ? String(key) : `.${String(key)}`;
    })
    .join('');
}

/** The candidate a mistyped word most likely meant; undefined when none is near. */
export function closest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** `, did you mean "x"?` or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const suggestion = closest(word, candidates);
  return suggestion === undefined ? '' : `, did you mean "${suggestion}"?`;
}

function count(problems: readonly Problem[]): string {
  return problems.length === 1 ? '1 problem' : `${problems.length} problems`;
}

/** Levenshtein distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i += 1) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const substitution = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min((row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1, substitution));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
