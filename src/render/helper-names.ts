import Handlebars from 'handlebars';

/** Handlebars itself calls these where a block's name is no helper. */
const ALWAYS = ['helperMissing', 'blockHelperMissing'] as const;

/** Names of the helpers that a parsed template may call; names of fields are among them. */
export function helperNames(tree: hbs.AST.Program): ReadonlySet<string> {
  const visitor = new PathNames();
  visitor.accept(tree);
  return visitor.found;
}

class PathNames extends Handlebars.Visitor {
  readonly found = new Set<string>(ALWAYS);

  override PathExpression(path: hbs.AST.PathExpression): void {
    this.found.add(path.original);
  }
}
