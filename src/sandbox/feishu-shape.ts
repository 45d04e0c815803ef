import { asObject } from './exchange.ts';
import { card2Problem } from './feishu-card-shape.ts';

type Message = Readonly<Record<string, unknown>>;
type Problem = readonly [code: number, text: string];

/** Elements a card of JSON 1.0 may hold; another tag is refused, another property ignored. */
const TAGS_1: ReadonlySet<unknown> = new Set([
  'div',
  'markdown',
  'hr',
  'action',
  'note',
  'img',
  'column_set',
]);

/** Checks a message as the bot does. */
export function feishuShapeProblem(message: Message): Problem | undefined {
  if (message.msg_type === 'text') return textProblem(message);
  if (message.msg_type === 'post') return postProblem(message);
  if (message.msg_type !== 'interactive') return [19002, 'params error, msg_type need'];
  const card = asObject(message.card);
  if (card === undefined) return [19002, 'params error, unknown card value'];
  return card.schema === '2.0' ? refused(card2Problem(card)) : card1Problem(card);
}

function textProblem(message: Message): Problem | undefined {
  const text = asObject(message.content)?.text;
  return typeof text === 'string' && text.trim() !== '' ? undefined : [10002, 'text is nil'];
}

/** Tags a paragraph of rich text may hold. */
const POST_TAGS: ReadonlySet<unknown> = new Set(['text', 'a', 'at', 'img']);

function postProblem(message: Message): Problem | undefined {
  const posts = Object.values(asObject(asObject(message.content)?.post) ?? {});
  if (posts.length === 0) return [19002, 'params error, post is nil'];
  const lines = posts.flatMap((post): unknown => asObject(post)?.content ?? []);
  const isWhole =
    lines.length > 0 &&
    lines.every(
      (line) => Array.isArray(line) && line.every((element) => POST_TAGS.has(asObject(element)?.tag)),
    );
  return isWhole ? undefined : [19002, 'params error, invalid post content'];
}

function card1Problem(card: Message): Problem | undefined {
  const title = asObject(asObject(card.header)?.title);
  if (typeof title?.content !== 'string') return refused('header.title must be an object');
  if (!Array.isArray(card.elements) || card.elements.length === 0) return refused('elements is empty');
  const tags: readonly unknown[] = card.elements.map((element) => asObject(element)?.tag);
  const unknown = tags.find((tag) => !TAGS_1.has(tag));
  return unknown === undefined
    ? undefined
    : [11246, `ErrCode: 11310; ErrMsg: unsupported type of block; ErrorValue: ${String(unknown)}; `];
}

function refused(problem: string | undefined): Problem | undefined {
  if (problem === undefined) return undefined;
  return [
    11246,
    `ErrCode: 200621; ErrMsg: parse card json err, please check whether the card json is correct; ErrorValue: ${problem}; `,
  ];
}
