import type { PreviewedMessage } from '../domain/preview.ts';
import { escapeHtml, markdownToHtml } from './preview-markdown.ts';
import { PREVIEW_STYLE } from './preview-style.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A page that shows messages about as their chats would, on a desktop and on a phone. It loads nothing. */
export function previewPage(messages: readonly PreviewedMessage[]): string {
  return `<!doctype html>
<html>
<head><meta charset="utf-8"><title>alertcard preview</title><style>${PREVIEW_STYLE}</style></head>
<body>
${messages.map(sectionOf).join('\n')}
</body>
</html>
`;
}

function sectionOf({ provider, rung, bytes, message }: PreviewedMessage): string {
  const card = `<div class="card">${provider === 'dingtalk' ? dingtalkCard(message) : feishuCard(message)}</div>`;
  const caption = escapeHtml(`${provider} ${rung}, ${bytes} bytes`);
  const screen = (name: string): string =>
    `<div class="${name}"><p class="where">${caption}, ${name}</p>${card}</div>`;
  return `<section>${screen('desktop')}${screen('phone')}</section>`;
}

function dingtalkCard(message: Fields): string {
  const type = text(message.msgtype);
  const content = fields(message[type]);
  if (type === 'text') return plain(text(content.content));
  const body = markdownToHtml(text(content.text), { breaksAtNewline: false });
  const buttons = list(content.btns).map(({ title }) => `<span>${escapeHtml(text(title))}</span>`);
  return `<div class="text">${body}</div>${wrap('buttons stacked', buttons.join(''))}`;
}

function feishuCard(message: Fields): string {
  if (message.msg_type === 'text') return plain(text(fields(message.content).text));
  const card = fields(message.card);
  const header = fields(card.header);
  const tags = list(header.text_tag_list).map(
    (tag) => `<i>${escapeHtml(text(fields(tag.text).content))}</i>`,
  );
  const title = escapeHtml(text(fields(header.title).content));
  const elements = list(fields(card.body).elements ?? card.elements);
  return `<div class="header ${escapeHtml(text(header.template))}">${title}${tags.join('')}</div>${elements.map(elementOf).join('')}`;
}

/** One element of a Feishu card; a kind this page does not know is named. */
function elementOf(element: Fields): string {
  switch (element.tag) {
    case 'markdown':
      return wrap('text', markdownToHtml(text(element.content), { breaksAtNewline: true }));
    case 'column_set':
      return wrap(
        'buttons',
        list(element.columns)
          .flatMap(({ elements }) => list(elements))
          .map(buttonOf)
          .join(''),
      );
    case 'action':
      return wrap('buttons', list(element.actions).map(buttonOf).join(''));
    case 'collapsible_panel': {
      const title = escapeHtml(text(fields(fields(element.header).title).content));
      return wrap(
        'text',
        `<details><summary>▸ ${title}</summary>${list(element.elements).map(elementOf).join('')}</details>`,
      );
    }
    default:
      return wrap('text', escapeHtml(text(element.tag)));
  }
}

function buttonOf(button: Fields): string {
  const kind = button.type === 'primary' ? ' class="primary"' : '';
  return `<span${kind}>${escapeHtml(text(fields(button.text).content))}</span>`;
}

function plain(content: string): string {
  return wrap('plain', escapeHtml(content));
}

function wrap(name: string, html: string): string {
  return html === '' ? '' : `<div class="${name}">${html}</div>`;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}

function list(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}
