import type { z } from 'zod';
import { DeliveryDetail, DeliveryPage, Done } from './api-answers.ts';
import { openApi } from './api-client.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, parse } from './arguments.ts';
import type { Command, CommandContext } from './context.ts';
import { EXIT, exitCodeOf, UsageError } from './exit-codes.ts';
import { cell, json, table } from './table.ts';

export const deliveries: Command = {
  name: 'deliveries',
  summary: 'list, show, replay or discard deliveries',
  help: `Usage: alertcard deliveries list [--state STATE] [--channel NAME] [--limit N] [--cursor CURSOR]
       alertcard deliveries show ID
       alertcard deliveries replay ID...
       alertcard deliveries discard ID...

replay makes a dead letter due again; discard ends a delivery as dead.

      --state STATE   scheduled, leased, delivered, folded or dead
      --channel NAME  of this channel only
      --limit N       at most so many (default 50, at most 200)
      --cursor CURSOR continue a list
${CLIENT_HELP}`,
  run: async (context, args) => {
    const [action, ...rest] = args;
    if (action === 'list') return list(context, rest);
    if (action === 'show') return show(context, rest);
    if (action === 'replay' || action === 'discard') return act(context, action, rest);
    throw new UsageError('say what to do: list, show, replay or discard');
  },
};

async function list(context: CommandContext, args: readonly string[]): Promise<number> {
  const { values } = parse(args, {
    ...CLIENT_OPTIONS,
    state: { type: 'string' },
    channel: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
  });
  const query = new URLSearchParams();
  for (const name of ['state', 'channel', 'limit', 'cursor'] as const) {
    const value = values[name];
    if (value !== undefined) query.set(name, value);
  }
  const api = await openApi(context, values);
  const page = await api.get(`/api/deliveries?${query.toString()}`, DeliveryPage);
  context.stdout.write(values.json ? json(page) : describePage(page));
  return EXIT.ok;
}

function describePage({ items, next }: z.output<typeof DeliveryPage>): string {
  const more = next === null ? '' : `There is more: --cursor ${next}\n`;
  // A page looks at so many rows and no more: it may be empty with matches further on.
  if (items.length === 0) return next === null ? 'No deliveries.\n' : `None among the newest. ${more}`;
  const rows = items.map((item) => [
    item.id,
    item.channel,
    item.state,
    cell(item.reason),
    String(item.attempts),
    item.created_at,
    item.notification_id,
  ]);
  const header = ['DELIVERY', 'CHANNEL', 'STATE', 'REASON', 'ATTEMPTS', 'CREATED', 'NOTIFICATION'];
  return `${table(header, rows)}${more}`;
}

async function show(context: CommandContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args, CLIENT_OPTIONS, { min: 1, max: 1 });
  const api = await openApi(context, values);
  const id = positionals.join('');
  const found = await api.get(`/api/deliveries/${encodeURIComponent(id)}`, DeliveryDetail);
  context.stdout.write(values.json ? json(found) : describeDelivery(found));
  return EXIT.ok;
}

function describeDelivery(found: z.output<typeof DeliveryDetail>): string {
  const facts = [
    ['Delivery', found.id],
    ['Notification', found.notification_id],
    ['Channel', found.channel],
    ['State', found.reason === null ? found.state : `${found.state} (${found.reason})`],
    ['Created', found.created_at],
    ['Ended', cell(found.ended_at)],
    ['Folded into', cell(found.folded_into)],
  ];
  const lines = facts.map(([name, value]) => `${`${name}:`.padEnd(14)}${value}\n`).join('');
  if (found.attempt_records.length === 0) return `${lines}\nNo attempt was made yet.\n`;
  const attempts = found.attempt_records.map((attempt, index) => [
    String(index + 1),
    attempt.started_at,
    cell(attempt.duration_ms),
    cell(attempt.rung),
    attempt.outcome ?? 'open',
    cell(attempt.reason),
    cell(attempt.http_status),
    [attempt.provider_code, attempt.provider_text].filter((word) => word !== null).join(' ') || '-',
  ]);
  const header = ['ATTEMPT', 'STARTED', 'MS', 'RUNG', 'OUTCOME', 'REASON', 'HTTP', 'PROVIDER'];
  return `${lines}\n${table(header, attempts)}`;
}

const DONE = { replay: 'is due again', discard: 'is discarded' } as const;

/** Goes on past an id that fails, so that a list of them is worked through. */
async function act(
  context: CommandContext,
  action: 'replay' | 'discard',
  args: readonly string[],
): Promise<number> {
  const { values, positionals } = parse(args, CLIENT_OPTIONS, { min: 1, max: Number.POSITIVE_INFINITY });
  const api = await openApi(context, values);
  const done: { id: string; channel: string }[] = [];
  let exitCode: number = EXIT.ok;
  for (const id of positionals) {
    try {
      const { channel } = await api.post(`/api/deliveries/${encodeURIComponent(id)}/${action}`, Done);
      done.push({ id, channel });
      if (!values.json) context.stdout.write(`${id} ${DONE[action]} (${channel})\n`);
    } catch (error) {
      exitCode = exitCodeOf(error);
      context.stderr.write(`${id}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
  if (values.json) context.stdout.write(json({ items: done }));
  return exitCode;
}
