import { asObject } from './exchange.ts';

type Problem = readonly [code: number, text: string];

/** Fields that must be there and hold text, by message type. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  text: ['content'],
  markdown: ['title', 'text'],
  link: ['title', 'text', 'messageUrl'],
  actionCard: ['title', 'text'],
};

/** Checks a message as the robot does: type, the object of the same name, its fields. */
export function dingtalkShapeProblem(message: Readonly<Record<string, unknown>>): Problem | undefined {
  const type = message.msgtype;
  if (typeof type !== 'string') return [300001, 'msgtype is null'];
  const required = REQUIRED[type];
  if (required === undefined) return [400105, `unsupported msgtype : ${type}`];
  const part = asObject(message[type]);
  if (part === undefined) return [400402, `miss param : ${type}`];
  const missing = required.find((field) => !isText(part[field]));
  if (missing !== undefined) return [400402, `miss param : ${type}->${missing}`];
  return (type === 'actionCard' ? buttonsProblem(part) : undefined) ?? atProblem(message.at);
}

function buttonsProblem(card: Readonly<Record<string, unknown>>): Problem | undefined {
  if (card.btnOrientation !== undefined && card.btnOrientation !== '0' && card.btnOrientation !== '1')
    return [400403, 'invalid param : actionCard->btnOrientation'];
  if (isText(card.singleTitle) && isText(card.singleURL)) return undefined;
  if (!Array.isArray(card.btns) || card.btns.length === 0) return [400402, 'miss param : actionCard->btns'];
  const isWhole = card.btns.every(
    (button) => isText(asObject(button)?.title) && isText(asObject(button)?.actionURL),
  );
  return isWhole ? undefined : [400402, 'miss param : actionCard->btns->actionURL'];
}

function atProblem(at: unknown): Problem | undefined {
  if (at === undefined) return undefined;
  const object = asObject(at);
  const lists = [object?.atMobiles ?? [], object?.atUserIds ?? []];
  const isWhole =
    object !== undefined &&
    ['boolean', 'undefined'].includes(typeof object.isAtAll) &&
    lists.every((list) => Array.isArray(list) && list.every((id) => typeof id === 'string'));
  return isWhole ? undefined : [400403, 'invalid param : at'];
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '';
}
