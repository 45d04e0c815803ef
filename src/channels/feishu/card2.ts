import type { Button, Card } from '../../domain/card.ts';
import { BUTTONS_PER_ROW } from './limits.ts';
import { buttonsOf, mentionedOf, tagsOf, titleOf, withKeyword } from './parts.ts';
import { colourOf } from './tone.ts';

type Json = Readonly<Record<string, unknown>>;

/** Header colours that a tag cannot have: it is drawn in its own default then. */
const NOT_FOR_TAGS: ReadonlySet<string> = new Set(['grey', 'default']);

/**
 * A card of JSON 2.0. One property the vendor does not know costs the whole card: only documented
 * ones here, and none that is left at its default.
 * https://open.feishu.cn/document/feishu-cards/card-json-v2-structure
 */
export function card2(card: Card, keyword: string): Json {
  const title = titleOf(card, keyword);
  return {
    schema: '2.0',
    config: { update_multi: true, width_mode: 'fill', summary: { content: title } },
    header: { template: colourOf(card.tone), title: plainText(title), ...tags(card) },
    body: {
      elements: [markdown(withKeyword(card.body, keyword)), ...mentions(card), ...rowsOf(buttonsOf(card))],
    },
  };
}

function tags(card: Card): Json {
  const texts = tagsOf(card);
  if (texts.length === 0) return {};
  const colour = colourOf(card.tone);
  const color = NOT_FOR_TAGS.has(colour) ? {} : { color: colour };
  return { text_tag_list: texts.map((text) => ({ tag: 'text_tag', text: plainText(text), ...color })) };
}

function mentions(card: Card): readonly Json[] {
  const ids = mentionedOf(card.mentions);
  return ids.length === 0 ? [] : [markdown(ids.map((id) => `<at id=${id}></at>`).join(' '))];
}

function rowsOf(buttons: readonly Button[]): readonly Json[] {
  const rows: Json[] = [];
  for (let from = 0; from < buttons.length; from += BUTTONS_PER_ROW) {
    const columns = buttons
      .slice(from, from + BUTTONS_PER_ROW)
      .map((button, index) => ({ tag: 'column', width: 'auto', elements: [buttonOf(button, from + index)] }));
    rows.push({ tag: 'column_set', columns });
  }
  return rows;
}

function buttonOf({ text, url }: Button, index: number): Json {
  return {
    tag: 'button',
    type: index === 0 ? 'primary' : 'default',
    text: plainText(text),
    behaviors: [{ type: 'open_url', default_url: url }],
  };
}

function markdown(content: string): Json {
  return { tag: 'markdown', content };
}

function plainText(content: string): Json {
  return { tag: 'plain_text', content };
}
