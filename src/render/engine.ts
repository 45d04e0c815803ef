import Handlebars from 'handlebars';
import { ESCAPE_HELPER, EscapePass, RAW_HELPER } from './escape-pass.ts';
import { helperNames } from './helper-names.ts';
import { type Env, HELPERS, type Helper, runHelper } from './helpers.ts';
import { Inert, toPlain } from './leaf.ts';
import { TemplateError } from './template-error.ts';

/** A compiled piece of a template: one body, or one leaf of the front matter. */
export type Compiled = (context: object, env: Env) => string;

/** A piece of a template file as text, with where it stands in that file. */
export interface Piece {
  readonly text: string;
  readonly file: string;
  /** Whole text of the file, for the excerpt of an error. */
  readonly source: string;
  /** Line of the file that the piece begins on, from 1. */
  readonly line: number;
  /** Added to columns on the piece's first line. */
  readonly column: number;
}

export interface Engine {
  /** Compiles a piece; throws a TemplateError with place and excerpt when it cannot. */
  compile(piece: Piece): Compiled;
}

const COMPILE_OPTIONS = { noEscape: true, knownHelpersOnly: true, data: true } as const;

/** Lookups stop at an object's own properties: nothing of a prototype is ever seen or called. */
const NO_PROTOTYPES = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false } as const;

/** Makes a Handlebars of our own, with our helpers and none that writes a log. */
export function makeEngine(): Engine {
  const handlebars = Handlebars.create();
  handlebars.unregisterHelper('log');
  for (const [name, helper] of Object.entries(HELPERS))
    handlebars.registerHelper(name, bindHelper(name, helper));
  handlebars.registerHelper(ESCAPE_HELPER, escapeValue);
  handlebars.registerHelper(RAW_HELPER, rawValue);
  const knownHelpers = Object.fromEntries(
    [...Object.keys(HELPERS), ESCAPE_HELPER, RAW_HELPER].map((name) => [name, true]),
  );
  const options = { ...COMPILE_OPTIONS, knownHelpers };
  return {
    compile: (piece) => {
      const tree = parse(handlebars, piece);
      const template = guarded(piece, () => {
        // compile() waits until the first use; precompiling finds its mistakes at load.
        handlebars.precompile(parse(handlebars, piece), options);
        return withHelpers(handlebars.helpers, helperNames(tree)).compile<object>(tree, options);
      });
      return (context, env) => template(context, { ...NO_PROTOTYPES, data: { env } });
    },
  };
}

/**
 * A Handlebars that has the helpers of one piece alone: it makes all it has ready at every call, which for
 * a button's one-word link took longer than the rendering.
 */
function withHelpers(helpers: typeof Handlebars.helpers, names: ReadonlySet<string>): typeof Handlebars {
  const used = Object.entries(helpers).filter(([name]) => names.has(name));
  return Object.assign(Handlebars.create(), { helpers: Object.fromEntries(used) });
}

/** Parses text only: a tree handed in could carry code into what Handlebars generates. */
function parse(handlebars: typeof Handlebars, piece: Piece): hbs.AST.Program {
  if (typeof piece.text !== 'string') throw new TypeError('a template is a text');
  const tree = guarded(piece, () => handlebars.parseWithoutProcessing(piece.text));
  const pass = new EscapePass(new Set(Object.keys(HELPERS)));
  pass.accept(tree);
  const [mistake] = pass.mistakes;
  if (mistake !== undefined) throw errorAt(piece, mistake.problem, mistake.line, mistake.column);
  return tree;
}

function bindHelper(name: string, helper: Helper): (...given: readonly unknown[]) => unknown {
  return (...given) => {
    const { hash, env } = optionsOf(given);
    return runHelper(name, helper, { args: given.slice(0, -1), hash, env });
  };
}

function escapeValue(...given: readonly unknown[]): string {
  const [value] = given;
  return value instanceof Inert ? value.rendered : optionsOf(given).env.leaf.escape(toPlain(value));
}

function rawValue(...given: readonly unknown[]): string {
  const [value] = given;
  return value instanceof Inert ? value.rendered : optionsOf(given).env.leaf.raw(toPlain(value));
}

/** Handlebars hands every helper its options as the last argument; `env` is what `compile` put there. */
function optionsOf(given: readonly unknown[]): {
  readonly hash: Readonly<Record<string, unknown>>;
  readonly env: Env;
} {
  const options = given.at(-1) as { hash: Record<string, unknown>; data: { env: Env } };
  return { hash: options.hash, env: options.data.env };
}

function guarded<T>(piece: Piece, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof TemplateError) throw error;
    const { problem, line, column } = readParseError(error, piece.text);
    throw errorAt(piece, problem, line, column);
  }
}

function errorAt(piece: Piece, problem: string, line: number, column: number): TemplateError {
  const place = {
    file: piece.file,
    line: piece.line + line - 1,
    column: line === 1 ? piece.column + column : column,
  };
  return new TemplateError(problem, place, piece.source);
}

/**
 * Handlebars says the place of a mistake in its message: `Parse error on line 3:`, then the text around
 * it with a caret beneath, then what it expected.
 */
function readParseError(error: unknown, text: string): { problem: string; line: number; column: number } {
  const message = error instanceof Error ? error.message : String(error);
  const parsed = /^(?:Parse|Lexical) error on line (\d+)[^\n]*\n([^\n]*)\n(-*)\^\n?([\s\S]*)$/u.exec(message);
  if (parsed !== null) {
    const [, line = '1', around = '', dashes = '', expected = ''] = parsed;
    const column = columnOf(text, Number(line), around.slice(dashes.length));
    return { problem: `does not parse here. ${friendly(expected)}`.trim(), line: Number(line), column };
  }
  const placed = /^([\s\S]*?) - (\d+):(\d+)$/u.exec(message);
  if (placed === null) return { problem: message, line: 1, column: 1 };
  const [, problem = message, line = '1', column = '0'] = placed;
  return { problem, line: Number(line), column: Number(column) + 1 };
}

/** Where the text at the caret stands in its line; the message joins lines, so a short piece is looked for. */
function columnOf(text: string, line: number, after: string): number {
  const row = text.split('\n')[line - 1] ?? '';
  for (let length = Math.min(after.length, 20); length > 2; length -= 1) {
    const at = row.indexOf(after.slice(0, length));
    if (at !== -1) return at + 1;
  }
  return row.length + 1;
}

/** The parser's token names, as a person would say them. */
function friendly(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    CLOSE: '"}}"',
    CLOSE_UNESCAPED: '"}}}"',
    OPEN_ENDBLOCK: 'a closing {{/…}}',
    EOF: 'the end of the template',
    ID: 'a name',
  };
  return expected.replace(/'([A-Z_]+)'/gu, (_whole, token: string) => names[token] ?? token.toLowerCase());
}
