import { ReloadAnswer } from './api-answers.ts';
import { openApi } from './api-client.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, parse } from './arguments.ts';
import type { Command } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { json } from './table.ts';

export const reload: Command = {
  name: 'reload',
  summary: 'make the running server read its configuration anew',
  help: `Usage: alertcard reload [--server URL] [--token TOKEN] [--json]

Configuration, templates and secret files are read and checked before anything is swapped; a bad one
changes nothing and every problem is printed (exit code 1).

${CLIENT_HELP}`,
  run: async (context, args) => {
    const { values } = parse(args, CLIENT_OPTIONS);
    const api = await openApi(context, values);
    const answer = await api.post('/api/reload', ReloadAnswer);
    if (values.json) {
      context.stdout.write(json(answer));
      return EXIT.ok;
    }
    for (const warning of answer.warnings) context.stderr.write(`warning: ${warning}\n`);
    context.stdout.write('The configuration was read anew.\n');
    return EXIT.ok;
  },
};
