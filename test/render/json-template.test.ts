import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Labels } from '../../src/domain/alert.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { jsonMistakeAt } from '../../src/render/json-text.ts';
import { wordsOf } from '../../src/render/words.ts';
import { channelOf, requestOf, settingsOf } from '../support/card-input.ts';
import { fixture } from '../support/notification.ts';
import { makeTarget } from '../support/targets.ts';
import { templateFolder, withOwn } from '../support/templates.ts';

const SINGLE = fixture('v13-firing-single');
const LIST =
  '{"body":"{{name}}","list":[{{#each alerts}}"{{summary}}"{{#unless @last}},{{/unless}}{{/each}}]}';

/** Few and small: they are compiled anew for each card here. */
const BUILT_IN = templateFolder({ 'dingtalk/default.hbs': '{{#each alerts}}{{summary}}{{/each}}' });

function compose(
  files: Readonly<Record<string, string>>,
  notification = SINGLE,
  given: Parameters<typeof requestOf>[1] = {},
) {
  return makeComposer(settingsOf(withOwn(files, BUILT_IN)))(
    requestOf([notification], { target: makeTarget(18_000), channel: channelOf('dingtalk', 'en'), ...given }),
  );
}

function withSummary(summary: string) {
  const [alert] = SINGLE.alerts;
  if (alert === undefined) throw new Error('the fixture has an alert');
  const annotations: Labels = { ...alert.annotations, summary };
  return { ...SINGLE, alerts: [{ ...alert, annotations }] };
}

describe('a template that writes JSON', () => {
  it('goes before the others of its name, and says nothing of itself', () => {
    const composed = compose({ 'dingtalk/default.json.hbs': LIST, 'dingtalk/default.hbs': 'x' });

    expect(composed.template).toBe('dingtalk/default.json');
    expect(composed.failed).toBeUndefined();
    expect(composed.message).toEqual({
      rung: 'card',
      json: expect.objectContaining({ keyword: '', above: '', below: '' }),
    });
  });

  it('prefers the one for the locale', () => {
    const files = { 'dingtalk/default.json.hbs': LIST, 'dingtalk/default.en.json.hbs': '{"body":"english"}' };

    expect(compose(files).message.json.body).toBe('english');
    expect(compose(files, SINGLE, { channel: channelOf('dingtalk') }).template).toBe('dingtalk/default.json');
  });

  it('writes any value as a JSON string, and mentions nobody with it', () => {
    const template =
      '{"body":"{{annotations.summary}}|{{md annotations.summary}}|{{inert annotations.summary}}"}';
    const composer = makeComposer(settingsOf(withOwn({ 'dingtalk/default.json.hbs': template }, BUILT_IN)));
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        const notification = withSummary(`${text}"\\ @all <at id=all></at>`);

        const { failed, message } = composer(
          requestOf([notification], { target: makeTarget(18_000), channel: channelOf('dingtalk', 'en') }),
        );

        expect(failed).toBeUndefined();
        expect(String(message.json.body)).not.toMatch(/@all|(?<!\\)<at/u);
      }),
      { numRuns: 30 },
    );
  });

  it('lets no escape sequence smuggle in a mention through {{{x}}}', () => {
    const smuggled = withSummary('\\u0040all \\u003cat id=all>');

    const { message } = compose(
      { 'dingtalk/default.json.hbs': '{"body":"{{{annotations.summary}}}"}' },
      smuggled,
    );

    expect(message.json.body).toBe('@\u200Ball &lt;at id=all>');
  });

  it('may use every word', () => {
    const texts = ['zh-CN', 'en'].flatMap((locale) =>
      Object.values(wordsOf(locale === 'en' ? 'en' : 'zh-CN').texts),
    );

    expect(texts.filter((text) => /["\\\n]/u.test(text))).toEqual([]);
  });

  it('is given keyword, marks and what is left out', () => {
    const channel = { ...channelOf('dingtalk', 'en'), keyword: 'ALERT' };
    const marks = { late: undefined, isReplay: true, isPossibleRepeat: false, deaths: 2 };

    const { message, shown, omitted } = compose(
      { 'dingtalk/default.json.hbs': LIST },
      fixture('v13-group-120'),
      { channel, marks },
    );

    expect(message.json.keyword).toBe('ALERT');
    expect(message.json.above).toContain(wordsOf('en').texts.replay);
    expect(message.json.below).toContain('2 earlier notifications');
    expect(shown + omitted).toBe(120);
  });

  it('is fitted with fewer alerts', () => {
    const { message, bytes, shown, omitted, template } = compose(
      {
        'dingtalk/default.json.hbs': LIST.replace(
          '{{summary}}',
          '{{summary}} {{pairs keyLabels}} {{description}} {{links.panel}} {{links.silence}}',
        ),
      },
      fixture('v13-group-120'),
    );

    expect(template).toBe('dingtalk/default.json');
    expect(bytes).toBeLessThanOrEqual(18_000);
    expect(message.json.list).toHaveLength(shown);
    expect(message.json.below).toContain(`+${omitted} more`);
  });

  it.each([
    [
      'renders no JSON',
      '{\n"body":"x",\n}',
      'default.json.hbs: no JSON at line 3, column 1 of what it renders\n  }\n  ^',
    ],
    [
      'renders what the robot refuses',
      '{"x":1}',
      'default.json.hbs: the robot would refuse what it renders: body: is missing',
    ],
    ['never fits', `{"body":"${'x'.repeat(20_000)}"}`, 'not even one alert fits'],
  ])('gives way and says so when it %s', (_what, text, problem) => {
    const { template, failed, card } = compose({ 'dingtalk/default.json.hbs': text });

    expect(template).toBe('dingtalk/default');
    expect(failed?.template).toBe('dingtalk/default.json');
    expect(failed?.message).toContain(problem);
    expect(card.body).toContain('dingtalk/default.json is broken');
  });

  it('says the place of what does not compile, and another serves', () => {
    const templates = withOwn({
      'dingtalk/x.json.hbs': '{\n "body": "{{nope x}}"\n}',
      'dingtalk/x.hbs': 'own',
    });

    const served = templates.find('dingtalk', 'x', 'en');

    expect(served?.template.name).toBe('dingtalk/x');
    expect(served?.broken?.message).toMatch(/x\.json\.hbs:2:11: there is no helper "nope"/u);
    expect(templates.findJson('dingtalk', 'x', 'en')).toBeUndefined();
  });

  it('needs no other template of its name', () => {
    const templates = withOwn({ 'dingtalk/x.json.hbs': LIST });

    expect(templates.findJson('dingtalk', 'x', 'en')?.name).toBe('dingtalk/x.json');
    expect(templates.find('dingtalk', 'x', 'en')?.broken).toBeUndefined();
  });

  it('serves the form of its channel only: what was refused goes out by another template', () => {
    const { template } = compose({ 'dingtalk/default.json.hbs': LIST }, SINGLE, { rung: 'markdown' });

    expect(template).toBe('dingtalk/default');
  });
});

describe('the place where JSON goes wrong', () => {
  it.each([
    ['', 0],
    ['{"a":1,}', 7],
    ['{"a":1 "b":2}', 7],
    ['["a" "b"]', 5],
    ['[1,,2]', 3],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['{"a":"x\ny"}', 5],
    ['[1}', 2],
    ['{"a":[1,{"b":"c"}', 17],
    ['[] []', 3],
    ['{"a":01}', 6],
  ])('%j is at %i', (text, at) => {
    expect(jsonMistakeAt(text)).toBe(at);
  });

  it('is the end for a text that was cut off, and past it for none', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, cut) => {
        expect(jsonMistakeAt(text)).toBe(text.length);
        expect(jsonMistakeAt(text.slice(0, cut % (text.length + 1)))).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
