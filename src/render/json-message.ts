import type { Message } from '../domain/card.ts';
import { envOf, type Press } from './card.ts';
import type { CardInput } from './card-input.ts';
import type { Context } from './context.ts';
import { headLines, hiddenLines } from './frame.ts';
import { jsonMistakeAt } from './json-text.ts';
import { bodyLeaf, jsonLeaf } from './leaf.ts';
import type { JsonTemplate } from './template.ts';

/** What is shown of a line either side of a mistake, characters: a line of JSON may be the whole message. */
const MAX_EXCERPT = 60;

/** The message that a template writes in the vendor's JSON. Throws when it is none, saying where. */
export function renderJson(
  template: JsonTemplate,
  context: Context,
  press: Press,
  { target, rung, channel }: CardInput,
): Message {
  const { frame, dialect, prepared, mentions } = press;
  const text = template.message(context, envOf(jsonLeaf(dialect), context, press));
  const adopted = target.adopt(parse(text, template.file), rung, {
    keyword: channel.keyword,
    mentions,
    above: (into) => headLines(context, frame, prepared.words, bodyLeaf(into)).join('\n\n'),
    below: (into) => hiddenLines(context, frame, prepared.words, bodyLeaf(into)).join('\n\n'),
  });
  if (adopted.kind === 'message') return adopted.message;
  throw new Error(`${template.file}: the robot would refuse what it renders: ${adopted.problem}`);
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(describeMistake(text, file));
  }
}

/** The place in what was rendered: the template's own lines may have come out many times, or not at all. */
function describeMistake(text: string, file: string): string {
  const at = jsonMistakeAt(text);
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length;
  const from = Math.max(column - MAX_EXCERPT, 0);
  const line = (text.split('\n')[before.length - 1] ?? '').slice(from, column + MAX_EXCERPT);
  const place = `line ${before.length}, column ${column + 1} of what it renders`;
  return `${file}: no JSON at ${place}\n  ${line}\n  ${' '.repeat(column - from)}^`;
}
