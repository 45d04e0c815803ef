import type { Card, Message } from '../../domain/card.ts';
import type { Rung } from '../../domain/settings.ts';
import { card1 } from './card1.ts';
import { card2 } from './card2.ts';
import { dialectOf } from './dialect.ts';
import { buttonsOf, mentionedOf, tagsOf, titleOf, withKeyword } from './parts.ts';

/**
 * Builds the message of a rung. A webhook takes the card as an object under `card`.
 * https://open.feishu.cn/document/feishu-cards/quick-start/send-message-cards-with-custom-bot
 */
export function encode(card: Card, rung: Rung, keyword: string): Message {
  if (rung === 'text' || rung === 'bare') return { rung, json: textMessage(card, rung, keyword) };
  const json = rung === 'card1' ? card1(card, keyword) : card2(card, keyword);
  return { rung, json: { msg_type: 'interactive', card: json } };
}

function textMessage(card: Card, rung: Rung, keyword: string): Message['json'] {
  const dialect = dialectOf('text');
  const buttons = rung === 'bare' ? [] : buttonsOf(card);
  const links = buttons.map(({ text, url }) => dialect.link(text, url)).join('\n');
  const mentions = mentionedOf(card.mentions).map(textMention);
  const title = [titleOf(card, keyword), ...tagsOf(card)].join(' · ');
  const parts = [dialect.escape(title), card.body, links, mentions.join(' ')];
  const text = parts.filter((part) => part.trim() !== '').join('\n\n');
  return { msg_type: 'text', content: { text: withKeyword(text, keyword) } };
}

/** A mention as a text message writes it. */
export function textMention(id: string): string {
  return `<at user_id="${id}">${nameOf(id)}</at>`;
}

/** What a client shows that cannot resolve the id. */
function nameOf(id: string): string {
  return id === 'all' ? '所有人' : '';
}
