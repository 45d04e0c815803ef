import type { Card } from '../../domain/card.ts';
import { dialectOf } from './dialect.ts';
import { toMarkdown1 } from './markdown1.ts';
import { buttonsOf, mentionedOf, tagsOf, titleOf, withKeyword } from './parts.ts';
import { colourOf } from './tone.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * A card of JSON 1.0, which old clients can draw and which forgives unknown properties.
 * https://open.feishu.cn/document/feishu-cards/card-json-structure
 */
export function card1(card: Card, keyword: string): Json {
  return {
    config: { wide_screen_mode: true, enable_forward: true },
    header: {
      template: colourOf(card.tone),
      title: { tag: 'plain_text', content: titleOf(card, keyword) },
    },
    elements: [...textsOf(card, keyword).map((content) => ({ tag: 'markdown', content })), ...actions(card)],
  };
}

/** 1.0 has no tags in the header: they are the first line. */
function textsOf(card: Card, keyword: string): readonly string[] {
  const tags = tagsOf(card).map((tag) => `**${dialectOf('card1').escape(tag)}**`);
  const body = toMarkdown1(card.body);
  const first = withKeyword(tags.length === 0 ? body : `${tags.join(' ')}\n${body}`, keyword);
  const mentions = mentionedOf(card.mentions).map((id) => `<at id=${id}></at>`);
  return mentions.length === 0 ? [first] : [first, mentions.join(' ')];
}

function actions(card: Card): readonly Json[] {
  const buttons = buttonsOf(card).map(({ text, url }, index) => ({
    tag: 'button',
    type: index === 0 ? 'primary' : 'default',
    text: { tag: 'plain_text', content: text },
    url,
  }));
  return buttons.length === 0 ? [] : [{ tag: 'action', actions: buttons }];
}
