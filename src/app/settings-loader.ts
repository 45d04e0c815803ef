import { checkRobotUrl } from '../channels/egress.ts';
import type { LoadSettings } from '../commands/context.ts';
import { nodeFiles } from '../config/files.ts';
import { loadConfig } from '../config/load.ts';
import type { Env } from '../config/variables.ts';

/** Reads settings for the command line: where they are missing, only `serve` and `check` have to refuse. */
export function settingsLoader(env: Env, cwd: string): LoadSettings {
  return async ({ file, purpose }) => {
    const { settings, warnings, origin } = loadConfig({
      path: file,
      env,
      placeholders: purpose !== 'serve',
      cwd,
      files: nodeFiles,
      checkRobotUrl: (url, egress) => {
        const check = checkRobotUrl(url, egress);
        return check.ok ? undefined : check.problem;
      },
    });
    return { settings, warnings, file: origin === 'environment' ? undefined : origin };
  };
}
