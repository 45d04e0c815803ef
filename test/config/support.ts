import { parse, stringify } from 'yaml';
import type { CheckRobotUrl } from '../../src/config/channel-checks.ts';
import type { ConfigFiles } from '../../src/config/files.ts';
import { type LoadedConfig, loadConfig } from '../../src/config/load.ts';
import { ConfigError, formatProblems } from '../../src/config/problems.ts';
import type { Env } from '../../src/config/variables.ts';

export const DINGTALK_URL = 'https://oapi.dingtalk.com/robot/send?access_token=0123456789abcdef';
export const FEISHU_URL = 'https://open.feishu.cn/open-apis/bot/v2/hook/0123-4567-89ab';

/** The least that is a configuration. */
export const MINIMAL = `sources:
  grafana:
    auth: { hmac: { secrets: [a-secret] } }
    channels: [ops]
channels:
  ops:
    provider: dingtalk
    robots: [{ url: "${DINGTALK_URL}" }]
`;

export interface Given {
  readonly yaml?: string;
  readonly env?: Env;
  readonly files?: Readonly<Record<string, string>>;
  readonly worldReadable?: readonly string[];
  readonly path?: string;
  readonly checkRobotUrl?: CheckRobotUrl;
}

/** Files by absolute path, standing in for a disk. */
function someFiles(files: Readonly<Record<string, string>>, worldReadable: readonly string[]): ConfigFiles {
  return {
    read: (path) => {
      const text = files[path];
      if (text === undefined) throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
      return text;
    },
    exists: (path) => path in files,
    isWorldReadable: (path) => worldReadable.includes(path),
  };
}

export function load(given: Given): LoadedConfig {
  const yaml = given.yaml === undefined ? {} : { '/etc/alertcard.yaml': given.yaml };
  const path = given.path ?? (given.yaml === undefined ? undefined : '/etc/alertcard.yaml');
  return loadConfig({
    path,
    env: given.env ?? {},
    cwd: '/srv',
    files: someFiles({ ...yaml, ...given.files }, given.worldReadable ?? []),
    ...(given.checkRobotUrl === undefined ? {} : { checkRobotUrl: given.checkRobotUrl }),
  });
}

/** The report of a configuration that must be refused, without the file's folder. */
export function reportOf(given: Given): string {
  try {
    load(given);
  } catch (error) {
    if (error instanceof ConfigError) return formatProblems(error.problems).replaceAll('/etc/', '');
    throw error;
  }
  throw new Error('the configuration was accepted');
}

/** `MINIMAL` with values set at dotted paths. */
export function minimalWith(changes: Readonly<Record<string, unknown>>): string {
  const tree: unknown = parse(MINIMAL);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    let node = tree as Record<string, unknown>;
    for (const key of keys) {
      node[key] ??= {};
      node = node[key] as Record<string, unknown>;
    }
    node[last] = value;
  }
  return stringify(tree);
}
