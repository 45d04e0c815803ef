import type { Path } from './problems.ts';

/**
 * Lenient reading of a tree that the schema may have refused: whatever is not of the expected form
 * is skipped, since the schema has its own words for it. So cross-checks can report beside it.
 */
export interface Entry {
  readonly path: Path;
  readonly value: unknown;
}

export function get(entry: Entry, key: string): Entry {
  const { value, path } = entry;
  const isMapping = value !== null && typeof value === 'object' && Object.hasOwn(value, key);
  return { path: [...path, key], value: isMapping ? Reflect.get(value, key) : undefined };
}

/** The values of a mapping, or the items of a list. */
export function children(entry: Entry): Entry[] {
  const { value, path } = entry;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => ({ path: [...path, index], value: item }));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).map(([key, item]: [string, unknown]) => ({
    path: [...path, key],
    value: item,
  }));
}

/** The texts of a list with their paths. */
export function texts(entry: Entry): { readonly path: Path; readonly value: string }[] {
  return children(entry).flatMap(({ path, value }) => (typeof value === 'string' ? [{ path, value }] : []));
}

export function text(entry: Entry): string | undefined {
  return typeof entry.value === 'string' ? entry.value : undefined;
}

/** The key under which an entry stands in its mapping. */
export function keyOf(entry: Entry): string {
  return String(entry.path.at(-1));
}
