import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UsageError } from './exit-codes.ts';

export const CONFIG_OPTIONS = { config: { type: 'string', short: 'c' } } as const;
export const JSON_OPTIONS = { json: { type: 'boolean', default: false } } as const;
/** Of every command that talks to a running server. */
export const CLIENT_OPTIONS = {
  ...CONFIG_OPTIONS,
  ...JSON_OPTIONS,
  server: { type: 'string' },
  token: { type: 'string' },
} as const;

export const CONFIG_HELP =
  '  -c, --config FILE   configuration (else $ALERTCARD_CONFIG, ./alertcard.yaml, the environment)';
export const JSON_HELP = '      --json          output for programs';
export const CLIENT_HELP = `      --server URL    the running server (default: from the configuration)
      --token TOKEN   admin token (default: from the configuration or <data>/admin-token)
${CONFIG_HELP}
${JSON_HELP}`;

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parses strictly: what the command does not know is a usage error, as is a wrong number of operands. */
export function parse<const T extends Options>(
  args: readonly string[],
  options: T,
  operands: { readonly min: number; readonly max: number } = { min: 0, max: 0 },
) {
  const parsed = parseOrExplain(args, options);
  const given = parsed.positionals.length;
  if (given < operands.min) throw new UsageError('an operand is missing');
  if (given > operands.max) {
    throw new UsageError(`unexpected operand: ${parsed.positionals.at(operands.max) ?? ''}`);
  }
  return parsed;
}

function parseOrExplain<const T extends Options>(args: readonly string[], options: T) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    // Node's message names the option in its first sentence; the hints after it know nothing of our commands.
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message.split(/\.\s/, 1).join(''), { cause: error });
  }
}

/** The value of an option the command cannot do without. */
export function need(value: string | undefined, option: string): string {
  if (value === undefined || value === '') throw new UsageError(`--${option} is missing`);
  return value;
}
