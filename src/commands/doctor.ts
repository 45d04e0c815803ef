import { serverUrl } from './api-client.ts';
import { CONFIG_HELP, CONFIG_OPTIONS, JSON_HELP, JSON_OPTIONS, parse } from './arguments.ts';
import type { Command, CommandContext, Finding } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { json } from './table.ts';

const PROBE_TIMEOUT_MS = 3_000;

export const doctor: Command = {
  name: 'doctor',
  summary: 'look for what is wrong or soon will be',
  help: `Usage: alertcard doctor [--config FILE] [--server URL] [--json]

Looks at configuration, templates, store, file system, clock and, when one runs, the server.
Exit code 1 when something fails, 3 when the store cannot be trusted.

      --server URL    the running server (default: from the configuration)
${CONFIG_HELP}
${JSON_HELP}`,
  run: async (context, args) => {
    const { values } = parse(args, { ...CONFIG_OPTIONS, ...JSON_OPTIONS, server: { type: 'string' } });
    const { settings, warnings } = await context.loadSettings({ file: values.config, purpose: 'read' });
    const templates = await context.app.checkTemplates(settings);
    const found: Finding[] = [
      { level: 'ok', subject: 'configuration', text: 'can be read' },
      ...warnings.map(warn('configuration')),
      ...templates.map((text): Finding => ({ level: 'failed', subject: 'template', text })),
      ...(await context.app.examine(settings)),
      await probeServer(context, values.server ?? serverUrl(settings.server)),
    ];
    if (values.json) context.stdout.write(json({ items: found }));
    else
      for (const { level, subject, text } of found) {
        context.stdout.write(`${level.padEnd(9)} ${subject}: ${text}\n`);
      }
    return exitCode(found);
  },
};

function warn(subject: string): (text: string) => Finding {
  return (text) => ({ level: 'warning', subject, text });
}

function exitCode(findings: readonly Finding[]): number {
  const levels = new Set(findings.map((finding) => finding.level));
  if (levels.has('untrusted')) return EXIT.untrustedStore;
  return levels.has('failed') ? EXIT.failed : EXIT.ok;
}

/** A server that does not run is no fault: the doctor may be called before the first start. */
async function probeServer(context: CommandContext, server: string): Promise<Finding> {
  const subject = 'server';
  const url = `${server.replace(/\/+$/, '')}/readyz`;
  try {
    const { status, body } = await context.http({
      method: 'GET',
      url,
      headers: {},
      body: undefined,
      timeoutMs: PROBE_TIMEOUT_MS,
    });
    if (status !== 200) {
      return { level: 'failed', subject, text: `${url} answers ${status}: ${body.slice(0, 500)}` };
    }
    return { level: 'ok', subject, text: `${url} answers 200` };
  } catch {
    return { level: 'warning', subject, text: `none answers at ${server}` };
  }
}
