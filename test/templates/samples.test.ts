import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleTemplates } from '../../src/app/sample-templates.ts';
import type { SampleReport } from '../../src/commands/context.ts';
import { channel, settingsWith } from '../commands/support.ts';
import { NOW } from '../support/card-input.ts';
import { templateFolder } from '../support/templates.ts';

const SAMPLES = join(import.meta.dirname, '../../templates/samples');
const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');

function tried(files: Readonly<Record<string, string>>): SampleReport {
  const channels = new Map([
    ['ops', channel({ template: 'night', locale: 'en' })],
    ['dev', channel({ name: 'dev', template: 'night', locale: 'en' })],
    ['pay', channel({ name: 'pay', provider: 'feishu', form: 'card2', locale: 'zh-CN' })],
  ]);
  return sampleTemplates(settingsWith({ channels, templatesDir: templateFolder(files) }), NOW);
}

describe('the samples', () => {
  it('are bodies as their senders write them', () => {
    const differing = readdirSync(SAMPLES).filter(
      (file) => !readFileSync(join(SAMPLES, file)).equals(readFileSync(join(FIXTURES, file))),
    );

    expect(differing).toEqual([]);
  });

  it('are rendered once by what renders alike, and find nothing wrong with the built-in cards', () => {
    const report = tried({ 'dingtalk/night.hbs': '{{#each alerts}}{{summary}} {{/each}}' });

    expect(report).toEqual({
      templates: 2,
      samples: readdirSync(SAMPLES).length,
      problems: [],
      warnings: [],
    });
  });

  it('tell which of them a template fails with', () => {
    const { problems } = tried({
      'dingtalk/night.hbs': '{{#if resolved}}{{#each}}x{{/each}}{{/if}}x',
    });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(
      /^dingtalk\/night \(en\) with legacy-v7-ok, v13-\S+, v13-\S+ and 1 more samples: Must pass iterator/u,
    );
  });

  it('tell with which of them a part comes out blank', () => {
    const { problems, warnings } = tried({
      'dingtalk/night.hbs': '---\ntitle: "{{labels.nope}}"\n---\n{{#if isTest}}{{else}}x{{/if}}',
    });

    expect(problems).toEqual([]);
    expect(warnings).toContainEqual(
      expect.stringMatching(/ and \d+ more samples: the title comes out blank/u),
    );
    expect(warnings).toContain(
      'dingtalk/night (en) with v13-test-button: the body comes out blank, our own words stand in for it',
    );
  });

  it('tell what does not fit its form', () => {
    const { warnings } = tried({ 'dingtalk/night.hbs': 'x'.repeat(20_000) });

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('not even one alert fits the form card: it goes out as text');
  });
});
