import { CLIENT_HELP, CLIENT_OPTIONS, need, parse } from './arguments.ts';
import { testChannel } from './channel-test.ts';
import type { Command } from './context.ts';

export const sendTest: Command = {
  name: 'send-test',
  summary: 'send a test card to a channel and tell what the robot said',
  help: `Usage: alertcard send-test --channel NAME [--payload FILE] [--server URL] [--token TOKEN] [--json]

Sends through the running server on the path that live alerts take.

      --channel NAME  the channel
      --payload FILE  a webhook body to send instead of the built-in test alert
${CLIENT_HELP}`,
  run: async (context, args) => {
    const { values } = parse(args, {
      ...CLIENT_OPTIONS,
      channel: { type: 'string' },
      payload: { type: 'string' },
    });
    const channel = need(values.channel, 'channel');
    const payload =
      values.payload === undefined
        ? undefined
        : Buffer.from(await context.readFile(values.payload)).toString('utf8');
    return testChannel(context, values, channel, payload);
  },
};
