import Handlebars from 'handlebars';

/** Names of the helpers that every `{{x}}` and `{{{x}}}` is wrapped in; a template cannot spell them. */
export const ESCAPE_HELPER = '@escape';
export const RAW_HELPER = '@raw';

/** What Handlebars brings along, less `log`: a template writes nowhere but into its card. */
const BUILT_IN = new Set(['each', 'if', 'unless', 'with', 'lookup']);

/** A mistake that parsing alone does not see. */
export interface Mistake {
  readonly problem: string;
  readonly line: number;
  readonly column: number;
}

/**
 * Wraps each mustache of a parsed template in the helper that escapes for the place it lands in
 * (Handlebars itself knows HTML only), and collects calls of what does not exist. Changes the tree.
 */
export class EscapePass extends Handlebars.Visitor {
  readonly mistakes: Mistake[] = [];
  readonly #helpers: ReadonlySet<string>;
  readonly #inline = new Set<string>();

  constructor(helpers: ReadonlySet<string>) {
    super();
    this.#helpers = helpers;
  }

  override MustacheStatement(mustache: hbs.AST.MustacheStatement): void {
    super.MustacheStatement(mustache);
    const { path, params, hash, loc } = mustache;
    const isCall = params.length > 0 || hash !== undefined || this.#isHelper(path);
    if (isCall) this.#checkCall(path, loc);
    const value = isCall ? callOf(mustache) : path;
    mustache.path = nameOf(mustache.escaped ? ESCAPE_HELPER : RAW_HELPER, loc);
    mustache.params = [value];
    mustache.escaped = false;
    Reflect.deleteProperty(mustache, 'hash');
  }

  override SubExpression(call: hbs.AST.SubExpression): void {
    super.SubExpression(call);
    this.#checkCall(call.path, call.loc);
  }

  override BlockStatement(block: hbs.AST.BlockStatement): void {
    super.BlockStatement(block);
    if (block.params.length > 0 || block.hash !== undefined) this.#checkCall(block.path, block.loc);
  }

  override DecoratorBlock(decorator: hbs.AST.DecoratorBlock): void {
    super.DecoratorBlock(decorator);
    const [name] = decorator.params;
    if (isPath(decorator.path) && decorator.path.original === 'inline' && isText(name)) {
      this.#inline.add(name.value);
      return;
    }
    this.#mistake(`only {{#*inline "name"}} may decorate`, decorator.loc);
  }

  override Decorator(decorator: hbs.AST.Decorator): void {
    this.#mistake(`only {{#*inline "name"}} may decorate`, decorator.loc);
  }

  override PartialStatement(partial: hbs.AST.PartialStatement): void {
    super.PartialStatement(partial);
    const name = isPath(partial.name) ? partial.name.original : undefined;
    if (name !== undefined && this.#inline.has(name)) return;
    this.#mistake(
      `there is no {{#*inline "${name ?? '…'}"}} above this: partials live in the same file`,
      partial.loc,
    );
  }

  override PartialBlockStatement(partial: hbs.AST.PartialBlockStatement): void {
    this.#mistake('{{#> …}} is not supported, use {{> …}}', partial.loc);
  }

  #checkCall(path: hbs.AST.Node, loc: hbs.AST.SourceLocation): void {
    const name = simpleName(path);
    if (name !== undefined && (this.#helpers.has(name) || BUILT_IN.has(name))) return;
    const written = isPath(path) ? path.original : 'this';
    this.#mistake(
      `there is no helper "${written}"; known are ${[...this.#helpers, ...BUILT_IN].sort().join(', ')}`,
      loc,
    );
  }

  #isHelper(path: hbs.AST.Node): boolean {
    const name = simpleName(path);
    return name !== undefined && this.#helpers.has(name);
  }

  #mistake(problem: string, loc: hbs.AST.SourceLocation): void {
    this.mistakes.push({ problem, line: loc.start.line, column: loc.start.column + 1 });
  }
}

function callOf({ path, params, hash, loc }: hbs.AST.MustacheStatement): hbs.AST.SubExpression {
  if (!isPath(path)) throw new Error('a call starts with a name');
  return { type: 'SubExpression', path, params, hash, loc };
}

/** The types leave out `this`, which the parser sets and the compiler reads: hence the cast. */
function nameOf(name: string, loc: hbs.AST.SourceLocation): hbs.AST.PathExpression {
  return {
    type: 'PathExpression',
    original: name,
    this: false,
    data: false,
    depth: 0,
    parts: [name],
    loc,
  } as hbs.AST.PathExpression;
}

/** The name of a path that could be a helper: one part, not `./x`, `../x`, `this.x` or `@x`. */
function simpleName(path: hbs.AST.Node): string | undefined {
  if (!isPath(path) || path.data || path.depth > 0 || path.parts.length !== 1) return undefined;
  return /^(?:\.|this\b)/u.test(path.original) ? undefined : path.original;
}

function isPath(node: hbs.AST.Node | undefined): node is hbs.AST.PathExpression {
  return node?.type === 'PathExpression';
}

function isText(node: hbs.AST.Node | undefined): node is hbs.AST.StringLiteral {
  return node?.type === 'StringLiteral';
}
