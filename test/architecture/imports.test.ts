import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../../src');

/** The table of docs/architecture.md: what each folder may import besides itself. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  domain: [],
  config: ['domain', 'route/matcher.ts', 'channels/*/config.ts'],
  receive: ['domain'],
  route: ['domain'],
  store: ['domain'],
  render: ['domain'],
  channels: ['domain'],
  deliver: ['domain'],
  observe: ['domain'],
  web: ['domain'],
  sandbox: ['domain'],
  commands: ['app.ts', 'config', 'domain'],
  app: ['*'],
  'app.ts': ['*'],
  'cli.ts': ['app.ts', 'app', 'config', 'observe', 'commands'],
};

/** Packages that only one folder may know. */
const ONLY_IN: Readonly<Record<string, readonly string[]>> = {
  'better-sqlite3': ['store'],
  undici: ['channels', 'commands'],
  handlebars: ['render'],
  fastify: ['web', 'receive'],
  'prom-client': ['observe'],
};

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(join(SRC, file), 'utf8') }));

function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');
}

function folderOf(file: string): string {
  return file.split('/')[0] ?? file;
}

function permits(pattern: string, target: string): boolean {
  if (pattern === '*') return true;
  const expression = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '[^/]+')}(/|$)`);
  return expression.test(target);
}

describe('the layout of src', () => {
  it('has no folder that the table does not name', () => {
    const folders = new Set(files.map(({ file }) => folderOf(file)));

    expect([...folders].filter((folder) => !(folder in ALLOWED))).toEqual([]);
  });

  it('imports only in the directions the table allows', () => {
    const wrong: string[] = [];
    for (const { file, text } of files) {
      const from = folderOf(file);
      for (const specifier of importsOf(text).filter((name) => name.startsWith('.'))) {
        const target = relative(SRC, resolve(SRC, dirname(file), specifier)).replaceAll('\\', '/');
        if (folderOf(target) === from) continue;
        if (!(ALLOWED[from] ?? []).some((pattern) => permits(pattern, target)))
          wrong.push(`${file} -> ${target}`);
      }
    }

    expect(wrong).toEqual([]);
  });

  it('keeps each package to the folder it is for', () => {
    const wrong = files.flatMap(({ file, text }) =>
      importsOf(text)
        .filter((name) => name in ONLY_IN && !(ONLY_IN[name] ?? []).includes(folderOf(file)))
        .filter(() => file !== 'app.ts' && folderOf(file) !== 'app')
        .map((name) => `${file} imports ${name}`),
    );

    expect(wrong).toEqual([]);
  });

  it('keeps clocks, randomness and the environment out of the pure modules', () => {
    const wrong: string[] = [];
    for (const { file, text } of files) {
      const folder = folderOf(file);
      const isPure = ['domain', 'route', 'render'].includes(folder);
      if (isPure && /\b(Date\.now|Math\.random|setTimeout|setInterval|performance\.now)\b/.test(text))
        wrong.push(`${file}: time or randomness`);
      if (folder !== 'config' && file !== 'cli.ts' && /process\.env/.test(text))
        wrong.push(`${file}: process.env`);
      if (file !== 'cli.ts' && /process\.exit\b(?!Code)/.test(text)) wrong.push(`${file}: process.exit`);
    }

    expect(wrong).toEqual([]);
  });

  it('keeps files under 250 lines', () => {
    const long = files
      .map(({ file, text }) => ({ file, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > 250);

    expect(long).toEqual([]);
  });
});
