import { checkRobotUrl } from '../../src/channels/egress.ts';
import type { LoadedConfig } from '../../src/config/load.ts';
import { type Given, load } from '../config/support.ts';

/** Loads a configuration file as `alertcard check` does, every variable it names set to something. */
export function loadFile(yaml: string): LoadedConfig {
  const names = [...yaml.matchAll(/\$\{(?<name>[A-Z_]+)\}/g)].map(({ groups }) => groups?.name ?? '');
  return check({ yaml, env: Object.fromEntries(names.map((name) => [name, 'example'])) });
}

/** Loads what these variables alone configure. */
export function loadVariables(env: Readonly<Record<string, string>>): LoadedConfig {
  return check({ env });
}

function check(given: Given): LoadedConfig {
  return load({
    ...given,
    checkRobotUrl: (url, egress) => {
      const result = checkRobotUrl(url, egress);
      return result.ok ? undefined : result.problem;
    },
  });
}
