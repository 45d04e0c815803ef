import type { Tone } from '../../domain/card.ts';

/** https://open.feishu.cn/document/feishu-cards/card-components/content-components/title */
const COLOURS: ReadonlySet<string> = new Set([
  'blue',
  'wathet',
  'turquoise',
  'green',
  'yellow',
  'orange',
  'red',
  'carmine',
  'violet',
  'purple',
  'indigo',
  'grey',
  'default',
]);

const OF_TONE: Readonly<Record<string, string>> = {
  critical: 'red',
  error: 'orange',
  warning: 'yellow',
  info: 'blue',
  resolved: 'green',
  mixed: 'orange',
  notice: 'grey',
};

/** Colour of the header: by tone, or the vendor's own name when a template gives one. */
export function colourOf(tone: Tone): string {
  return OF_TONE[tone] ?? (COLOURS.has(tone) ? tone : 'default');
}
