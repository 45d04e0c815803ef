const TOKEN =
  /[ \t\r\n]*(?:("(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)|([{}[\],:]))/uy;

/** What may stand at a place of a JSON text. */
type Expected = 'value' | 'value_or_end' | 'key' | 'key_or_end' | 'colon' | 'comma_or_end';

/**
 * Where a text that does not parse stops being JSON, as an offset: `JSON.parse` says so in some
 * releases of Node and for some mistakes only.
 */
export function jsonMistakeAt(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  TOKEN.lastIndex = 0;
  for (;;) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) return startOfToken(text, from);
    const next = follow(expected, match[1] !== undefined, match[3] ?? '', open);
    if (next === undefined) return startOfToken(text, from);
    if (open.length === 0) return startOfToken(text, TOKEN.lastIndex);
    expected = next;
  }
}

/** What may come after a token, or undefined when the token must not stand there. Keeps track of what is open. */
function follow(expected: Expected, isText: boolean, mark: string, open: string[]): Expected | undefined {
  if (mark === ':') return expected === 'colon' ? 'value' : undefined;
  if (mark === ',') {
    if (expected !== 'comma_or_end') return undefined;
    return open.at(-1) === '{' ? 'key' : 'value';
  }
  if (mark === '}' || mark === ']') {
    const isEnd = expected.endsWith('_or_end') && open.pop() === (mark === '}' ? '{' : '[');
    return isEnd ? 'comma_or_end' : undefined;
  }
  if (expected === 'key' || expected === 'key_or_end') return isText ? 'colon' : undefined;
  if (expected !== 'value' && expected !== 'value_or_end') return undefined;
  if (mark === '') return 'comma_or_end';
  open.push(mark);
  return mark === '{' ? 'key_or_end' : 'value_or_end';
}

function startOfToken(text: string, from: number): number {
  const blank = /^[ \t\r\n]*/u.exec(text.slice(from))?.[0].length ?? 0;
  return from + blank;
}
