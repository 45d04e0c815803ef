import { z } from 'zod';
import { didYouMean, type Path } from './problems.ts';
import { Config } from './schema.ts';

/** A mistake at a path, before anyone knows where that stands in the text. */
export interface Issue {
  readonly path: Path;
  readonly message: string;
  /** `key` when the key itself is wrong. */
  readonly part?: 'key' | 'value';
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
};

export type ParsedConfig =
  | { readonly config: Config; readonly issues: readonly [] }
  | { readonly config: undefined; readonly issues: readonly Issue[] };

/** Holds a tree against the schema and puts every mistake in words. */
export function parseConfig(tree: unknown): ParsedConfig {
  const result = Config.safeParse(tree, { error: describe });
  if (result.success) return { config: result.data, issues: [] };
  return { config: undefined, issues: result.error.issues.flatMap(toIssues) };
}

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];

function describe(issue: RawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return 'is required';
    if (issue.input === null) return 'is empty: give it a value or remove the key';
    return `must be ${KINDS[issue.expected] ?? issue.expected}`;
  }
  if (issue.code === 'invalid_value') return oneOf(issue.values.map(String), issue.input);
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  return undefined;
}

function oneOf(values: readonly string[], input: unknown): string {
  if (input === undefined) return `is required: one of ${values.join(', ')}`;
  const hint = typeof input === 'string' ? didYouMean(input, values) : '';
  return values.length === 1 ? `must be ${values[0]}` : `must be one of ${values.join(', ')}${hint}`;
}

function toIssues(issue: z.core.$ZodIssue): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(issue.path);
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: `is not a known key${didYouMean(key, known)}`,
      part: 'key' as const,
    }));
  }
  if (issue.code === 'invalid_key') {
    const message = issue.issues[0]?.message ?? issue.message;
    return [{ path: issue.path, message: `the name ${message}`, part: 'key' }];
  }
  if (issue.code === 'invalid_union') return [{ path: issue.path, message: unionMessage(issue) }];
  return [{ path: issue.path, message: issue.message }];
}

/** Of the alternatives, the words of the one made for people. */
function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  const inner = issue.errors.flat().find(({ code }) => code === 'invalid_format' || code === 'custom');
  return inner?.message ?? issue.errors.flat()[0]?.message ?? issue.message;
}

/** The part of a JSON schema that leads from a path to the keys allowed there. */
interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
}

function keysAt(path: Path): string[] {
  let node: SchemaNode | undefined = z.toJSONSchema(Config, { io: 'input' }) as SchemaNode;
  for (const step of path) {
    if (typeof step === 'number') node = node?.items;
    else node = node?.properties?.[String(step)] ?? asNode(node?.additionalProperties);
  }
  return Object.keys(node?.properties ?? {});
}

function asNode(node: SchemaNode | boolean | undefined): SchemaNode | undefined {
  return typeof node === 'object' ? node : undefined;
}
