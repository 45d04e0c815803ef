import { CONFIG_HELP, CONFIG_OPTIONS, JSON_HELP, JSON_OPTIONS, parse } from './arguments.ts';
import type { Command } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { json } from './table.ts';

export const backup: Command = {
  name: 'backup',
  summary: 'copy the store into a file, beside a running server too',
  help: `Usage: alertcard backup FILE [--config FILE] [--json]

Writes a compact copy of the store to FILE, which must not exist. The server may go on working.

${CONFIG_HELP}
${JSON_HELP}`,
  run: async (context, args) => {
    const { values, positionals } = parse(args, { ...CONFIG_OPTIONS, ...JSON_OPTIONS }, { min: 1, max: 1 });
    const file = positionals.join('');
    const { settings } = await context.loadSettings({ file: values.config, purpose: 'read' });
    const { bytes } = await context.app.backup(settings, file);
    context.stdout.write(values.json ? json({ file, bytes }) : `${file}: ${bytes} bytes\n`);
    return EXIT.ok;
  },
};
