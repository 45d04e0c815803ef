import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { groupOfOne } from '../../src/app/one-group.ts';
import { providerOf } from '../../src/channels/registry.ts';
import { type Locale, PROVIDER_NAMES, type ProviderName } from '../../src/domain/settings.ts';
import type { ComposedCard } from '../../src/render/card-input.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { dingtalkShapeProblem } from '../../src/sandbox/dingtalk-shape.ts';
import { feishuShapeProblem } from '../../src/sandbox/feishu-shape.ts';
import { channelOf, NOW, requestOf, settingsOf } from '../support/card-input.ts';
import { fixture } from '../support/notification.ts';
import { builtInTemplates } from '../support/templates.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');
const TEMPLATES = join(import.meta.dirname, '../../templates');
const LOCALES: readonly Locale[] = ['zh-CN', 'en'];
const SHAPE_PROBLEM = { dingtalk: dingtalkShapeProblem, feishu: feishuShapeProblem };

const groups = readdirSync(FIXTURES)
  .filter((file) => /\.(?:json|txt)$/u.test(file) && file !== 'hmac-vectors.json')
  .map((file) => {
    const body = readFileSync(join(FIXTURES, file));
    return { file, group: groupOfOne({ body, source: 'grafana', format: undefined, receivedAt: NOW }) };
  });
const names = (provider: ProviderName): readonly string[] =>
  readdirSync(join(TEMPLATES, provider)).map((file) => file.replace(/\.hbs$/u, ''));
/** Those for the card of one group: `digest` is for several, and has tests of its own. */
const forOne = (provider: ProviderName): readonly string[] =>
  names(provider).filter((name) => name !== 'digest');
const cases = PROVIDER_NAMES.flatMap((provider) =>
  forOne(provider).flatMap((name) => LOCALES.map((locale) => [provider, name, locale] as const)),
);
const compose = makeComposer(settingsOf(builtInTemplates()));

function cardOf(
  provider: ProviderName,
  template: string,
  locale: Locale,
  group: (typeof groups)[number]['group'],
): ComposedCard {
  const channel = { ...channelOf(provider, locale), template };
  return compose({
    ...requestOf([fixture('v13-firing-single')], { channel }),
    group,
    target: providerOf(provider),
  });
}

describe('the templates that come with the program', () => {
  it('are the same for every provider', () => {
    expect(names('dingtalk')).toEqual(['compact', 'default', 'digest', 'oncall', 'table']);
    expect(names('feishu')).toEqual(names('dingtalk'));
  });

  it.each(cases)(
    '%s/%s in %s makes a message of every body that its robot takes',
    (provider, name, locale) => {
      const wrong = groups.flatMap(({ file, group }) => {
        const { message, bytes, blank, failed, template } = cardOf(provider, name, locale, group);
        const isRead = group.newest.format !== 'unreadable';
        const problem = SHAPE_PROBLEM[provider](message.json);
        const isGood =
          problem === undefined &&
          failed === undefined &&
          blank.length === 0 &&
          bytes <= providerOf(provider).limits.maxRequestBytes &&
          template === (isRead ? `${provider}/${name}` : 'unreadable');
        return isGood ? [] : [{ file, template, problem, failed, blank, bytes }];
      });

      expect(wrong).toEqual([]);
    },
  );

  it.each(cases)('%s/%s in %s tells a late copy and what is no longer reported', (provider, name, locale) => {
    const mixed = fixture('v13-mixed-firing-resolved-5');
    const { group } = requestOf([mixed]);
    const [first, second] = group.alerts;
    if (first === undefined || second === undefined) throw new Error('the fixture has five alerts');
    const alert = { ...first.alert, status: 'firing' as const };
    const changed = {
      ...group,
      alerts: [
        { ...first, alert, reportedResolvedAt: NOW },
        { ...second, alert, isNoLongerReported: true },
        ...group.alerts.slice(2),
      ],
    };

    const { body } = cardOf(provider, name, locale, changed).card;

    expect(body).toContain(
      locale === 'en' ? 'reported resolved at 2026-03-02 16:25' : '曾于 2026-03-02 16:25',
    );
    expect(body).toContain(locale === 'en' ? 'Grafana stopped reporting it' : 'Grafana 不再上报此告警');
  });

  it('show alerts of a Feishu table as rows, and as lines where tables are not drawn', () => {
    const { body } = cardOf('feishu', 'table', 'en', requestOf([fixture('v13-firing-single')]).group).card;

    expect(body).toMatch(/\n\| --- \| --- \| --- \| --- \|\n\| 🔴 \| /u);
    expect(
      cardOf('dingtalk', 'table', 'en', requestOf([fixture('v13-firing-single')]).group).card.body,
    ).not.toContain('|');
  });

  it('show more alerts on a compact card than on the default one', () => {
    const { group } = requestOf([fixture('v13-group-120')]);
    const shown = (name: string): number => cardOf('dingtalk', name, 'en', group).shown;

    expect(shown('compact')).toBeGreaterThan(shown('default'));
  });
});
