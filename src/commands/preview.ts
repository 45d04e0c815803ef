import { PROVIDER_NAMES, type ProviderName } from '../domain/settings.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, need, parse } from './arguments.ts';
import type { Command } from './context.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { previewMessages } from './preview-messages.ts';
import { previewPage } from './preview-page.ts';
import { json } from './table.ts';

export const preview: Command = {
  name: 'preview',
  summary: 'print the message a template makes of a payload, sending nothing',
  help: `Usage: alertcard preview --template NAME --payload FILE [--provider NAME] [--config FILE] [--json | --html]
       alertcard preview --template NAME --notification ID [--provider NAME] [--server URL] [--token TOKEN]

Prints the exact message JSON, made as a delivery makes it. A payload needs no server; a notification
is one that the running server has accepted.

      --template NAME the template, e.g. default
      --payload FILE  a webhook body as Grafana posts it
      --notification ID  instead of a payload: ntf_…
      --provider NAME dingtalk or feishu (default: each that has the template)
      --html          a page that shows the messages about as the chats do, on a desktop and a phone
${CLIENT_HELP}`,
  run: async (context, args) => {
    const { values } = parse(args, {
      ...CLIENT_OPTIONS,
      template: { type: 'string' },
      payload: { type: 'string' },
      provider: { type: 'string' },
      notification: { type: 'string' },
      html: { type: 'boolean', default: false },
    });
    if (values.html && values.json) throw new UsageError('--html and --json exclude each other');
    const template = need(values.template, 'template');
    const provider = values.provider === undefined ? undefined : toProvider(values.provider);
    const { payload, notification, server, token, config } = values;
    const request = { template, provider, payload, notification, server, token, config };
    const messages = await previewMessages(context, request);
    if (values.json) {
      context.stdout.write(json(messages));
      return EXIT.ok;
    }
    if (values.html) context.stdout.write(previewPage(messages));
    for (const item of messages) {
      const omitted = item.omitted === 0 ? '' : `, ${item.omitted} left out`;
      context.stderr.write(
        `${item.provider} ${item.rung}: ${item.bytes} bytes, ${item.shown} alerts${omitted}\n`,
      );
      for (const warning of item.warnings) context.stderr.write(`warning: ${warning}\n`);
      if (!values.html) context.stdout.write(json(item.message));
    }
    return EXIT.ok;
  },
};

function toProvider(name: string): ProviderName {
  const found = PROVIDER_NAMES.find((known) => known === name);
  if (found !== undefined) return found;
  throw new UsageError(`--provider is one of ${PROVIDER_NAMES.join(', ')}`);
}
