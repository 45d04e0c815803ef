import { ConfigError, formatProblems } from '../config/problems.ts';
import type { Settings } from '../domain/settings.ts';
import { buildLive, type Live } from './live.ts';

/** What a reload found: a whole new state, or why nothing changes. */
export type Reloaded =
  | { readonly kind: 'ready'; readonly live: Live; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly problems: readonly string[] };

/** Reads configuration, secret files and templates anew and checks all of it; swaps nothing itself. */
export async function readAnew(
  loadAgain: () => Promise<{ readonly settings: Settings; readonly warnings: readonly string[] }>,
  current: Live,
): Promise<Reloaded> {
  try {
    const { settings, warnings } = await loadAgain();
    const live = buildLive(settings);
    const problems = live.templates.broken.map(({ template, message }) => `${template}: ${message}`);
    if (problems.length > 0) return { kind: 'refused', problems };
    return { kind: 'ready', live, warnings: [...warnings, ...needRestart(current.settings, settings)] };
  } catch (error) {
    return { kind: 'refused', problems: problemsOf(error) };
  }
}

/** What went wrong, a line each. */
export function problemsOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return formatProblems(error.problems).split('\n');
  return [error instanceof Error ? error.message : String(error)];
}

/** Some keys hold for the life of the process. */
function needRestart(before: Settings, after: Settings): readonly string[] {
  const changed = [
    before.server.host === after.server.host && before.server.port === after.server.port
      ? ''
      : 'server.listen',
    before.store.path === after.store.path ? '' : 'store.url',
    before.server.bodyLimitBytes === after.server.bodyLimitBytes ? '' : 'server.body_limit',
    before.store.retention.maxSizeBytes === after.store.retention.maxSizeBytes
      ? ''
      : 'store.retention.max_size',
  ];
  return changed.filter((key) => key !== '').map((key) => `${key} has changed: it takes effect at a restart`);
}
