import { z } from 'zod';
import { Words } from '../shape.ts';

/** Elements differ from release to release and are the vendor's to judge; each has a tag. */
const Elements = z.array(z.looseObject({ tag: Words })).min(1, 'is empty');

const Header = z.looseObject({ title: z.looseObject({ tag: Words, content: z.string() }) });

const Card2 = z.looseObject({
  schema: z.literal('2.0'),
  header: Header.optional(),
  body: z.looseObject({ elements: Elements }),
});

const Card1 = z.looseObject({ schema: z.literal('1.0').optional(), header: Header, elements: Elements });

const Interactive = z.looseObject({
  msg_type: z.literal('interactive'),
  card: z.discriminatedUnion('schema', [Card2, Card1], {
    error: 'must be the JSON of a card, with schema "2.0" or none',
  }),
});

const Text = z.looseObject({ msg_type: z.literal('text'), content: z.looseObject({ text: Words }) });

const Post = z.looseObject({
  title: z.string().optional(),
  content: z.array(z.array(z.looseObject({ tag: Words })).min(1, 'is empty')).min(1, 'is empty'),
});

const RichText = z.looseObject({
  msg_type: z.literal('post'),
  content: z.looseObject({
    post: z.record(z.string(), Post).refine((byLanguage) => Object.keys(byLanguage).length > 0, 'is empty'),
  }),
});

/**
 * The messages a template may write. A card kept by the vendor (`type: template`) is none of them: it
 * has no place for a keyword or a warning.
 * https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */
export const FeishuMessage = z.discriminatedUnion('msg_type', [Interactive, Text, RichText], {
  error: 'must be interactive, text or post',
});

export type FeishuMessage = z.output<typeof FeishuMessage>;
