import { parse } from './arguments.ts';
import type { Command, CommandContext, RunningApp, Sandbox } from './context.ts';
import { type Scene, tellStory } from './demo-story.ts';
import { EXIT } from './exit-codes.ts';
import { hookHeaders } from './hook-headers.ts';
import { showCard } from './show-card.ts';

/** For people to read a card before the next one comes. */
const PAUSE_MS = 1_500;
/** The longest the hook waits for the robots' verdicts. */
const WAIT_SECONDS = 10;
const HTTP_TIMEOUT_MS = 15_000;

export const demo: Command = {
  name: 'demo',
  summary: 'show an outage from alert to card, without Grafana or a chat',
  help: `Usage: alertcard demo [--data DIR]

Starts the service with look-alike robots on loopback and posts to it what Grafana posts: an alert
fires, more join, all are resolved. Prints each card as it arrives, then ends.

      --data DIR      folder of the store it leaves behind (default ./alertcard-demo)`,
  run: async (context, args) => {
    const { values } = parse(args, { data: { type: 'string', default: './alertcard-demo' } });
    const sandbox = await context.app.startSandbox({
      settings: undefined,
      dataDir: values.data,
      onCard: (card) => context.stdout.write(showCard(card)),
    });
    try {
      return await playWith(context, sandbox, values.data);
    } finally {
      await sandbox.close();
    }
  },
};

async function playWith(context: CommandContext, sandbox: Sandbox, dataDir: string): Promise<number> {
  const { settings } = sandbox;
  const app = await context.app.build(settings, {
    log: context.stderr,
    logLevel: 'error',
    loadAgain: async () => ({ settings, file: undefined, warnings: [] }),
  });
  let isInterrupted = false;
  context.onSignals({
    drain: () => {
      isInterrupted = true;
      return app.drain();
    },
    reload: async () => undefined,
  });
  context.stdout.write(`Alertcard listens at ${app.address}; look-alike robots stand in for the chats.\n\n`);
  let allDelivered = true;
  for (const scene of tellStory(context.now())) {
    if (isInterrupted) break;
    context.stdout.write(`${scene.words}\n\n`);
    allDelivered = (await post(context, sandbox, app, scene)) && allDelivered;
    await context.sleep(PAUSE_MS);
  }
  await app.drain();
  context.stdout.write(farewell(settings.store.path, dataDir));
  return allDelivered || isInterrupted ? EXIT.ok : EXIT.failed;
}

/** True when every robot confirmed its card. */
async function post(
  context: CommandContext,
  { settings }: Sandbox,
  app: RunningApp,
  { body }: Scene,
): Promise<boolean> {
  const source = [...settings.sources.values()][0];
  if (source === undefined) throw new TypeError('the sandbox has no source');
  const bytes = Buffer.from(body);
  const answer = await context
    .http({
      method: 'POST',
      url: `${app.address}/hooks/${encodeURIComponent(source.name)}`,
      headers: {
        'content-type': 'application/json',
        prefer: `wait=${WAIT_SECONDS}`,
        ...hookHeaders(source.auth, bytes, context.now()),
      },
      body: bytes,
      timeoutMs: HTTP_TIMEOUT_MS,
    })
    .catch((error: unknown) => ({ status: 0, body: String(error) }));
  if (answer.status === 202) return true;
  context.stderr.write(`The hook answered ${answer.status}: ${answer.body.slice(0, 1_024)}\n`);
  return false;
}

function farewell(storePath: string, dataDir: string): string {
  return `The story is over. Its store stays in ${storePath}.
To look at it: ALERTCARD_DATA=${dataDir} node dist/cli.js serve --sandbox
and meanwhile:  ALERTCARD_DATA=${dataDir} node dist/cli.js deliveries list
`;
}
