import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const ROOT = resolve(import.meta.dirname, '../..');
const ENGLISH = 'README.md';
const CHINESE = 'README.zh-CN.md';
const PAGES = [
  ENGLISH,
  CHINESE,
  'docs/architecture.md',
  'docs/changelog.md',
  ...readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
];
/** Made from the code by scripts/docs.ts; `docs:check` looks after it. */
const GENERATED = ['docs/templates.md'];

function textOf(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** The fenced blocks of a page with their language. */
function blocksOf(page: string): { language: string; text: string }[] {
  return [...textOf(page).matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

function linksOf(page: string): string[] {
  return [...textOf(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, target = '']) =>
    join(dirname(page), target),
  );
}

describe('the README', () => {
  it('begins with two commands: the demo and the tests', () => {
    const commands = blocksOf(ENGLISH)
      .slice(0, 2)
      .map(({ text }) => text);

    expect(commands).toEqual(['npm ci && npm run demo\n', 'npm ci && npm test\n']);
  });

  it('shows the same commands and files in both languages', () => {
    const [english, chinese] = [blocksOf(ENGLISH), blocksOf(CHINESE)];

    expect(english.length).toBeGreaterThan(4);
    expect(chinese).toEqual(english);
  });

  it('has the same sections and tables in both languages', () => {
    const shapeOf = (page: string) => (textOf(page).match(/^(#+ |\|)/gm) ?? []).join('');

    expect(shapeOf(CHINESE)).toBe(shapeOf(ENGLISH));
  });

  it('names every variable, path, metric and header in both languages', () => {
    const namesOf = (page: string) => {
      const prose = textOf(page).replaceAll(/^```.*?^```$/gms, '');
      const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
      return [...new Set(spans)].filter((span) => /[_/.-]/.test(span) && !span.includes('<'));
    };

    expect(namesOf(CHINESE).sort()).toEqual(namesOf(ENGLISH).sort());
  });

  it('shows configuration that is YAML', () => {
    const examples = blocksOf(ENGLISH)
      .filter(({ language }) => language === 'yaml')
      .map(({ text }) => parse(text));

    expect(examples).toEqual([expect.objectContaining({ sources: expect.anything() })]);
  });
});

describe('the pages', () => {
  it('link only to files that are there', () => {
    const dead = PAGES.flatMap((page) =>
      linksOf(page)
        .filter((target) => !GENERATED.includes(target) && !existsSync(join(ROOT, target)))
        .map((target) => `${page} -> ${target}`),
    );

    expect(dead).toEqual([]);
  });

  it('hold decisions in one form, numbered without a gap', () => {
    const decisions = PAGES.filter((page) => page.startsWith('docs/decisions/')).sort();
    const shapes = decisions.map((page) => (textOf(page).match(/^## .+|^Status: |^We will/gm) ?? []).join());
    const numbers = decisions.map((page) => Number.parseInt(page.slice('docs/decisions/'.length), 10));

    expect(numbers).toEqual(decisions.map((_, index) => index + 1));
    expect(new Set(shapes)).toEqual(new Set(['Status: ,## Context,## Decision,We will,## Consequences']));
  });

  it('leave .ci/run executable', () => {
    const { mode } = statSync(join(ROOT, '.ci/run'));

    expect(mode & 0o111).toBe(0o111);
  });
});
