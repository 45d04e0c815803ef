import type { Labels } from '../domain/alert.ts';
import { makeLabels } from '../domain/alert.ts';
import { AlertcardError } from '../domain/errors.ts';
import { BARE, type Matcher } from '../domain/matcher.ts';
import type { Notification } from '../domain/notification.ts';
import { compileAnchored } from './regex.ts';

const OPERATORS = ['=~', '!~', '!=', '='] as const;
type Operator = (typeof OPERATORS)[number];

/**
 * Reads one label condition as Alertmanager writes it: `severity="critical"`, `team=~"pay.*"`,
 * `"label with spaces"!=x`. In quotes `\"`, `\\` and `\n` are escapes and any other backslash stands
 * for itself. Throws with the position of the mistake.
 */
export function parseMatcher(text: string): Matcher {
  const start = skipSpace(text, 0);
  const name = text.charAt(start) === '"' ? readQuoted(text, start) : readBare(text, start);
  if (name.value === '') throw refusal(text, start, 'a label name is missing');
  const operatorAt = skipSpace(text, name.end);
  const operator = OPERATORS.find((candidate) => text.startsWith(candidate, operatorAt));
  if (operator === undefined) throw refusal(text, operatorAt, 'expected one of = != =~ !~');
  const valueAt = skipSpace(text, operatorAt + operator.length);
  const value = text.charAt(valueAt) === '"' ? readQuoted(text, valueAt) : readBare(text, valueAt);
  const end = skipSpace(text, value.end);
  if (end < text.length) throw refusal(text, end, afterValue(text.charAt(end)));
  return {
    label: name.value,
    operator,
    value: value.value,
    matches: compile(text, operator, value.value, valueAt),
  };
}

/** The names under which routes see where an alert came from; a label of the same name cannot shadow them. */
export function pseudoLabels(notification: Pick<Notification, 'source' | 'org' | 'receiver'>): Labels {
  return makeLabels([
    ['__source__', notification.source],
    ['__org__', notification.org],
    ['__receiver__', notification.receiver],
  ]);
}

/** Tells whether every matcher passes; a label that is missing counts as ''. No matchers pass everything. */
export function matchesAll(matchers: readonly Matcher[], labels: Labels, pseudo: Labels): boolean {
  return matchers.every((matcher) => matcher.matches(pseudo[matcher.label] ?? labels[matcher.label] ?? ''));
}

function compile(text: string, operator: Operator, value: string, at: number): Matcher['matches'] {
  if (operator === '=') return (candidate) => candidate === value;
  if (operator === '!=') return (candidate) => candidate !== value;
  const expression = compileAt(text, value, at);
  return operator === '=~'
    ? (candidate) => expression.test(candidate)
    : (candidate) => !expression.test(candidate);
}

function compileAt(text: string, pattern: string, at: number): RegExp {
  try {
    return compileAnchored(pattern);
  } catch (error) {
    if (error instanceof AlertcardError) throw refusal(text, at, `in the pattern, ${error.message}`);
    throw error;
  }
}

interface Read {
  readonly value: string;
  readonly end: number;
}

function readBare(text: string, start: number): Read {
  const value = BARE.exec(text.slice(start))?.[0] ?? '';
  return { value, end: start + value.length };
}

function readQuoted(text: string, start: number): Read {
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { value, end: at + 1 };
    const next = text.charAt(at + 1);
    if (character !== '\\' || !'\\"n'.includes(next) || next === '') value += character;
    else {
      value += next === 'n' ? '\n' : next;
      at += 1;
    }
  }
  throw refusal(text, start, 'the quote is not closed');
}

function afterValue(character: string): string {
  if (character === ',') return 'one matcher per list item: write what follows the comma as its own item';
  return 'put the value in double quotes';
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1;
  return at;
}

function refusal(text: string, at: number, message: string): AlertcardError {
  const shown = text === '' ? 'an empty matcher' : `matcher ${text}`;
  return new AlertcardError('config_invalid', `${shown}: ${message} (position ${at + 1})`);
}
