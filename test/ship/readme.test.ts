import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/main.ts';
import { loadFile, loadVariables } from './load.ts';

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
/** The least that configures a channel. */
const ENOUGH = {
  ALERTCARD_AUTH: 'none',
  ALERTCARD_DINGTALK_URL: 'https://oapi.dingtalk.com/robot/send?access_token=example',
};
/** Made from the code by scripts/docs.mjs; `docs:check` looks after it. */
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

/** What `export A=x B=y` lines set, comments left out. */
function variablesOf(script: string): Record<string, string> {
  const words = script
    .split('\n')
    .filter((line) => line.startsWith('export '))
    .flatMap((line) => line.replace(/ #.*/, '').split(' ').slice(1));
  return Object.fromEntries(words.filter((word) => word !== '').map((word) => word.split('=')));
}

/** The words after `alertcard` or `node dist/cli.js`, wherever the page calls the program. */
function callsOf(page: string): string[][] {
  const calls = textOf(page).matchAll(/(?:node dist\/cli\.js|(?<=`)alertcard) (?<words>[a-z][^`\n)]*)/g);
  return [...calls].map(({ groups }) => (groups?.words ?? '').trim().split(' '));
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

  it('shows configuration that loads, with nothing to warn about', () => {
    const loaded = blocksOf(ENGLISH)
      .filter(({ language }) => language === 'yaml')
      .map(({ text }) => loadFile(text));

    expect(loaded.map(({ warnings }) => warnings)).toEqual([[]]);
    expect(loaded.map(({ settings }) => [...settings.channels.keys()])).toEqual([['ops', 'ops-feishu']]);
  });

  it('shows variables that configure a source and two channels', () => {
    const block = blocksOf(ENGLISH).find(({ text }) => text.includes('export ALERTCARD_DINGTALK_URL='));
    const env = variablesOf(block?.text ?? '');

    const { settings, warnings } = loadVariables({
      ...env,
      ALERTCARD_DINGTALK_URL: 'https://oapi.dingtalk.com/robot/send?access_token=example',
      ALERTCARD_FEISHU_URL: 'https://open.feishu.cn/open-apis/bot/v2/hook/example',
    });

    expect(warnings).toEqual([]);
    expect([...settings.channels.keys()]).toEqual(['dingtalk', 'feishu']);
    expect(settings.server.port).toBe(9095);
  });

  it('names no variable of ours that the program does not know', () => {
    const names = [...new Set(textOf(ENGLISH).match(/\bALERTCARD_[A-Z_]+\b/g))];

    const all = loadVariables({ ...Object.fromEntries(names.map((name) => [name, ''])), ...ENOUGH });

    expect(names.length).toBeGreaterThan(8);
    expect(all.warnings).toEqual(loadVariables(ENOUGH).warnings);
  });

  it('calls commands with options that their help knows', () => {
    const unknown = callsOf(ENGLISH).flatMap(([name = '', ...words]) => {
      const help = COMMANDS.find((command) => command.name === name)?.help ?? '';
      const options = words
        .filter((word) => word.startsWith('--'))
        .map((word) => word.split('=', 1).join(''));
      const isKnown = help !== '' && options.every((option) => help.includes(option));
      return isKnown ? [] : [[name, ...words].join(' ')];
    });

    expect(callsOf(ENGLISH).length).toBeGreaterThan(10);
    expect(unknown).toEqual([]);
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
