import { CONFIG_HELP, CONFIG_OPTIONS, parse } from './arguments.ts';
import type { Command, CommandContext, LoadedSettings, SandboxCard } from './context.ts';
import { EXIT } from './exit-codes.ts';

const SANDBOX_RELOAD =
  'The sandbox keeps its robots and the configuration it started with: only templates were read anew.';

export const serve: Command = {
  name: 'serve',
  summary: 'accept notifications and deliver them',
  help: `Usage: alertcard serve [--config FILE] [--sandbox]

Accepts notifications and delivers them until SIGTERM or SIGINT, then finishes what is in flight
(a second signal ends it at once). SIGHUP reads the configuration anew.

${CONFIG_HELP}
      --sandbox       send to look-alike robots on loopback instead of the real ones`,
  run: async (context, args) => {
    const { values } = parse(args, { ...CONFIG_OPTIONS, sandbox: { type: 'boolean', default: false } });
    const load = (): Promise<LoadedSettings> =>
      context.loadSettings({ file: values.config, purpose: values.sandbox ? 'sandbox' : 'serve' });
    const loaded = await load();
    for (const warning of loaded.warnings) context.stderr.write(`warning: ${warning}\n`);
    if (!values.sandbox) {
      await serveUntilClosed(context, loaded, load);
      return EXIT.ok;
    }
    const sandbox = await context.app.startSandbox({
      settings: loaded.settings,
      dataDir: '',
      onCard: (card) => context.stderr.write(`${cardLine(card)}\n`),
    });
    try {
      // The robots stay what they are: a reload would point the channels at the real ones.
      const sandboxed = { ...loaded, settings: sandbox.settings };
      await serveUntilClosed(context, sandboxed, async () => ({ ...sandboxed, warnings: [SANDBOX_RELOAD] }));
    } finally {
      await sandbox.close();
    }
    return EXIT.ok;
  },
};

async function serveUntilClosed(
  context: CommandContext,
  loaded: LoadedSettings,
  loadAgain: () => Promise<LoadedSettings>,
): Promise<void> {
  const app = await context.app.build(loaded.settings, {
    log: context.stdout,
    logLevel: 'info',
    loadAgain,
  });
  context.onSignals({ drain: () => app.drain(), reload: () => app.reload() });
  await app.closed;
}

function cardLine(card: SandboxCard): string {
  return `sandbox: ${card.channel} (${card.provider}) shows: ${card.title}`;
}
