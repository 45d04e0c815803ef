import { describe, expect, it } from 'vitest';
import { makeContexts } from '../../src/render/context.ts';
import { ALERT_FIELDS, CONTEXT_FIELDS, GROUP_FIELDS } from '../../src/render/context-fields.ts';
import { HELPERS } from '../../src/render/helpers.ts';
import { prepareGroup } from '../../src/render/prepare.ts';
import { requestOf, settingsOf } from '../support/card-input.ts';
import { fixture } from '../support/notification.ts';
import { builtInTemplates, templateFolder, withOwn } from '../support/templates.ts';

describe('loading templates', () => {
  it('finds nothing wrong with the built-in ones', () => {
    expect(builtInTemplates().broken).toEqual([]);
  });

  it('prefers a team’s own, and among those the one for the locale', () => {
    const templates = withOwn({
      'dingtalk/default.hbs': 'own',
      'dingtalk/payments.hbs': 'all',
      'dingtalk/payments.en.hbs': 'english',
    });

    expect(templates.find('dingtalk', 'payments', 'en')?.template.name).toBe('dingtalk/payments.en');
    expect(templates.find('dingtalk', 'payments', 'zh-CN')?.template.name).toBe('dingtalk/payments');
    expect(templates.find('feishu', 'default', 'en')?.template.name).toBe('feishu/default');
    expect(templates.find('dingtalk', 'default', 'en')?.broken).toBeUndefined();
  });

  it('serves the built-in one of that name for a broken one, and reports the place', () => {
    const templates = withOwn({ 'dingtalk/default.hbs': '---\ntitle: "{{name}}"\n---\nfine\n{{#if x}}' });

    const served = templates.find('dingtalk', 'default', 'zh-CN');

    expect(served?.template.name).toBe('dingtalk/default');
    expect(served?.broken?.template).toBe('dingtalk/default');
    expect(templates.broken).toHaveLength(1);
    expect(templates.broken[0]?.message).toMatch(/default\.hbs:5:\d+: does not parse here/u);
  });

  it('serves the built-in default for a name that does not exist, and says so', () => {
    const served = builtInTemplates().find('feishu', 'payments', 'en');

    expect(served?.template.name).toBe('feishu/default');
    expect(served?.broken?.message).toBe('there is no template feishu/payments.hbs');
  });

  it('has nothing to serve when even the built-in ones are gone', () => {
    const templates = withOwn({}, templateFolder({}));

    expect(templates.find('dingtalk', 'default', 'en')).toBeUndefined();
  });
});

describe('front matter', () => {
  it.each([
    ['an unknown key', '---\ntitel: x\n---\n', 2, 1, 'unknown key "titel"'],
    ['YAML that does not parse', '---\ntitle: "x\n---\n', 3, 1, 'front matter: Missing closing'],
    ['a missing end', '---\ntitle: x\n', 1, 1, 'no closing ---'],
    ['buttons that are no list', '---\nbuttons: x\n---\n', 2, 10, '"buttons" must be a list'],
    ['a button without url', '---\nbuttons:\n  - { text: x }\n---\n', 3, 5, 'a button needs "url"'],
    ['a number for a text', '---\ntitle: 3\n---\n', 2, 8, 'must be a text'],
    [
      'a leaf that does not compile',
      '---\ntone: auto\ntitle: "ab {{nope x}}"\n---\n',
      3,
      12,
      'no helper "nope"',
    ],
  ])('says the place of %s', (_what, text, line, column, problem) => {
    const templates = withOwn({ 'dingtalk/x.hbs': text });

    expect(templates.broken[0]?.message).toContain(`x.hbs:${line}:${column}: `);
    expect(templates.broken[0]?.message).toContain(problem);
  });

  it('reads files written on Windows', () => {
    const templates = withOwn({ 'dingtalk/x.hbs': '\uFEFF---\r\ntitle: "a"\r\n---\r\nbody\r\n' });

    expect(templates.broken).toEqual([]);
  });
});

describe('what templates see', () => {
  const request = requestOf([fixture('v13-mixed-firing-resolved-5')]);
  const context = makeContexts(prepareGroup({ ...settingsOf(builtInTemplates()), ...request }), 4_096)(5);

  it('is documented field by field', () => {
    expect(CONTEXT_FIELDS.map(({ path }) => path).sort()).toEqual(Object.keys(context).sort());
    expect(ALERT_FIELDS.map(({ path }) => path).sort()).toEqual(Object.keys(context.alerts[0] ?? {}).sort());
  });

  it('hides no field behind a helper of the same name', () => {
    const fields = [...CONTEXT_FIELDS, ...GROUP_FIELDS, ...ALERT_FIELDS].map(({ path }) => path);

    expect(fields.filter((path) => Object.hasOwn(HELPERS, path))).toEqual([]);
  });
});
