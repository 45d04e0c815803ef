import type { SandboxCard } from './context.ts';

const RULE_WIDTH = 72;

/** Draws a card as text: where it stands, title, body, buttons. */
export function showCard(card: SandboxCard): string {
  const head = `── ${card.provider} · ${card.channel} `;
  const lines = [
    head.padEnd(RULE_WIDTH, '─'),
    card.title,
    '',
    ...card.body.trim().split('\n'),
    ...(card.buttons.length === 0 ? [] : ['']),
    ...card.buttons.map(({ text, url }) => `[ ${text} ]  ${url}`),
  ];
  return `${lines.map((line, index) => (index === 0 || line === '' ? line : `  ${line}`)).join('\n')}\n\n`;
}
