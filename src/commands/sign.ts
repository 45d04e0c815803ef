import { grafanaSignature } from '../domain/grafana-signature.ts';
import { parse } from './arguments.ts';
import type { Command, CommandContext } from './context.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { json } from './table.ts';

export const sign: Command = {
  name: 'sign',
  summary: 'print the headers Grafana would send with a body',
  help: `Usage: alertcard sign (--secret SECRET | --secret-file FILE) [--timestamp[=SECONDS]] [--curl URL] FILE

Signs the bytes of FILE as Grafana's contact point does.

      --secret SECRET       the HMAC secret
      --secret-file FILE    read it from a file, one trailing newline dropped
      --timestamp[=SECONDS] sign a timestamp too: the current one, or Unix seconds
      --header NAME         signature header (default X-Grafana-Alerting-Signature)
      --timestamp-header NAME   (default X-Grafana-Alerting-Timestamp)
      --curl URL            print a curl command that posts FILE to URL
      --json                headers as JSON`,
  run: async (context, args) => {
    const { values, positionals } = parse(
      withTimestampValue(args),
      {
        secret: { type: 'string' },
        'secret-file': { type: 'string' },
        timestamp: { type: 'string' },
        header: { type: 'string', default: 'X-Grafana-Alerting-Signature' },
        'timestamp-header': { type: 'string', default: 'X-Grafana-Alerting-Timestamp' },
        curl: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
      { min: 1, max: 1 },
    );
    const file = positionals.join('');
    const secret = await readSecret(context, values.secret, values['secret-file']);
    const timestamp = toTimestamp(values.timestamp, context.now());
    const headers = {
      [values.header]: grafanaSignature(secret, await context.readFile(file), timestamp),
      ...(timestamp === undefined ? {} : { [values['timestamp-header']]: timestamp }),
    };
    if (values.json) context.stdout.write(json(headers));
    else if (values.curl === undefined) context.stdout.write(headerLines(headers));
    else context.stdout.write(curlCommand(values.curl, headers, file));
    return EXIT.ok;
  },
};

/** `--timestamp` may stand alone, which `parseArgs` does not know: then it means now. */
function withTimestampValue(args: readonly string[]): string[] {
  return args.map((arg, index) => {
    const isAlone = arg === '--timestamp' && !/^\d+$/.test(args[index + 1] ?? '');
    return isAlone ? '--timestamp=now' : arg;
  });
}

function toTimestamp(value: string | undefined, nowMs: number): string | undefined {
  if (value === undefined) return undefined;
  if (value === 'now') return String(Math.floor(nowMs / 1000));
  if (!/^\d+$/.test(value)) throw new UsageError('--timestamp takes Unix seconds');
  return value;
}

async function readSecret(
  context: CommandContext,
  secret: string | undefined,
  file: string | undefined,
): Promise<string> {
  if ((secret === undefined) === (file === undefined)) {
    throw new UsageError('give one of --secret and --secret-file');
  }
  const text =
    file === undefined
      ? (secret ?? '')
      : Buffer.from(await context.readFile(file))
          .toString('utf8')
          .replace(/\r?\n$/, '');
  if (text === '') throw new UsageError('the secret is empty');
  return text;
}

function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

function curlCommand(url: string, headers: Readonly<Record<string, string>>, file: string): string {
  const words = ['curl', '-sS', '-X', 'POST', url];
  for (const [name, value] of Object.entries(headers)) words.push('-H', `${name}: ${value}`);
  words.push('-H', 'Content-Type: application/json', '--data-binary', `@${file}`);
  return `${words.map(quote).join(' ')}\n`;
}

/** As a POSIX shell reads it. */
function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
