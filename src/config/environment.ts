import type { Issue } from './issues.ts';
import { PLACE_VARIABLES, withPlaceKeys } from './place-keys.ts';
import { closest, formatPath, type Location, type Problem } from './problems.ts';
import { compact, type Env, present, Variables } from './variables.ts';

const PREFIX = 'ALERTCARD_';
const CONFIG_VARIABLE = 'ALERTCARD_CONFIG';
const CHANNEL_VARIABLES = ['DINGTALK', 'FEISHU'].flatMap((provider) =>
  ['URL', 'SECRET', 'KEYWORD'].map((key) => `${PREFIX}${provider}_${key}`),
);
const AUTH_VARIABLES = ['HMAC_SECRET', 'BEARER_TOKEN', 'BASIC', 'AUTH'].map((key) => PREFIX + key);
const VALUE_VARIABLES = [...CHANNEL_VARIABLES, ...AUTH_VARIABLES, ...Object.values(PLACE_VARIABLES)];
/** Kubernetes sets these in every pod beside a service of the name `alertcard`. */
const INJECTED = /^ALERTCARD_(PORT|SERVICE_)/;

/** The configuration that the environment alone describes, as a tree like a file's. */
export interface EnvironmentTree {
  readonly tree: unknown;
  readonly problems: readonly Problem[];
  readonly locate: (issue: Issue) => Location;
}

/**
 * The environment with stand-ins for what nobody set: for the sandbox, whose robots replace them, and for
 * commands that only want to know where the store and the server are. Nothing is ever sent there.
 */
export function withPlaceholders(env: Env): Env {
  const isSet = (name: string): boolean =>
    present(env[name]) !== undefined || present(env[`${name}_FILE`]) !== undefined;
  const channels = { ALERTCARD_DINGTALK_URL: PLACEHOLDER_DINGTALK, ALERTCARD_FEISHU_URL: PLACEHOLDER_FEISHU };
  return {
    ...env,
    ...(Object.keys(channels).some(isSet) ? {} : channels),
    ...(AUTH_VARIABLES.some(isSet) ? {} : { ALERTCARD_AUTH: 'none' }),
  };
}

const PLACEHOLDER_DINGTALK = 'https://oapi.dingtalk.com/robot/send?access_token=not-set';
const PLACEHOLDER_FEISHU = 'https://open.feishu.cn/open-apis/bot/v2/hook/not-set';

/** Describes source `grafana` and channels `dingtalk` and `feishu`, each the other's fallback. */
export function readEnvironment(env: Env, readFile: (path: string) => string): EnvironmentTree {
  const variables = new Variables(env, readFile);
  const names = ['dingtalk', 'feishu'].filter((provider) => hasChannel(variables, provider));
  if (names.length === 0)
    variables.refuse(
      'environment',
      'no channel is configured: set ALERTCARD_DINGTALK_URL or ALERTCARD_FEISHU_URL, or write alertcard.yaml; `alertcard demo` shows a sandbox',
    );
  const { tree: placed } = withPlaceKeys({}, variables);
  const tree = {
    ...placed,
    sources: { grafana: { auth: readAuth(variables), channels: names } },
    channels: Object.fromEntries(names.map((name) => [name, readChannel(variables, name, names)])),
  };
  return {
    tree,
    problems: variables.problems,
    locate: ({ path }) => ({ origin: variableOf(formatPath(path)) }),
  };
}

function hasChannel(variables: Variables, provider: string): boolean {
  const prefix = `${PREFIX}${provider.toUpperCase()}`;
  if (variables.isSet(`${prefix}_URL`)) return true;
  for (const variable of [`${prefix}_SECRET`, `${prefix}_KEYWORD`]) {
    if (variables.isSet(variable)) variables.refuse(variable, `needs ${prefix}_URL as well`);
  }
  return false;
}

function readChannel(variables: Variables, name: string, names: readonly string[]) {
  const prefix = `${PREFIX}${name.toUpperCase()}`;
  const url = variables.get(`${prefix}_URL`);
  const secret = variables.get(`${prefix}_SECRET`);
  return compact({
    provider: name,
    robots: [compact({ url, secret })],
    keyword: variables.get(`${prefix}_KEYWORD`),
    fallback: names.find((other) => other !== name),
  });
}

function readAuth(variables: Variables) {
  const set = AUTH_VARIABLES.filter((variable) => variables.isSet(variable));
  if (set.length !== 1) {
    const found = set.length === 0 ? 'none is' : `${set.join(' and ')} are`;
    variables.refuse('environment', `set exactly one of ${AUTH_VARIABLES.join(', ')} (${found} set)`);
    return { none: true };
  }
  const [variable = ''] = set;
  const value = variables.get(variable) ?? '';
  if (variable === 'ALERTCARD_HMAC_SECRET') return { hmac: { secrets: [value] } };
  if (variable === 'ALERTCARD_BEARER_TOKEN') return { bearer: { secrets: [value] } };
  if (variable === 'ALERTCARD_BASIC') return { basic: { secrets: [value] } };
  if (value !== 'none') variables.refuse(variable, 'must be none, or set one of the other three instead');
  return { none: true };
}

/** The variable that a path of the tree came from. */
function variableOf(path: string): string {
  const channel = /^channels\.(\w+)\.(?:robots\[0\]\.)?(\w+)/.exec(path);
  if (channel !== null) return `${PREFIX}${channel[1]}_${channel[2]}`.toUpperCase();
  const byPath: Readonly<Record<string, string>> = {
    ...PLACE_VARIABLES,
    'sources.grafana.auth.hmac.secrets[0]': 'ALERTCARD_HMAC_SECRET',
    'sources.grafana.auth.bearer.secrets[0]': 'ALERTCARD_BEARER_TOKEN',
    'sources.grafana.auth.basic.secrets[0]': 'ALERTCARD_BASIC',
  };
  return byPath[path] ?? 'environment';
}

/** Variables that look like ours and that nothing reads. `referenced` are those the file asks for by name. */
export function unknownVariableWarnings(env: Env, referenced: ReadonlySet<string>): string[] {
  const known = [CONFIG_VARIABLE, ...VALUE_VARIABLES, ...VALUE_VARIABLES.map((name) => `${name}_FILE`)];
  return Object.keys(env)
    .filter((name) => name.startsWith(PREFIX) && !INJECTED.test(name))
    .filter((name) => !known.includes(name) && !referenced.has(name))
    .map((name) => {
      const suggestion = closest(name, known);
      const hint = suggestion === undefined ? '' : `: did you mean ${suggestion}?`;
      return `the environment variable ${name} is not known${hint}`;
    });
}

/** What only zero configuration reads, set although a file is used, apart from what the file asks for. */
export function variablesBesideFile(env: Env, referenced: ReadonlySet<string>) {
  const isUnused = (name: string): boolean => present(env[name]) !== undefined && !referenced.has(name);
  const withFiles = (names: readonly string[]) =>
    names.flatMap((name) => [name, `${name}_FILE`]).filter(isUnused);
  return {
    channels: withFiles(CHANNEL_VARIABLES),
    auths: withFiles(AUTH_VARIABLES),
  };
}
