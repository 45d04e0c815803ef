import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadTemplates, type Templates } from '../../src/render/templates.ts';

const BUILT_IN = join(import.meta.dirname, '../../templates');

/** The templates that come with the program. */
export function builtInTemplates(): Templates {
  return loadTemplates({ builtIn: BUILT_IN, own: undefined });
}

/** Those, shadowed by files of a team's own: path below the folder to text. */
export function withOwn(files: Readonly<Record<string, string>>, builtIn: string = BUILT_IN): Templates {
  return loadTemplates({ builtIn, own: templateFolder(files) });
}

export function templateFolder(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'alertcard-templates-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}
