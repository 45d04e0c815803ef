import type { Additions, Adopted, Message } from '../../domain/card.ts';
import type { Rung } from '../../domain/settings.ts';
import { readShape } from '../shape.ts';
import { dialectOf } from './dialect.ts';
import { textMention } from './encode.ts';
import { FeishuMessage } from './message-schema.ts';
import { mentionedOf, withKeyword } from './parts.ts';

type MessageOf<Type> = Extract<FeishuMessage, { readonly msg_type: Type }>;
type Card = MessageOf<'interactive'>['card'];
type Post = MessageOf<'post'>['content']['post'][string];
type Element = Post['content'][number][number];
type Json = Message['json'];

/** Takes over a message that a template wrote, with keyword, mentions and what has to be said put in. */
export function adopt(json: unknown, rung: Rung, additions: Additions): Adopted {
  const read = readShape(FeishuMessage, json);
  if ('problem' in read) return { kind: 'problem', problem: read.problem };
  return { kind: 'message', message: { rung, json: complete(read.value, additions) } };
}

function complete(message: FeishuMessage, additions: Additions): Json {
  switch (message.msg_type) {
    case 'interactive':
      return { ...message, card: completeCard(message.card, additions) };
    case 'text':
      return completeText(message, additions);
    case 'post': {
      const posts = Object.entries(message.content.post).map(
        ([language, post]) => [language, completePost(post, additions)] as const,
      );
      return { ...message, content: { ...message.content, post: Object.fromEntries(posts) } };
    }
  }
}

function completeText(message: MessageOf<'text'>, additions: Additions): Json {
  const dialect = dialectOf('text');
  const mentions = mentionedOf(additions.mentions).map(textMention).join(' ');
  const parts = [additions.above(dialect), message.content.text, additions.below(dialect), mentions];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return { ...message, content: { ...message.content, text: withKeyword(text, additions.keyword) } };
}

function completePost(post: Post, additions: Additions): Post {
  const dialect = dialectOf('text');
  const [above, below] = [additions.above(dialect), additions.below(dialect)];
  const title = post.title === undefined ? {} : { title: titled(post.title, additions.keyword) };
  const content = [
    ...missingKeyword(post.content, additions.keyword).map((text) => [{ tag: 'text', text }]),
    ...(above === '' ? [] : [[{ tag: 'text', text: above }]]),
    ...post.content,
    ...(below === '' ? [] : [[{ tag: 'text', text: below }]]),
    ...mentionedOf(additions.mentions).map((id) => [{ tag: 'at', user_id: id }]),
  ];
  return { ...post, ...title, content };
}

/** A card of either release draws a `markdown` element; what is put in is plain enough for both. */
function completeCard(card: Card, additions: Additions): Json {
  const header =
    card.header === undefined
      ? {}
      : {
          header: {
            ...card.header,
            title: { ...card.header.title, content: titled(card.header.title.content, additions.keyword) },
          },
        };
  if (card.schema !== '2.0')
    return { ...card, ...header, elements: completeElements(card.elements, additions) };
  const body = { ...card.body, elements: completeElements(card.body.elements, additions) };
  return { ...card, ...header, body };
}

function completeElements(elements: readonly Element[], additions: Additions): readonly Json[] {
  const dialect = dialectOf('card2');
  const mentions = mentionedOf(additions.mentions).map((id) => `<at id=${id}></at>`);
  return [
    ...missingKeyword(elements, additions.keyword).map(markdown),
    ...[additions.above(dialect)].filter(isSaid).map(markdown),
    ...elements,
    ...[additions.below(dialect), mentions.join(' ')].filter(isSaid).map(markdown),
  ];
}

function markdown(content: string): Json {
  return { tag: 'markdown', content };
}

function isSaid(text: string): boolean {
  return text !== '';
}

function titled(title: string, keyword: string): string {
  return title.includes(keyword) ? title : `${keyword} ${title}`.trim();
}

/** The keyword, unless a text that the bot looks at holds it: links are not looked at. */
function missingKeyword(value: unknown, keyword: string): readonly string[] {
  return keyword === '' || holdsText(value, keyword) ? [] : [keyword];
}

function holdsText(value: unknown, keyword: string): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsText(item, keyword));
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, item]) =>
    typeof item === 'string'
      ? (key === 'content' || key === 'text') && item.includes(keyword)
      : holdsText(item, keyword),
  );
}
