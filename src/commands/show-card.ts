import type { SandboxCard } from './context.ts';

const RULE_WIDTH = 72;

/** Draws a card as text: where it stands, title, body, buttons. */
export function showCard(card: SandboxCard): string {
  const head = `── ${card.provider} · ${card.channel} `;
  const lines = [
    head.padEnd(RULE_WIDTH, '─'),
    card.title,
    '',
    ...bodyLines(card),
    ...(card.buttons.length === 0 ? [] : ['']),
    ...card.buttons.map(({ text, url }) => `[ ${text} ]  ${url}`),
  ];
  return `${lines.map((line, index) => (index === 0 || line === '' ? line : `  ${line}`)).join('\n')}\n\n`;
}

/** The body as people read it in the chat. DingTalk's card repeats its title there, because it shows no other. */
function bodyLines({ title, body }: SandboxCard): readonly string[] {
  const lines = asRead(body).trim().split('\n');
  return lines[0] === title ? lines.slice(lines[1] === '' ? 2 : 1) : lines;
}

/** Markdown without its marks. Where a link leads is left out: a terminal has no place to hide it. */
function asRead(markdown: string): string {
  return markdown
    .replaceAll(/(?<!\\)\[((?:[^[\]\\]|\\.)*)\]\([^()\s]*\)/g, '[ $1 ]')
    .replaceAll(/^#+ /gm, '')
    .replaceAll(/\*\*(.+?)\*\*/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/ +$/gm, '')
    .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}
