import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { providerOf } from '../../src/channels/registry.ts';
import { type Locale, PROVIDER_NAMES } from '../../src/domain/settings.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { loadTemplates } from '../../src/render/templates.ts';
import { channelOf, requestOf, settingsOf } from '../support/card-input.ts';
import { fixture } from '../support/notification.ts';

const EXAMPLES = join(import.meta.dirname, '../../docs/examples');
const BUILT_IN = join(import.meta.dirname, '../../templates');
const FIXTURES = ['v13-firing-single', 'v13-mixed-firing-resolved-5', 'v13-resolved-single', 'v13-group-120'];

const templates = loadTemplates({ builtIn: BUILT_IN, own: EXAMPLES });
const compose = makeComposer(settingsOf(templates));

const cases = PROVIDER_NAMES.flatMap((provider) =>
  readdirSync(join(EXAMPLES, provider)).flatMap((file) =>
    (['zh-CN', 'en'] as const).map((locale) => [provider, file, locale] as const),
  ),
);

function made(provider: (typeof PROVIDER_NAMES)[number], file: string, locale: Locale, name: string) {
  const template = file.split('.', 1)[0] ?? '';
  const channel = { ...channelOf(provider, locale), template };
  return compose(requestOf([fixture(name)], { channel, target: providerOf(provider) }));
}

describe('the examples of the template guide', () => {
  it('compile', () => {
    expect(templates.broken).toEqual([]);
  });

  it.each(cases)('%s/%s in %s serves every kind of group', (provider, file, locale) => {
    const cards = FIXTURES.map((name) => made(provider, file, locale, name));

    expect(cards.map(({ failed }) => failed)).toEqual(FIXTURES.map(() => undefined));
    expect(cards.map(({ template }) => `${template}.hbs`)).toEqual(FIXTURES.map(() => `${provider}/${file}`));
  });

  it('show what they are for', () => {
    const { card } = made('dingtalk', 'payments.hbs', 'en', 'v13-firing-single');

    expect(card.title).toMatch(/^\[FIRING:1\] payments?: /u);
    expect(card.buttons.map(({ url }) => url)).toContainEqual(
      expect.stringMatching(/^https:\/\/wiki\.example\.com\/search\?q=\S+$/u),
    );
    expect(made('feishu', 'payments.hbs', 'en', 'v13-firing-single').card.tone).toBe('carmine');
  });
});
