import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Card } from '../../src/domain/card.ts';
import type { Locale, ProviderName } from '../../src/domain/settings.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { channelOf, requestOf, settingsOf } from '../support/card-input.ts';
import { fixture } from '../support/notification.ts';
import { builtInTemplates } from '../support/templates.ts';

/**
 * The built-in card of every fixture, as it was read and found good. After a wanted change:
 * `UPDATE_GOLDEN=1 npx vitest run test/render/golden.test.ts`, then read the difference.
 */
const GOLDEN = join(import.meta.dirname, '../golden');
const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');

const names = readdirSync(FIXTURES)
  .filter((file) => /\.(?:json|txt)$/u.test(file) && file !== 'hmac-vectors.json')
  .map((file) => file.replace(/\.json$/u, ''));
const providers: readonly ProviderName[] = ['dingtalk', 'feishu'];
const locales: readonly Locale[] = ['zh-CN', 'en'];
const cases = providers.flatMap((provider) =>
  locales.flatMap((locale) => names.map((name) => [provider, locale, name] as const)),
);

const compose = makeComposer(settingsOf(builtInTemplates()));

/** Title, tone and body as lines, which a person can compare. */
function written({ title, tone, tags, body, buttons }: Card): string {
  return `${JSON.stringify({ title, tone, tags, body: body.split('\n'), buttons }, null, 2)}\n`;
}

describe('the built-in cards', () => {
  it.each(cases)('%s %s of %s reads as it did', (provider, locale, name) => {
    const path = join(GOLDEN, provider, `${name}.${locale}.json`);

    const card = written(compose(requestOf([fixture(name)], { channel: channelOf(provider, locale) })).card);

    if (process.env.UPDATE_GOLDEN !== undefined) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, card);
    }
    expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(card);
  });

  it('have no golden file left over', () => {
    const expected = cases.map(([provider, locale, name]) => `${provider}/${name}.${locale}.json`).sort();

    const found = providers.flatMap((provider) =>
      readdirSync(join(GOLDEN, provider)).map((file) => `${provider}/${file}`),
    );

    expect(found.sort()).toEqual(expected);
  });
});
