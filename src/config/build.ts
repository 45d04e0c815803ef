import type { EgressSettings, Settings } from '../domain/settings.ts';
import { type CheckRobotUrl, checkChannels } from './channel-checks.ts';
import { crossCheck } from './cross-checks.ts';
import { type Issue, parseConfig } from './issues.ts';
import { Egress } from './schema.ts';
import { toEgress, toSettings } from './to-settings.ts';
import { get } from './tree.ts';

export type Built =
  | { readonly settings: Settings; readonly issues: readonly [] }
  | { readonly settings: undefined; readonly issues: readonly Issue[] };

/** Makes settings of a tree, whether it came from a file or the environment, or finds every mistake in it. */
export function build(tree: unknown, cwd: string, checkRobotUrl: CheckRobotUrl | undefined): Built {
  const parsed = parseConfig(tree);
  const egress = egressOf(tree, cwd);
  const issues = [...parsed.issues, ...crossCheck(tree), ...checkChannels(tree, { egress, checkRobotUrl })];
  if (parsed.config === undefined || issues.length > 0) return { settings: undefined, issues };
  return { settings: toSettings(parsed.config, cwd), issues: [] };
}

function egressOf(tree: unknown, cwd: string): EgressSettings | undefined {
  const parsed = Egress.safeParse(get({ path: [], value: tree }, 'egress').value ?? {});
  return parsed.success ? toEgress(parsed.data, cwd) : undefined;
}
