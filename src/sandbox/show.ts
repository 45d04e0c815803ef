import { asObject, type Received } from './exchange.ts';

/** What people in the room see of a message. */
export interface Shown {
  readonly title: string;
  readonly body: string;
  readonly buttons: readonly { readonly text: string; readonly url: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a received message as it stands in the chat; '' where a message type has no such part. */
export function showReceived({ platform, json }: Pick<Received, 'platform' | 'json'>): Shown {
  const message = asObject(json) ?? {};
  return platform === 'dingtalk' ? showDingtalk(message) : showFeishu(message);
}

function showDingtalk(message: Fields): Shown {
  const content = asObject(message[text(message.msgtype)]) ?? {};
  const single = { text: text(content.singleTitle), url: text(content.singleURL) };
  const buttons = objects(content.btns).map(({ title, actionURL }) => ({
    text: text(title),
    url: text(actionURL),
  }));
  return {
    title: text(content.title),
    body: text(content.text) || text(content.content),
    buttons: [single, ...buttons].filter(({ url }) => url !== '').map(unwrapped),
  };
}

/** The link inside `dingtalk://dingtalkclient/page/link?url=…`, which only says where it opens. */
function unwrapped(button: { readonly text: string; readonly url: string }) {
  const { searchParams } = new URL(button.url);
  return button.url.startsWith('dingtalk:')
    ? { ...button, url: searchParams.get('url') ?? button.url }
    : button;
}

function showFeishu(message: Fields): Shown {
  const card = asObject(message.card);
  if (card === undefined) return { title: '', body: text(asObject(message.content)?.text), buttons: [] };
  const elements = objects(asObject(card.body)?.elements ?? card.elements);
  const all = elements.flatMap(withNested);
  const header = asObject(card.header);
  return {
    title: text(asObject(header?.title)?.content),
    body: all
      .filter(({ tag }) => tag === 'markdown' || tag === 'div')
      .map((element) => text(element.content) || text(asObject(element.text)?.content))
      .join('\n\n'),
    buttons: all.filter(({ tag }) => tag === 'button').map(feishuButton),
  };
}

function withNested(element: Fields): readonly Fields[] {
  const nested = [element.elements, element.columns, element.actions].flatMap(objects);
  return [element, ...nested.flatMap(withNested)];
}

function feishuButton(button: Fields) {
  const [behavior] = objects(button.behaviors);
  return { text: text(asObject(button.text)?.content), url: text(behavior?.default_url) || text(button.url) };
}

function objects(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each): readonly Fields[] => {
    const object = asObject(each);
    return object === undefined ? [] : [object];
  });
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
