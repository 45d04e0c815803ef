import type { z } from 'zod';
import { ChannelPage, Done } from './api-answers.ts';
import { openApi } from './api-client.ts';
import { CLIENT_HELP, CLIENT_OPTIONS, need, parse } from './arguments.ts';
import { testChannel } from './channel-test.ts';
import type { Command, CommandContext } from './context.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { cell, json, table } from './table.ts';

export const channels: Command = {
  name: 'channels',
  summary: 'list, pause, resume or test channels',
  help: `Usage: alertcard channels list
       alertcard channels pause NAME --for DURATION
       alertcard channels resume NAME
       alertcard channels test NAME

A pause ends by itself, after 24h at most; meanwhile the fallback hears what fires.

      --for DURATION  e.g. 30m or 2h
${CLIENT_HELP}`,
  run: async (context, args) => {
    const [action, ...rest] = args;
    if (action === 'list') return list(context, rest);
    if (action === 'pause') return pause(context, rest);
    if (action === 'resume') return resume(context, rest);
    if (action === 'test') return test(context, rest);
    throw new UsageError('say what to do: list, pause, resume or test');
  },
};

const ONE_NAME = { min: 1, max: 1 };

async function list(context: CommandContext, args: readonly string[]): Promise<number> {
  const { values } = parse(args, CLIENT_OPTIONS);
  const api = await openApi(context, values);
  const page = await api.get('/api/channels', ChannelPage);
  context.stdout.write(values.json ? json(page) : describePage(page));
  return EXIT.ok;
}

function describePage({ items }: z.output<typeof ChannelPage>): string {
  const rows = items.map((item) => [
    item.name,
    item.provider,
    item.state,
    cell(item.reason),
    String(item.waiting),
    item.oldest_due_seconds === null ? '-' : `${Math.round(item.oldest_due_seconds)}s`,
    cell(item.paused_until),
    cell(item.fallback),
  ]);
  const header = ['CHANNEL', 'PROVIDER', 'STATE', 'REASON', 'WAITING', 'OLDEST', 'PAUSED UNTIL', 'FALLBACK'];
  return table(header, rows);
}

async function pause(context: CommandContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args, { ...CLIENT_OPTIONS, for: { type: 'string' } }, ONE_NAME);
  const duration = need(values.for, 'for');
  const api = await openApi(context, values);
  const done = await api.post(pathOf(positionals, 'pause'), Done, { for: duration });
  context.stdout.write(values.json ? json(done) : `${done.channel} is paused for ${duration}\n`);
  return EXIT.ok;
}

async function resume(context: CommandContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args, CLIENT_OPTIONS, ONE_NAME);
  const api = await openApi(context, values);
  const done = await api.post(pathOf(positionals, 'resume'), Done);
  context.stdout.write(values.json ? json(done) : `${done.channel} is resumed\n`);
  return EXIT.ok;
}

async function test(context: CommandContext, args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args, CLIENT_OPTIONS, ONE_NAME);
  return testChannel(context, values, positionals.join(''), undefined);
}

function pathOf(positionals: readonly string[], action: string): string {
  return `/api/channels/${encodeURIComponent(positionals.join(''))}/${action}`;
}
