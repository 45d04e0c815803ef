import { z } from 'zod';
import { Words } from '../shape.ts';

/** What the app opens: the web, or a page of DingTalk itself. */
const Url = z.string().regex(/^(?:https?|dingtalk):\/\//u, 'is neither http(s) nor dingtalk://');

const At = z.looseObject({
  atMobiles: z.array(z.string()).optional(),
  atUserIds: z.array(z.string()).optional(),
  isAtAll: z.boolean().optional(),
});

const Text = z.looseObject({
  msgtype: z.literal('text'),
  text: z.looseObject({ content: Words }),
  at: At.optional(),
});

const Markdown = z.looseObject({
  msgtype: z.literal('markdown'),
  markdown: z.looseObject({ title: Words, text: Words }),
  at: At.optional(),
});

const Link = z.looseObject({
  msgtype: z.literal('link'),
  link: z.looseObject({ title: Words, text: Words, messageUrl: Url, picUrl: z.string().optional() }),
});

const ActionCard = z.looseObject({
  msgtype: z.literal('actionCard'),
  actionCard: z
    .looseObject({
      title: Words,
      text: Words,
      btnOrientation: z.enum(['0', '1']).optional(),
      singleTitle: Words.optional(),
      singleURL: Url.optional(),
      btns: z
        .array(z.looseObject({ title: Words, actionURL: Url }))
        .min(1)
        .optional(),
    })
    .refine(
      ({ btns, singleTitle, singleURL }) =>
        btns !== undefined || (singleTitle !== undefined && singleURL !== undefined),
      'needs btns, or singleTitle and singleURL',
    ),
});

/**
 * The messages a template may write. A feedCard is none of them: it has no text that could hold a
 * keyword or a warning.
 * https://open.dingtalk.com/document/development/robot-message-type
 */
export const DingtalkMessage = z.discriminatedUnion('msgtype', [Text, Markdown, Link, ActionCard], {
  error: 'must be text, markdown, link or actionCard',
});

export type DingtalkMessage = z.output<typeof DingtalkMessage>;
