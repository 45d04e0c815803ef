import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Scalar, type YAMLMap } from 'yaml';
import { FRONT_MATTER_FIELDS } from './context-fields.ts';
import type { Compiled, Engine, Piece } from './engine.ts';
import { TemplateError } from './template-error.ts';

/** A template file, compiled: the front matter leaf by leaf, so that no value can break its structure. */
export interface Template {
  /** `dingtalk/default` */
  readonly name: string;
  readonly title: Compiled;
  /** undefined: `auto`, by status and severity. */
  readonly tone: Compiled | undefined;
  /** undefined: the severity and the test mark. */
  readonly tags: readonly Compiled[] | undefined;
  readonly buttons: readonly { readonly text: Compiled; readonly url: Compiled }[];
  /** Most alerts it shows; undefined: as many as fit. */
  readonly maxAlerts: number | undefined;
  readonly body: Compiled;
}

const KEYS = new Set(FRONT_MATTER_FIELDS.map(({ path }) => path));

/** A template that writes the vendor's own message, compiled. */
export interface JsonTemplate {
  /** `dingtalk/payments.json` */
  readonly name: string;
  readonly file: string;
  readonly message: Compiled;
}

/** `---`, YAML, `---`, body. */
const FILE = /^---[ \t]*\n([\s\S]*?)^---[ \t]*(?:\n|$)/mu;

const DEFAULT_TITLE = '{{name}}';

/** Compiles a file that writes JSON; throws a TemplateError that says where it is wrong. */
export function compileJsonTemplate(engine: Engine, name: string, file: string, text: string): JsonTemplate {
  const source = normalised(text);
  return { name, file, message: engine.compile({ text: source, file, source, line: 1, column: 0 }) };
}

/** Compiles a template file; throws a TemplateError that says where it is wrong. */
export function compileTemplate(engine: Engine, name: string, file: string, text: string): Template {
  const source = normalised(text);
  const matched = source.startsWith('---') ? FILE.exec(source) : null;
  if (source.startsWith('---') && matched === null)
    throw new TemplateError('the front matter has no closing ---', { file, line: 1, column: 1 }, source);
  const front = new FrontMatter(matched?.[1] ?? '', file, source);
  const bodyText = source.slice(matched?.[0].length ?? 0);
  const bodyLine = matched?.[0].split('\n').length ?? 1;
  const compile = (piece: Piece): Compiled => engine.compile(piece);
  const tone = front.leaf('tone');
  return {
    name,
    title: compile(front.leaf('title') ?? { text: DEFAULT_TITLE, file, source, line: 1, column: 0 }),
    tone: tone === undefined || tone.text.trim() === 'auto' ? undefined : compile(tone),
    tags: front.list('tags')?.map((node) => compile(front.text(node, 'tags'))),
    buttons: (front.list('buttons') ?? []).map((node) => ({
      text: compile(front.buttonPart(node, 'text')),
      url: compile(front.buttonPart(node, 'url')),
    })),
    maxAlerts: front.count('max_alerts'),
    body: compile({ text: bodyText, file, source, line: bodyLine, column: 0 }),
  };
}

/** As written on any system. */
function normalised(text: string): string {
  return text.replace(/^\uFEFF/u, '').replaceAll('\r\n', '\n');
}

/** Reads the YAML above a template and knows where each of its texts stands in the file. */
class FrontMatter {
  readonly #file: string;
  readonly #source: string;
  readonly #lines = new LineCounter();
  readonly #root: YAMLMap | undefined;

  constructor(yaml: string, file: string, source: string) {
    this.#file = file;
    this.#source = source;
    const document = parseDocument(yaml, { lineCounter: this.#lines, prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) throw this.#wrong(`front matter: ${error.message}`, error.pos[0]);
    const { contents } = document;
    if (contents !== null && !isMap(contents))
      throw this.#wrong('the front matter must be keys and values', 0);
    this.#root = contents ?? undefined;
    for (const { key } of this.#root?.items ?? []) {
      if (isScalar(key) && KEYS.has(String(key.value))) continue;
      const named = isScalar(key) ? String(key.value) : '?';
      throw this.#wrong(`unknown key "${named}"; known are ${[...KEYS].join(', ')}`, offsetOf(key));
    }
  }

  /** A text directly under a key; undefined when the key is missing. */
  leaf(key: string): Piece | undefined {
    const node = this.#root?.get(key, true);
    return node === undefined ? undefined : this.text(node, key);
  }

  /** A whole number of at least one. */
  count(key: string): number | undefined {
    const node: unknown = this.#root?.get(key, true);
    if (node === undefined) return undefined;
    const value: unknown = isScalar(node) ? node.value : undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
    throw this.#wrong(`"${key}" must be a whole number of at least 1`, offsetOf(node));
  }

  list(key: string): readonly unknown[] | undefined {
    const node: unknown = this.#root?.get(key, true);
    if (node === undefined) return undefined;
    if (!isSeq(node)) throw this.#wrong(`"${key}" must be a list`, offsetOf(node));
    return node.items;
  }

  buttonPart(node: unknown, key: 'text' | 'url'): Piece {
    if (!isMap(node)) throw this.#wrong('a button is { text: …, url: … }', offsetOf(node));
    const part: unknown = node.get(key, true);
    if (part === undefined) throw this.#wrong(`a button needs "${key}"`, offsetOf(node));
    return this.text(part, key);
  }

  text(node: unknown, key: string): Piece {
    if (!isText(node)) throw this.#wrong(`"${key}" must be a text in quotes`, offsetOf(node));
    const { line, column } = this.#at(offsetOf(node));
    // A quoted text begins one column after its quote.
    const isQuoted = node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE';
    return {
      text: node.value,
      file: this.#file,
      source: this.#source,
      line,
      column: column - (isQuoted ? 0 : 1),
    };
  }

  #wrong(problem: string, offset: number): TemplateError {
    return new TemplateError(problem, { file: this.#file, ...this.#at(offset) }, this.#source);
  }

  /** The YAML begins on the file's second line. */
  #at(offset: number): { readonly line: number; readonly column: number } {
    const { line, col } = this.#lines.linePos(offset);
    return { line: line + 1, column: Math.max(col, 1) };
  }
}

function isText(node: unknown): node is Scalar<string> {
  return isScalar(node) && typeof node.value === 'string';
}

function offsetOf(node: unknown): number {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return 0;
  const [start] = node.range;
  return typeof start === 'number' ? start : 0;
}
