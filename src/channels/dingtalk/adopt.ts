import type { Additions, Adopted, Message } from '../../domain/card.ts';
import type { Rung } from '../../domain/settings.ts';
import { readShape } from '../shape.ts';
import { dialectOf } from './dialect.ts';
import { atOf, isMentioning, markersOf, paragraphs, withKeyword } from './encode.ts';
import { DingtalkMessage } from './message-schema.ts';

type MessageOf<Type> = Extract<DingtalkMessage, { readonly msgtype: Type }>;
type Json = Message['json'];

/** Takes over a message that a template wrote, with keyword, mentions and what has to be said put in. */
export function adopt(json: unknown, rung: Rung, additions: Additions): Adopted {
  const read = readShape(DingtalkMessage, json);
  if ('problem' in read) return { kind: 'problem', problem: read.problem };
  return { kind: 'message', message: { rung, json: complete(read.value, additions) } };
}

function complete(message: DingtalkMessage, additions: Additions): Json {
  switch (message.msgtype) {
    case 'text':
      return completeText(message, additions);
    case 'markdown':
      return completeMarkdown(message, additions);
    case 'link':
      return completeLink(message, additions);
    case 'actionCard':
      return completeActionCard(message, additions);
  }
}

function completeText(message: MessageOf<'text'>, additions: Additions): Json {
  const content = wrapped(message.text.content, 'text', additions, markersOf(additions.mentions));
  return { ...message, text: { ...message.text, content }, ...joinedAt(message.at, additions) };
}

function completeMarkdown(message: MessageOf<'markdown'>, additions: Additions): Json {
  const text = wrapped(message.markdown.text, 'markdown', additions, markersOf(additions.mentions));
  const title = titled(message.markdown.title, additions.keyword);
  return { ...message, markdown: { ...message.markdown, title, text }, ...joinedAt(message.at, additions) };
}

/** Only text and markdown can mention: a message of another type becomes markdown for it. */
function completeLink(message: MessageOf<'link'>, additions: Additions): Json {
  const { title, text, messageUrl } = message.link;
  if (isMentioning(additions.mentions))
    return markdownOf(title, [text, linkTo(title, messageUrl)], additions);
  const said = wrapped(text, 'text', additions);
  return { ...message, link: { ...message.link, title: titled(title, additions.keyword), text: said } };
}

function completeActionCard(message: MessageOf<'actionCard'>, additions: Additions): Json {
  const { title, text, btns, singleTitle = '', singleURL = '' } = message.actionCard;
  if (isMentioning(additions.mentions)) {
    const buttons = btns ?? [{ title: singleTitle, actionURL: singleURL }];
    const links = buttons.map((button) => linkTo(button.title, button.actionURL)).join(' | ');
    return markdownOf(title, [text, links], additions);
  }
  const said = wrapped(text, 'markdown', additions);
  return {
    ...message,
    actionCard: { ...message.actionCard, title: titled(title, additions.keyword), text: said },
  };
}

function markdownOf(title: string, texts: readonly string[], additions: Additions): Json {
  return completeMarkdown(
    { msgtype: 'markdown', markdown: { title, text: paragraphs(...texts) } },
    additions,
  );
}

/** A page of DingTalk itself is linked as it is. */
function linkTo(text: string, url: string): string {
  const dialect = dialectOf('markdown');
  if (!url.startsWith('dingtalk://')) return dialect.link(text, url);
  return `[${dialect.escape(text)}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

function wrapped(text: string, rung: Rung, { keyword, above, below }: Additions, markers = ''): string {
  const dialect = dialectOf(rung);
  return withKeyword(paragraphs(above(dialect), text, below(dialect), markers), keyword);
}

function titled(title: string, keyword: string): string {
  return title.includes(keyword) ? title : `${keyword} ${title}`;
}

/** Whom the template mentions is mentioned too. */
function joinedAt(at: MessageOf<'text'>['at'], { mentions }: Additions): Json {
  if (at === undefined || !isMentioning(mentions)) return atOf(mentions);
  const { mobiles, userIds } = mentions;
  return atOf({
    all: mentions.all || at.isAtAll === true,
    mobiles: [...new Set([...mobiles, ...(at.atMobiles ?? [])])],
    userIds: [...new Set([...userIds, ...(at.atUserIds ?? [])])],
  });
}
