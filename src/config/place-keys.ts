import { get } from './tree.ts';
import type { Variables } from './variables.ts';

/** Keys that say where and how the program runs, not what it does, with the variables that may set them. */
export const PLACE_VARIABLES = {
  'server.listen': 'ALERTCARD_LISTEN',
  'server.admin_token': 'ALERTCARD_ADMIN_TOKEN',
  'store.url': 'ALERTCARD_DATA',
  'defaults.locale': 'ALERTCARD_LOCALE',
  'defaults.timezone': 'ALERTCARD_TIMEZONE',
} as const;

/** A configuration as mappings and lists, before it is checked. */
export type Tree = Readonly<Record<string, unknown>>;

export interface Placed {
  readonly tree: Tree | undefined;
  /** Paths of the keys that variables filled in. */
  readonly filled: ReadonlyMap<string, string>;
}

/**
 * Fills in what a configuration leaves out: the image says where to listen and where the data are, and a
 * file mounted into it need not. Of what the file says the variable is not even read.
 */
export function withPlaceKeys(tree: unknown, variables: Variables): Placed {
  const filled = new Map<string, string>();
  let placed = asRecord(tree);
  if (placed === undefined) return { tree: placed, filled };
  for (const [path, variable] of Object.entries(PLACE_VARIABLES)) {
    const [section = '', key = ''] = path.split('.');
    const keys: Tree | undefined = section in placed ? asRecord(placed[section]) : {};
    if (keys === undefined || get({ path: [], value: keys }, key).value !== undefined) continue;
    const value = variables.get(variable);
    if (value === undefined) continue;
    filled.set(path, variable);
    placed = { ...placed, [section]: { ...keys, [key]: key === 'url' ? storeUrl(value) : value } };
  }
  return { tree: placed, filled };
}

function storeUrl(folder: string): string {
  return `sqlite:${folder.replace(/\/+$/, '')}/alertcard.db`;
}

/** undefined for what is no mapping: the schema has its own words for it. */
function asRecord(value: unknown): Tree | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(Object.entries(value));
}
