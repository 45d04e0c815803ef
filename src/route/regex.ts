import { AlertcardError } from '../domain/errors.ts';

/** Patterns longer than this are refused, in characters: nobody reads them, and translation is linear in them. */
const MAX_PATTERN_LENGTH = 2_000;
/** RE2's own limit on a counted repetition. */
const MAX_REPEAT = 1_000;

/** RE2's \s; that of JavaScript takes in the Unicode spaces. */
const SPACE = '\\t\\n\\f\\r ';

const POSIX_CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

interface Piece {
  /** The same in the syntax of JavaScript's `u` mode. */
  readonly text: string;
  readonly length: number;
}

/**
 * Compiles a pattern in the syntax of Alertmanager (RE2), anchored at both ends.
 *
 * What RE2 does not know (lookaround, back-references) is refused, and so is what JavaScript cannot
 * follow. JavaScript backtracks where RE2 does not: an unbounded repetition of something that holds
 * an unbounded repetition, `(a+)*`, can take for ever on an ordinary label, so it is refused as well.
 * Slow patterns of other kinds, such as many `.*` in a row over a long value, stay the author's care.
 */
export function compileAnchored(pattern: string): RegExp {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw refusal(`the pattern is longer than ${MAX_PATTERN_LENGTH} characters`);
  const head = /^\(\?([is]+)\)/.exec(pattern);
  const flags = head?.[1] ?? '';
  const source = translate(pattern, head?.[0].length ?? 0, flags.includes('s'));
  try {
    return new RegExp(`^(?:${source})$`, flags.includes('i') ? 'iu' : 'u');
  } catch {
    throw refusal('the pattern is not a regular expression: look for an unclosed ( or [ or a stray * + ?');
  }
}

function translate(pattern: string, start: number, dotTakesNewline: boolean): string {
  const nesting = new Nesting();
  let source = '';
  let at = start;
  while (at < pattern.length) {
    const piece = translatePiece(pattern, at, dotTakesNewline);
    nesting.take(pattern, at, piece.length);
    source += piece.text;
    at += piece.length;
  }
  return source;
}

/** Follows groups and repetitions, and refuses an unbounded one around another. */
class Nesting {
  readonly #open: boolean[] = [false];
  #lastHoldsUnbounded = false;

  take(pattern: string, at: number, length: number): void {
    const first = pattern.charAt(at);
    if (first === '(') {
      this.#open.push(false);
      this.#lastHoldsUnbounded = false;
    } else if (first === ')') {
      this.#lastHoldsUnbounded = this.#open.pop() ?? false;
      if (this.#lastHoldsUnbounded) this.#mark();
    } else if (isUnbounded(pattern.slice(at, at + length))) {
      if (this.#lastHoldsUnbounded)
        throw refusal(`a repetition around a repetition is refused at position ${at + 1}: it may never end`);
      this.#mark();
    } else if (first !== '?') this.#lastHoldsUnbounded = false;
  }

  #mark(): void {
    if (this.#open.length > 0) this.#open[this.#open.length - 1] = true;
  }
}

function isUnbounded(piece: string): boolean {
  return piece === '*' || piece === '+' || /^\{\d+,\}$/.test(piece);
}

function translatePiece(pattern: string, at: number, dotTakesNewline: boolean): Piece {
  const first = pattern.charAt(at);
  if (first === '\\') return translateEscape(pattern, at, false);
  if (first === '[') return translateClass(pattern, at);
  if (first === '(') return translateOpening(pattern, at);
  if (first === '.') return { text: dotTakesNewline ? '[^]' : '[^\\n]', length: 1 };
  if (first === '{') return translateBrace(pattern, at);
  if (first === ']' || first === '}') return { text: `\\${first}`, length: 1 };
  return { text: first, length: 1 };
}

function translateBrace(pattern: string, at: number): Piece {
  const counted = /^\{(\d+)(?:,(\d*))?\}/.exec(pattern.slice(at));
  if (counted === null) return { text: '\\{', length: 1 };
  if (Number(counted[1]) > MAX_REPEAT || Number(counted[2] ?? 0) > MAX_REPEAT)
    throw refusal(`a repetition of more than ${MAX_REPEAT} at position ${at + 1}`);
  return { text: counted[0], length: counted[0].length };
}

function translateOpening(pattern: string, at: number): Piece {
  const rest = pattern.slice(at);
  if (!rest.startsWith('(?')) return { text: '(', length: 1 };
  if (rest.startsWith('(?:')) return { text: '(?:', length: 3 };
  const named = /^\(\?P?<([A-Za-z_]\w*)>/.exec(rest);
  if (named !== null) return { text: '(?:', length: named[0].length };
  if (/^\(\?<?[=!]/.test(rest))
    throw refusal(`lookaround at position ${at + 1}: Alertmanager does not know it either`);
  throw refusal(`flags at position ${at + 1}: only (?i) and (?s), and only at the start of the pattern`);
}

function translateEscape(pattern: string, at: number, inClass: boolean): Piece {
  const rest = pattern.slice(at);
  const quoted = inClass ? null : /^\\Q(.*?)(?:\\E|$)/s.exec(rest);
  if (quoted !== null) return { text: literal(quoted[1] ?? ''), length: quoted[0].length };
  const hex = /^\\x\{([0-9A-Fa-f]{1,6})\}/.exec(rest);
  if (hex !== null) return { text: `\\u{${hex[1]}}`, length: hex[0].length };
  const property = /^\\([pP])(?:\{(\^?)(\w+)\}|([A-Z]))/.exec(rest);
  if (property !== null) return { text: translateProperty(property), length: property[0].length };
  const second = rest.charAt(1);
  if (/^\\x[0-9A-Fa-f]{2}/.test(rest)) return { text: rest.slice(0, 4), length: 4 };
  if ('dDwWtnrfv'.includes(second) && second !== '') return { text: `\\${second}`, length: 2 };
  if (second === 's') return { text: inClass ? SPACE : `[${SPACE}]`, length: 2 };
  if (second === 'S' && !inClass) return { text: `[^${SPACE}]`, length: 2 };
  if (second === 'a') return { text: '\\x07', length: 2 };
  if (!inClass && 'bB'.includes(second) && second !== '') return { text: `\\${second}`, length: 2 };
  if (!inClass && second === 'A') return { text: '^', length: 2 };
  if (!inClass && second === 'z') return { text: '$', length: 2 };
  if (second === 'S') throw refusal(`\\S inside [ ] at position ${at + 1}: write the class out`);
  if (/^[!-/:-@[-`{-~]$/.test(second)) return { text: literal(second), length: 2 };
  throw refusal(`\\${second} at position ${at + 1} is no escape that Alertmanager knows`);
}

function translateProperty(match: RegExpExecArray): string {
  const [, letter, caret, long, short] = match;
  const name = long ?? short ?? '';
  const negated = (letter === 'P') !== (caret === '^');
  return `\\${negated ? 'P' : 'p'}{${name.length <= 2 ? name : `Script=${name}`}}`;
}

function translateClass(pattern: string, at: number): Piece {
  let index = at + 1;
  let text = '[';
  if (pattern.charAt(index) === '^') {
    text += '^';
    index += 1;
  }
  for (let isFirst = true; index < pattern.length; isFirst = false) {
    if (pattern.charAt(index) === ']' && !isFirst) return { text: `${text}]`, length: index + 1 - at };
    const piece = translateInClass(pattern, index);
    text += piece.text;
    index += piece.length;
  }
  throw refusal(`the [ at position ${at + 1} is not closed`);
}

function translateInClass(pattern: string, at: number): Piece {
  const first = pattern.charAt(at);
  if (first === '\\') return translateEscape(pattern, at, true);
  const posix = /^\[:(\w+):\]/.exec(pattern.slice(at));
  if (posix !== null) {
    const ranges = POSIX_CLASSES[posix[1] ?? ''];
    if (ranges === undefined) throw refusal(`${posix[0]} at position ${at + 1} is no character class`);
    return { text: ranges, length: posix[0].length };
  }
  return { text: first === '[' || first === ']' ? `\\${first}` : first, length: 1 };
}

/** Escapes what has a meaning in JavaScript's `u` mode, and only that: other escapes are errors there. */
function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (character) =>
    character === '-' ? '\\x2d' : `\\${character}`,
  );
}

function refusal(message: string): AlertcardError {
  return new AlertcardError('config_invalid', message);
}
