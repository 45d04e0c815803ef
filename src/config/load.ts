import { resolve } from 'node:path';
import type { Settings } from '../domain/settings.ts';
import { type Built, build } from './build.ts';
import type { CheckRobotUrl } from './channel-checks.ts';
import { parseText } from './document.ts';
import {
  readEnvironment,
  unknownVariableWarnings,
  variablesBesideFile,
  withPlaceholders,
} from './environment.ts';
import { type ConfigFiles, SecretFiles } from './files.ts';
import { type Interpolated, interpolate } from './interpolate.ts';
import type { Issue } from './issues.ts';
import { withPlaceKeys } from './place-keys.ts';
import { ConfigError, formatPath, type Location, type Problem } from './problems.ts';
import { type Env, Variables } from './variables.ts';
import { settingsWarnings } from './warnings.ts';

const DEFAULT_FILE = 'alertcard.yaml';
const CA_FILE = ['egress', 'ca_file'] as const;

export interface LoadRequest {
  /** From `--config`; undefined: `$ALERTCARD_CONFIG`, else `./alertcard.yaml` where it exists, else the environment alone. */
  readonly path: string | undefined;
  readonly env: Env;
  readonly cwd: string;
  readonly files: ConfigFiles;
  readonly checkRobotUrl?: CheckRobotUrl;
  /** Where the environment alone decides: stand in for a channel and an auth that nobody set. Default false. */
  readonly placeholders?: boolean;
}

export interface LoadedConfig {
  readonly settings: Settings;
  readonly warnings: readonly string[];
  /** Absolute paths of every file that was read: a change of one asks for a reload. */
  readonly watchedFiles: readonly string[];
  /** Absolute path of the configuration file, or `environment`. */
  readonly origin: string;
}

/** Reads, checks and resolves the configuration; throws a `ConfigError` that lists every problem. */
export function loadConfig(request: LoadRequest): LoadedConfig {
  const path = chosenFile(request);
  return path === undefined ? loadEnvironment(request) : loadFile(path, request);
}

function chosenFile({ path, env, cwd, files }: LoadRequest): string | undefined {
  const asked = path ?? (env.ALERTCARD_CONFIG === '' ? undefined : env.ALERTCARD_CONFIG);
  if (asked !== undefined) return resolve(cwd, asked);
  const usual = resolve(cwd, DEFAULT_FILE);
  return files.exists(usual) ? usual : undefined;
}

function loadEnvironment(request: LoadRequest): LoadedConfig {
  const { cwd, files, checkRobotUrl } = request;
  const env = request.placeholders === true ? withPlaceholders(request.env) : request.env;
  const secretFiles = new SecretFiles(files, cwd);
  const { tree, problems, locate } = readEnvironment(env, (path) => secretFiles.text(path));
  const warnings = unknownVariableWarnings(env, new Set());
  if (problems.length > 0) throw new ConfigError(problems);
  const built = build(tree, cwd, checkRobotUrl);
  if (built.settings === undefined)
    throw new ConfigError(
      built.issues.map((issue) => ({ ...locate(issue), path: '', message: issue.message })),
    );
  return loaded(built.settings, [...warnings, ...secretFiles.warnings], secretFiles.read, 'environment');
}

function loadFile(path: string, request: LoadRequest): LoadedConfig {
  const { env, cwd, files, checkRobotUrl } = request;
  const parsed = parseText(readOrRefuse(path, files), path);
  if (parsed.problems.length > 0) throw new ConfigError(parsed.problems);
  const secretFiles = new SecretFiles(files, cwd);
  const filled = interpolate(parsed.value ?? {}, {
    env,
    readSecretFile: (file) => secretFiles.text(file),
  });
  const variables = new Variables(env, (name) => secretFiles.text(name));
  const placed = withPlaceKeys(filled.value, variables);
  const built = build(placed.tree ?? filled.value, cwd, checkRobotUrl);
  const beside = variablesBesideFile(env, filled.variables);
  const problems = [
    ...besideProblems(beside.channels, path),
    ...variables.problems,
    ...fileProblems(filled, built, ({ path: at, part }) => {
      const variable = placed.filled.get(formatPath(at));
      return variable === undefined ? parsed.locate(at, part) : { origin: variable };
    }),
    ...missingCaFile(built.settings, files).map((problem) => ({ ...parsed.locate(CA_FILE), ...problem })),
  ];
  if (problems.length > 0 || built.settings === undefined) throw new ConfigError(problems);
  const warnings = [
    ...unknownVariableWarnings(env, filled.variables),
    ...beside.auths.map((name) => `${name} has no effect: the configuration file decides`),
    ...secretFiles.warnings,
    ...missingFolder(built.settings, files),
  ];
  return loaded(built.settings, warnings, [path, ...secretFiles.read], path);
}

function readOrRefuse(path: string, files: ConfigFiles): string {
  try {
    return files.read(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new ConfigError([{ origin: path, path: '', message: `the file cannot be read${code}` }]);
  }
}

function besideProblems(names: readonly string[], file: string): Problem[] {
  const message = `describes a channel beside the file ${file}: remove one of them`;
  return names.map((name) => ({ origin: name, path: '', message }));
}

/** A leaf that could not be filled is reported as that and nothing else. */
function fileProblems(filled: Interpolated, built: Built, locate: (issue: Issue) => Location): Problem[] {
  const unfilled = new Set(filled.problems.map(({ path }) => formatPath(path)));
  const issues = [...filled.problems, ...built.issues.filter(({ path }) => !unfilled.has(formatPath(path)))];
  return issues
    .map((issue) => ({
      ...locate(issue),
      path: formatPath(issue.path),
      message: withoutValues(issue.message, filled.replacements),
    }))
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
}

/** Whatever came from the environment or a file may be a secret: messages show where it came from. */
function withoutValues(message: string, replacements: Interpolated['replacements']): string {
  return replacements.reduce(
    (text, { value, reference }) => text.replaceAll(value, () => reference),
    message,
  );
}

function missingCaFile(settings: Settings | undefined, files: ConfigFiles) {
  const path = settings?.egress.caFile ?? '';
  if (path === '' || files.exists(path)) return [];
  return [{ path: formatPath(CA_FILE), message: `there is no file ${path}` }];
}

function missingFolder({ templatesDir }: Settings, files: ConfigFiles): string[] {
  if (templatesDir === undefined || files.exists(templatesDir)) return [];
  return [`templates_dir: there is no folder ${templatesDir}; the built-in templates are used`];
}

function loaded(
  settings: Settings,
  warnings: readonly string[],
  read: readonly string[],
  origin: string,
): LoadedConfig {
  const caFile = settings.egress.caFile === '' ? [] : [settings.egress.caFile];
  return {
    settings,
    warnings: [...new Set([...warnings, ...settingsWarnings(settings)])],
    watchedFiles: [...new Set([...read, ...caFile])],
    origin,
  };
}
