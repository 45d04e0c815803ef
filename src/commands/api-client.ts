import { dirname, join } from 'node:path';
import { z } from 'zod';
import { AlertcardError, ERROR_CODES, type ErrorCode } from '../domain/errors.ts';
import type { ServerSettings, Settings } from '../domain/settings.ts';
import type { CommandContext } from './context.ts';

/** A test waits for the robot's answer: longer than the 15 s that one attempt may take. */
const TIMEOUT_MS = 30_000;

const ProblemAnswer = z.object({
  code: z.string(),
  detail: z.string(),
  problems: z.array(z.string()).optional(),
});

/** Talks to the API of a running server. */
export interface ApiClient {
  get<S extends z.ZodType>(path: string, schema: S): Promise<z.output<S>>;
  post<S extends z.ZodType>(path: string, schema: S, body?: object): Promise<z.output<S>>;
}

export interface ClientOptions {
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  readonly config?: string | undefined;
}

/** Finds server and token: as given, else in the configuration, which is read only when it is needed. */
export async function openApi(context: CommandContext, options: ClientOptions): Promise<ApiClient> {
  const settings =
    options.server !== undefined && options.token !== undefined
      ? undefined
      : (await context.loadSettings({ file: options.config, purpose: 'read' })).settings;
  const server = options.server ?? (settings === undefined ? '' : serverUrl(settings.server));
  const token = options.token ?? (settings === undefined ? '' : await findToken(context, settings));
  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> =>
    callApi(context, { method, url: `${server.replace(/\/+$/, '')}${path}`, token, body });
  return {
    get: async (path, schema) => schema.parse(await call('GET', path)),
    post: async (path, schema, body) => schema.parse(await call('POST', path, body)),
  };
}

/** The address a client on the same machine reaches the listener at. */
export function serverUrl({ host, port }: Pick<ServerSettings, 'host' | 'port'>): string {
  if (host === '' || host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return host.includes(':') ? `http://[${host}]:${port}` : `http://${host}:${port}`;
}

async function findToken(context: CommandContext, settings: Settings): Promise<string> {
  if (settings.server.adminToken !== undefined) return settings.server.adminToken.reveal();
  const file = join(dirname(settings.store.path), 'admin-token');
  try {
    return Buffer.from(await context.readFile(file))
      .toString('utf8')
      .trim();
  } catch (error) {
    throw new AlertcardError(
      'admin_token_wrong',
      `There is no admin token in ${file}: start the server once, give --token, or set server.admin_token.`,
      { cause: error },
    );
  }
}

async function callApi(
  context: CommandContext,
  call: { method: 'GET' | 'POST'; url: string; token: string; body: object | undefined },
): Promise<unknown> {
  const answer = await context
    .http({
      method: call.method,
      url: call.url,
      headers: {
        authorization: `Bearer ${call.token}`,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      timeoutMs: TIMEOUT_MS,
    })
    .catch((error: unknown) => {
      throw new AlertcardError(
        'server_unreachable',
        `No server answers at ${new URL(call.url).origin}: start one with alertcard serve, or set --server.`,
        { cause: error },
      );
    });
  const value = readJson(answer.body);
  if (answer.status >= 200 && answer.status < 300 && value !== undefined) return value;
  throw refusal(answer.status, value);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, value: unknown): AlertcardError {
  const { success, data } = ProblemAnswer.safeParse(value);
  if (!success) {
    return new AlertcardError(
      'server_unreachable',
      `The answer (HTTP ${status}) is not Alertcard's: check --server.`,
    );
  }
  const words = [data.detail, ...(data.problems ?? []).map((problem) => `  ${problem}`)].join('\n');
  return new AlertcardError(isKnownCode(data.code) ? data.code : 'internal_error', words);
}

function isKnownCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERROR_CODES, code);
}
