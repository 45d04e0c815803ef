import { AlertcardError } from '../domain/errors.ts';
import { CONFIG_HELP, CONFIG_OPTIONS, JSON_HELP, JSON_OPTIONS, parse } from './arguments.ts';
import type { Command } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { describeRouting, routingView } from './routing.ts';
import { json } from './table.ts';

export const check: Command = {
  name: 'check',
  summary: 'check configuration and templates, show the routing',
  help: `Usage: alertcard check [--config FILE] [--json]

Reads the configuration as serve does, with its secrets and templates, and renders every template in use
with sample bodies. Prints every problem with file, line and path (exit code 2), or the resolved routing
and what is worth a warning.

${CONFIG_HELP}
${JSON_HELP}`,
  run: async (context, args) => {
    const { values } = parse(args, { ...CONFIG_OPTIONS, ...JSON_OPTIONS });
    const { settings, file, warnings } = await context.loadSettings({
      file: values.config,
      purpose: 'serve',
    });
    const broken = await context.app.checkTemplates(settings);
    if (broken.length > 0) throw new AlertcardError('template_invalid', broken.join('\n'));
    const tried = await context.app.sampleTemplates(settings);
    if (tried.problems.length > 0) throw new AlertcardError('template_invalid', tried.problems.join('\n'));
    const all = [...warnings, ...tried.warnings];
    if (values.json) {
      context.stdout.write(json({ file: file ?? null, ...routingView(settings), warnings: all }));
      return EXIT.ok;
    }
    context.stdout.write(`Configuration: ${file ?? 'from the environment'}\n\n${describeRouting(settings)}`);
    context.stdout.write(`Templates: ${tried.templates} rendered with ${tried.samples} samples each.\n\n`);
    for (const warning of all) context.stdout.write(`warning: ${warning}\n`);
    context.stdout.write('The configuration is good.\n');
    return EXIT.ok;
  },
};
