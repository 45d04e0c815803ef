import { didYouMean, type Path } from './problems.ts';

export interface InterpolateSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads the text of `${file:…}`; throws an error whose message may be shown. */
  readonly readSecretFile: (path: string) => string;
}

export interface Interpolated {
  readonly value: unknown;
  readonly problems: readonly { readonly path: Path; readonly message: string }[];
  /** Names of the environment variables the configuration asks for, set or not. */
  readonly variables: ReadonlySet<string>;
  /** Values that came from outside, with what stands for them in the text: messages show the latter. */
  readonly replacements: readonly { readonly value: string; readonly reference: string }[];
}

/** `$${` for a literal `${`, then a whole reference, then one that is never closed. */
const REFERENCE = /\$\$\{|\$\{([^}]*)\}|\$\{/g;
/** Shorter values are no secrets, and would be "found" everywhere in a message. */
const SHORTEST_SECRET = 6;

/**
 * Puts environment variables and files into the string leaves of an already parsed tree, so that no
 * value can ever change its structure. What was put in is not looked at again.
 */
export function interpolate(tree: unknown, sources: InterpolateSources): Interpolated {
  const problems: { path: Path; message: string }[] = [];
  const variables = new Set<string>();
  const replacements: { value: string; reference: string }[] = [];

  function visit(node: unknown, path: Path): unknown {
    if (typeof node === 'string') return fill(node, path);
    if (Array.isArray(node)) return node.map((item, index) => visit(item, [...path, index]));
    if (node === null || typeof node !== 'object') return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, value]: [string, unknown]) => [key, visit(value, [...path, key])]),
    );
  }

  function fill(text: string, path: Path): string {
    return text.replaceAll(REFERENCE, (reference: string, inside: string | undefined) => {
      if (reference === '$${') return '${';
      try {
        const value = resolve(reference, inside);
        if (value.length >= SHORTEST_SECRET) replacements.push({ value, reference });
        return value;
      } catch (error) {
        problems.push({ path, message: error instanceof Error ? error.message : String(error) });
        return '';
      }
    });
  }

  function resolve(reference: string, inside: string | undefined): string {
    if (inside === undefined) throw new Error('a ${ is not closed; write $${ for a literal one');
    if (inside.startsWith('file:')) return sources.readSecretFile(inside.slice('file:'.length));
    if (!/^[A-Za-z_]\w*$/.test(inside))
      throw new Error(`${reference} is neither \${NAME} nor \${file:/path}; write $\${ for a literal \${`);
    variables.add(inside);
    const value = sources.env[inside];
    if (value !== undefined) return value;
    const hint = didYouMean(inside, Object.keys(sources.env));
    throw new Error(`the environment variable ${inside} is not set${hint}`);
  }

  return { value: visit(tree, []), problems, variables, replacements };
}
