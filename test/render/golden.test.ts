import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  LADDERS,
  type Locale,
  PROVIDER_NAMES,
  type ProviderName,
  type Rung,
} from '../../src/domain/settings.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { channelOf, requestOf, settingsOf } from '../support/card-input.ts';
import { robotCode } from '../support/look-alike.ts';
import { fixture } from '../support/notification.ts';
import { builtInTemplates } from '../support/templates.ts';

/**
 * The vendor's message of every fixture, as it was read and found good. After a wanted change:
 * `UPDATE_GOLDEN=1 npx vitest run test/render/golden.test.ts`, then read the difference.
 */
const GOLDEN = join(import.meta.dirname, '../golden');
const FIXTURES = join(import.meta.dirname, '../../fixtures/grafana');
const LOCALES: readonly Locale[] = ['zh-CN', 'en'];

/** Fixtures whose every rung is kept; of the others the first. */
const EVERY_RUNG: ReadonlySet<string> = new Set([
  'v13-firing-single',
  'v13-mixed-firing-resolved-5',
  'v13-truncated-hides-firing',
  'v13-test-button',
  'v13-datasource-error',
  'v13-multiline-markdown-emoji-chinese',
  'v12-custom-payload-not-json.txt',
  'v13-group-120',
]);

const names = readdirSync(FIXTURES)
  .filter((file) => /\.(?:json|txt)$/u.test(file) && file !== 'hmac-vectors.json')
  .map((file) => file.replace(/\.json$/u, ''));
const cases = PROVIDER_NAMES.flatMap((provider) => names.map((name) => [provider, name] as const));

const compose = makeComposer(settingsOf(builtInTemplates()));

function rungsOf(provider: ProviderName, name: string): readonly Rung[] {
  return EVERY_RUNG.has(name) ? LADDERS[provider] : LADDERS[provider].slice(0, 1);
}

/** `zh-CN card` and so on, each with its message. */
function messagesOf(provider: ProviderName, name: string) {
  return LOCALES.flatMap((locale) =>
    rungsOf(provider, name).map((rung) => {
      const channel = channelOf(provider, locale);
      const { message, bytes } = compose(requestOf([fixture(name)], { channel, rung }));
      return { title: `${locale} ${rung}`, message, bytes };
    }),
  );
}

/** The vendor's JSON; texts of several lines as a list of lines, which a person can compare. */
function written(messages: ReturnType<typeof messagesOf>): string {
  const byTitle = Object.fromEntries(messages.map(({ title, message }) => [title, message.json]));
  const inLines = (_key: string, value: unknown): unknown =>
    typeof value === 'string' && value.includes('\n') ? value.split('\n') : value;
  return `${JSON.stringify(byTitle, inLines, 1)}\n`;
}

describe('the built-in messages', () => {
  it.each(cases)('%s of %s reads as it did', (provider, name) => {
    const path = join(GOLDEN, provider, `${name}.json`);

    const messages = written(messagesOf(provider, name));

    if (process.env.UPDATE_GOLDEN !== undefined) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, messages);
    }
    expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(messages);
  });

  it.each(cases)('%s of %s is taken by the robot, as large as it was said to be', (provider, name) => {
    const messages = messagesOf(provider, name);

    const taken = messages.map(({ message }) => robotCode(provider, message));

    expect(taken).toEqual(messages.map(({ bytes }) => ({ code: 0, bytes })));
  });

  it('have no golden file left over', () => {
    const expected = cases.map(([provider, name]) => `${provider}/${name}.json`).sort();

    const found = PROVIDER_NAMES.flatMap((provider) =>
      readdirSync(join(GOLDEN, provider)).map((file) => `${provider}/${file}`),
    );

    expect(found.sort()).toEqual(expected);
  });
});
