import { providerOf } from '../../src/channels/registry.ts';
import type { Card, Dialect, Message } from '../../src/domain/card.ts';
import type { ProviderName, Rung } from '../../src/domain/settings.ts';
import type { Target } from '../../src/render/card-input.ts';

/** The providers as they are: whatever speaks of real messages is rendered for these. */
export const TARGETS: Readonly<Record<ProviderName, Target>> = {
  dingtalk: providerOf('dingtalk'),
  feishu: providerOf('feishu'),
};

/** Characters that are markup in the stand-in's dialect. */
const MARKUP = /[\\`*_[\]<>#~|]/u;

const EACH_MARKUP = new RegExp(MARKUP, 'gu');

const RICH: Dialect = {
  escape: escapeMarkup,
  link: (text, url) =>
    /^https?:\/\//u.test(url)
      ? `[${escapeMarkup(text)}](${url.replace(/[()\s<>]/gu, encodeURIComponent)})`
      : escapeMarkup(text),
  markdown: (value) => breakMentions(value).replaceAll('<', '&lt;'),
  neutralise: (value) => breakMentions(value).replaceAll('<', '&lt;'),
};

const PLAIN: Dialect = {
  escape: breakMentions,
  link: (text, url) => (/^https?:\/\//u.test(url) ? `${breakMentions(text)}: ${url}` : breakMentions(text)),
  markdown: breakMentions,
  neutralise: breakMentions,
};

/** A stand-in with a plain markdown dialect and whatever limit a test needs. */
export function makeTarget(maxRequestBytes: number): Target {
  return {
    limits: { maxRequestBytes, maxButtons: 5 },
    dialect: (rung) => (rung === 'text' || rung === 'bare' ? PLAIN : RICH),
    encode,
    adopt: (json, rung, { keyword, above, below }) =>
      typeof json === 'object' && json !== null && 'body' in json
        ? {
            kind: 'message',
            message: { rung, json: { ...json, keyword, above: above(RICH), below: below(RICH) } },
          }
        : { kind: 'problem', problem: 'body: is missing' },
    requestBytes: (message, isSigned) =>
      Buffer.byteLength(JSON.stringify(message.json)) + (isSigned ? 80 : 0),
  };
}

function encode({ title, tone, tags, body, buttons }: Card, rung: Rung, keyword: string): Message {
  return { rung, json: { title: `${keyword}${title}`, tone, tags, body, buttons } };
}

function escapeMarkup(value: string): string {
  return breakMentions(value).replace(EACH_MARKUP, '\\$&').replace(/\n+/gu, '  \n');
}

function breakMentions(value: string): string {
  return value.replaceAll('@', '@\u200B');
}
