import { asObject } from './exchange.ts';

/** What a property of a card may hold. */
type Rule =
  | { readonly kind: 'text' }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number' }
  | { readonly kind: 'one_of'; readonly values: readonly string[] }
  | { readonly kind: 'object'; readonly shape: string }
  | { readonly kind: 'list'; readonly shape: string; readonly max?: number };

interface Shape {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, Rule>>;
}

const TEXT: Rule = { kind: 'text' };
const COLOURS =
  'blue wathet turquoise green yellow orange red carmine violet purple indigo grey default'.split(' ');
const TAG_COLOURS =
  'neutral blue turquoise lime orange violet indigo wathet green yellow red purple carmine'.split(' ');
const plainText: Rule = { kind: 'object', shape: 'plain_text' };
const elements: Rule = { kind: 'list', shape: 'element', max: 200 };

/**
 * The documented parts of a card of JSON 2.0 that this robot knows. A property outside the list costs
 * the whole card, as it does with the vendor.
 * https://open.feishu.cn/document/feishu-cards/card-json-v2-structure
 */
const SHAPES: Readonly<Record<string, Shape>> = {
  card: shape(['schema', 'body'], {
    schema: one('2.0'),
    config: { kind: 'object', shape: 'config' },
    card_link: { kind: 'object', shape: 'link' },
    header: { kind: 'object', shape: 'header' },
    body: { kind: 'object', shape: 'body' },
  }),
  config: shape([], {
    update_multi: { kind: 'flag' },
    width_mode: one('compact', 'fill', 'default'),
    enable_forward: { kind: 'flag' },
    summary: { kind: 'object', shape: 'summary' },
  }),
  summary: shape(['content'], { content: TEXT }),
  link: shape(['url'], { url: TEXT, pc_url: TEXT, ios_url: TEXT, android_url: TEXT }),
  header: shape(['title'], {
    template: one(...COLOURS),
    title: plainText,
    subtitle: plainText,
    text_tag_list: { kind: 'list', shape: 'text_tag', max: 3 },
  }),
  plain_text: shape(['tag', 'content'], { tag: one('plain_text'), content: TEXT }),
  text_tag: shape(['tag', 'text'], { tag: one('text_tag'), text: plainText, color: one(...TAG_COLOURS) }),
  body: shape(['elements'], {
    direction: one('vertical', 'horizontal'),
    padding: TEXT,
    vertical_spacing: TEXT,
    elements,
  }),
  'element.markdown': shape(['content'], { tag: TEXT, content: TEXT, text_size: TEXT }),
  'element.hr': shape([], { tag: TEXT }),
  'element.button': shape(['text'], {
    tag: TEXT,
    type: one('default', 'primary', 'danger'),
    text: plainText,
    behaviors: { kind: 'list', shape: 'behavior' },
  }),
  behavior: shape(['type', 'default_url'], {
    type: one('open_url'),
    default_url: TEXT,
    pc_url: TEXT,
    ios_url: TEXT,
    android_url: TEXT,
  }),
  'element.column_set': shape(['columns'], { tag: TEXT, columns: { kind: 'list', shape: 'column' } }),
  column: shape(['tag', 'elements'], {
    tag: one('column'),
    width: TEXT,
    weight: { kind: 'number' },
    elements,
  }),
  'element.collapsible_panel': shape(['header', 'elements'], {
    tag: TEXT,
    expanded: { kind: 'flag' },
    header: { kind: 'object', shape: 'panel_header' },
    elements,
  }),
  panel_header: shape(['title'], { title: { kind: 'object', shape: 'panel_title' } }),
  panel_title: shape(['tag', 'content'], { tag: one('plain_text', 'markdown'), content: TEXT }),
};

/** What is wrong with a card of JSON 2.0, with the path; undefined when nothing is. */
export function card2Problem(card: unknown): string | undefined {
  return objectProblem(card, 'card', 'ROOT');
}

function shape(required: readonly string[], properties: Readonly<Record<string, Rule>>): Shape {
  return { required, properties };
}

function one(...values: readonly string[]): Rule {
  return { kind: 'one_of', values };
}

function objectProblem(value: unknown, name: string, path: string): string | undefined {
  const object = asObject(value);
  if (object === undefined) return `${path}: not an object`;
  const known = SHAPES[name === 'element' ? `element.${String(object.tag)}` : name];
  if (known === undefined) return `${path}: unknown tag ${String(object.tag)}`;
  const missing = known.required.find((key) => object[key] === undefined);
  if (missing !== undefined) return `${path}: ${missing} is missing`;
  for (const [key, item] of Object.entries(object)) {
    const rule = known.properties[key];
    const problem =
      rule === undefined ? `${path}: unknown property ${key}` : ruleProblem(item, rule, `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function ruleProblem(value: unknown, rule: Rule, path: string): string | undefined {
  switch (rule.kind) {
    case 'text':
      return typeof value === 'string' ? undefined : `${path}: not a text`;
    case 'flag':
      return typeof value === 'boolean' ? undefined : `${path}: not a boolean`;
    case 'number':
      return typeof value === 'number' ? undefined : `${path}: not a number`;
    case 'one_of':
      return typeof value === 'string' && rule.values.includes(value) ? undefined : `${path}: unknown value`;
    case 'object':
      return objectProblem(value, rule.shape, path);
    case 'list':
      return listProblem(value, rule.shape, rule.max, path);
  }
}

function listProblem(
  value: unknown,
  name: string,
  max: number | undefined,
  path: string,
): string | undefined {
  if (!Array.isArray(value) || value.length === 0) return `${path}: not a list with items`;
  if (max !== undefined && value.length > max) return `${path}: more than ${max}`;
  return value
    .map((item, index) => objectProblem(item, name, `${path}[${index}]`))
    .find((found) => found !== undefined);
}
