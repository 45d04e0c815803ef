import { type Press, renderPlain, renderTemplate } from './card.ts';
import { type CardInput, type Encoded, encodeCard } from './card-input.ts';
import type { Context } from './context.ts';
import type { Frame } from './frame.ts';
import { renderJson } from './json-message.ts';
import { PLAIN_ALERTS } from './plain.ts';
import { MAX_ALERTS } from './prepare.ts';
import type { JsonTemplate, Template } from './template.ts';

/** Serves every card for several groups, whatever template the channel has for one. */
const DIGEST_TEMPLATE = 'digest';

/** One way to make the card, and what it says of a template that should have served instead. */
export interface Way {
  readonly served: string;
  readonly broken: Frame['broken'];
  /** Whether another way is tried when not even one alert fits; else a lower rung is. */
  readonly givesWay: boolean;
  /** Most alerts it shows. */
  readonly maxAlerts: number;
  make(context: Context, press: Press): Encoded;
}

/**
 * The channel's template, the built-in one, our plain card; on the text rung our own lines alone. A
 * template that writes JSON serves the channel's own form: the rungs below are for what was refused.
 */
export function waysOf(input: CardInput): readonly Way[] {
  if (input.rung === 'text') return [plainWay('text', undefined, input, '\n')];
  const { channel, templates, digest } = input;
  const { provider, locale } = channel;
  const template = digest === undefined ? channel.template : DIGEST_TEMPLATE;
  const served = templates.find(provider, template, locale);
  const builtIn = templates.builtIn(provider, template, locale);
  const json = input.rung === channel.form ? templates.findJson(provider, template, locale) : undefined;
  const candidates = [...new Set([served?.template, builtIn])].flatMap((each) => each ?? []);
  const none = { template: `${provider}/${template}`, message: 'no template' };
  return [
    ...(json === undefined ? [] : [jsonWay(json, input)]),
    ...candidates.map((each) => templateWay(each, served?.broken, input)),
    plainWay('plain', served?.broken ?? none, input, '\n\n'),
  ];
}

function jsonWay(template: JsonTemplate, input: CardInput): Way {
  return {
    served: template.name,
    broken: undefined,
    givesWay: true,
    maxAlerts: MAX_ALERTS,
    make: (context, press) => {
      const message = renderJson(template, context, press, input);
      const card = renderPlain(context, press, '\n\n');
      return { card, message, bytes: input.target.requestBytes(message, input.isSigned), blank: [] };
    },
  };
}

function templateWay(template: Template, broken: Frame['broken'], input: CardInput): Way {
  return {
    served: template.name,
    broken,
    givesWay: false,
    maxAlerts: template.maxAlerts ?? MAX_ALERTS,
    make: (context, press) => {
      const { card, blank } = renderTemplate(template, context, press);
      return encodeCard(card, input, blank);
    },
  };
}

function plainWay(served: string, broken: Frame['broken'], input: CardInput, paragraph: '\n' | '\n\n'): Way {
  return {
    served,
    broken,
    givesWay: false,
    maxAlerts: input.digest === undefined ? PLAIN_ALERTS : MAX_ALERTS,
    make: (context, press) => encodeCard(renderPlain(context, press, paragraph), input),
  };
}
