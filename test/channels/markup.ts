/**
 * A reader of markdown that knows nothing of how the dialects write: it takes away what a backslash or
 * an entity has made harmless, and reports what is left that would act.
 */
export function activeMarkup(text: string): readonly string[] {
  const inert = text.replace(/\\[!-/:-@[-`{-~]/gu, '·').replace(/&(?:#\d+|#x[\da-f]+|lt|gt|amp);/giu, '·');
  return Object.entries(MARKUP)
    .filter(([, pattern]) => pattern.test(inert))
    .map(([name]) => name);
}

const MARKUP: Readonly<Record<string, RegExp>> = {
  link: /\]\s*\(/u,
  // Alone, a bracket is only a bracket.
  bracket: /\](?=\s*(?:[([:]|$))/mu,
  heading: /^ {0,3}#/mu,
  quote: /^ {0,3}>/mu,
  list: /^ {0,3}(?:[-+*]|\d{1,9}[.)])(?:\s|$)/mu,
  rule: /^ {0,3}(?:-{2,}|={2,}|\*{3,}|_{3,})\s*$/mu,
  code: /`/u,
  indented: /^(?: {4}|\t)\S/mu,
  emphasis: /\*|~|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/u,
  table: /\|/u,
  html: /<[\p{L}/!?]|<$/u,
  control: /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u,
};

/** Parts of which hostile values are made: what acts in one of the dialects, and ordinary text. */
export const HOSTILE_PARTS: readonly string[] = [
  ...[
    '#',
    '>',
    '-',
    '+',
    '*',
    '_',
    '`',
    '~',
    '|',
    '!',
    '[',
    ']',
    '(',
    ')',
    '<',
    '&',
    '\\',
    '=',
    '@',
    ':',
    ';',
  ],
  ...[' ', '    ', '\t', '\n', '\r\n', '\u2028', '\u001b', '\u202e', '\u0000', '\ud800', '1.', '2)'],
  ...['a', 'node_exporter', '告警', '13800000000', 'all', 'https://evil.example', 'javascript:alert(1)'],
  ...[
    '](',
    '[x](https://evil.example)',
    '<at id=all></at>',
    '<at user_id="all">x</at>',
    '<script>',
    '&lt;',
    '&#42;',
  ],
];
