import { backup } from './backup.ts';
import { channels } from './channels.ts';
import { check } from './check.ts';
import type { Command, CommandContext } from './context.ts';
import { deliveries } from './deliveries.ts';
import { demo } from './demo.ts';
import { doctor } from './doctor.ts';
import { EXIT, exitCodeOf, UsageError } from './exit-codes.ts';
import { preview } from './preview.ts';
import { reload } from './reload.ts';
import { sendTest } from './send-test.ts';
import { serve } from './serve.ts';
import { sign } from './sign.ts';

/** Every command, in the order of the help. */
export const COMMANDS: readonly Command[] = [
  serve,
  demo,
  check,
  preview,
  sendTest,
  sign,
  deliveries,
  channels,
  reload,
  backup,
  doctor,
];

/** Picks the command and runs it; resolves to the exit code and never rejects. */
export async function runCommand(
  context: CommandContext,
  args: readonly string[],
  version: string,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return help(context, name === undefined ? undefined : rest[0], name === undefined);
  }
  if (name === '--version' || name === '-v') {
    context.stdout.write(`${version}\n`);
    return EXIT.ok;
  }
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command === undefined) return unknownCommand(context, name);
  if (asksForHelp(rest)) return help(context, name, false);
  try {
    return await command.run(context, rest);
  } catch (error) {
    explain(context, command, error);
    return exitCodeOf(error);
  }
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  const options = end === -1 ? args : args.slice(0, end);
  return options.includes('--help') || options.includes('-h');
}

function help(context: CommandContext, name: string | undefined, isMissing: boolean): number {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (command !== undefined) {
    context.stdout.write(`${command.help}\n`);
    return EXIT.ok;
  }
  if (name !== undefined) return unknownCommand(context, name);
  (isMissing ? context.stderr : context.stdout).write(overview());
  return isMissing ? EXIT.wrongUsage : EXIT.ok;
}

function overview(): string {
  const lines = COMMANDS.map(({ name, summary }) => `  ${name.padEnd(12)}${summary}\n`).join('');
  return `Usage: alertcard COMMAND [OPTIONS]

Grafana alerts, kept in a durable inbox and delivered as DingTalk and Feishu cards.

${lines}
alertcard COMMAND --help tells more; alertcard --version prints the version.
Exit codes: 0 ok, 1 failed, 2 wrong usage or configuration, 3 the store cannot be trusted.
`;
}

function unknownCommand(context: CommandContext, name: string): number {
  const names = COMMANDS.map((command) => command.name).join(', ');
  context.stderr.write(`alertcard: there is no command ${name}; there is ${names}\n`);
  return EXIT.wrongUsage;
}

function explain(context: CommandContext, command: Command, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  context.stderr.write(`alertcard ${command.name}: ${message}\n`);
  if (error instanceof UsageError) context.stderr.write(`\n${command.help.split('\n\n', 1)[0] ?? ''}\n`);
}
