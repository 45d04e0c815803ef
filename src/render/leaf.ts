import type { Dialect } from '../domain/card.ts';
import { clean, oneLine, writeNumber } from './text.ts';

/** The kind of place a template's value lands in, and with it how values are made harmless there. */
export interface Leaf {
  /** `{{x}}` */
  escape(value: string): string;
  /** `{{{x}}}`: as it is, but for what could mention people or act as HTML. */
  raw(value: string): string;
  link(text: string, url: string): string;
  /** Keeps the harmless markdown of a value. */
  markdown(value: string): string;
  /** Takes the meaning from a value's markdown. */
  inert(value: string): string;
}

/** The body of a card, in the markdown of its provider. */
export function bodyLeaf(dialect: Dialect): Leaf {
  return {
    escape: (value) => dialect.escape(value),
    raw: (value) => dialect.neutralise(value),
    link: (text, url) => dialect.link(text, url),
    markdown: (value) => dialect.markdown(closeFence(value)),
    inert: (value) => dialect.escape(value),
  };
}

/**
 * The strings of a message that a template writes in the vendor's JSON. Which of them are markdown only
 * the template knows: so a value is kept from mentioning people and acting as HTML in all of them.
 */
export function jsonLeaf(dialect: Dialect): Leaf {
  const body = bodyLeaf(dialect);
  return {
    escape: (value) => inJson(body.raw(value)),
    // An escape sequence must not smuggle in what would be seen if it were written out.
    raw: (value) =>
      body.raw(value.replace(/\\u00(3c|40)/giu, (_whole, hex: string) => (hex === '40' ? '@' : '<'))),
    link: (text, url) => inJson(body.link(text, url)),
    markdown: (value) => inJson(body.markdown(value)),
    inert: (value) => inJson(body.inert(value)),
  };
}

/** Titles, tags and buttons: plain text on one line. The provider writes them where they cannot act. */
export const PLAIN_LEAF: Leaf = {
  escape: oneLine,
  raw: oneLine,
  link: (text) => oneLine(text),
  markdown: oneLine,
  inert: oneLine,
};

/** A button's link: checked as a whole once rendered, never escaped for markdown. */
export const URL_LEAF: Leaf = {
  escape: (value) => clean(value).trim(),
  raw: (value) => clean(value).trim(),
  link: (_text, url) => url,
  markdown: (value) => clean(value).trim(),
  inert: (value) => clean(value).trim(),
};

/** Text that needs no more escaping where it lands: what helpers return. */
export class Inert {
  /** As it goes into the leaf. */
  readonly rendered: string;
  /** As another helper takes it. */
  readonly plain: string;

  constructor(rendered: string, plain: string = rendered) {
    this.rendered = rendered;
    this.plain = plain;
  }
}

/** A template's value as plain text; what is no text (an object, nothing at all) is ''. */
export function toPlain(value: unknown): string {
  if (value instanceof Inert) return value.plain;
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value === 'boolean') return String(value);
  return '';
}

/** A text as it stands between the quotes of a JSON string. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** A code fence that an annotation leaves open would swallow the rest of the card. */
function closeFence(value: string): string {
  const fences = value.match(/^[ \t]*(?:```|~~~)/gmu) ?? [];
  return fences.length % 2 === 0 ? value : `${value}\n${(fences.at(-1) ?? '```').trim()}`;
}
