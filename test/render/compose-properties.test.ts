import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Alert, makeLabels } from '../../src/domain/alert.ts';
import type { Notification } from '../../src/domain/notification.ts';
import type { Rung } from '../../src/domain/settings.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { runs } from '../support/budget.ts';
import { channelOf, requestOf, settingsOf } from '../support/card-input.ts';
import { fixture } from '../support/notification.ts';
import { builtInTemplates, withOwn } from '../support/templates.ts';

const compose = makeComposer(settingsOf(builtInTemplates()));
const EN = channelOf('dingtalk', 'en');
const [SAMPLE] = fixture('v13-firing-single').alerts;

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    '<at id=all></at>',
    '@all',
    '{{labels}}',
    '{{{x}}}',
    '](https://evil.example.com)',
    '"\n---\ntitle: x',
    '\u001b[31mred',
    '```',
    '',
    ' ',
    '很'.repeat(4_000),
    'e\u0301'.repeat(900),
  ),
);
const texts = fc
  .array(
    fc.tuple(
      fc.oneof(
        nasty,
        fc.constantFrom('alertname', 'summary', 'description', 'Error', 'severity', '__proto__'),
      ),
      nasty,
    ),
    {
      maxLength: 6,
    },
  )
  .map((pairs) => makeLabels(pairs));
const urls = fc.oneof(
  fc.webUrl(),
  nasty,
  fc.constant('javascript:alert(1)'),
  fc.webUrl().map((url) => url + 'x'.repeat(5_000)),
);
const instants = fc.option(fc.oneof(fc.nat(4e12), fc.double({ noNaN: false })), { nil: undefined });

const alerts = fc
  .record({
    status: fc.constantFrom('firing' as const, 'resolved' as const),
    labels: texts,
    annotations: texts,
    startsAt: instants,
    endsAt: instants,
    values: fc.array(fc.tuple(nasty, fc.double()), { maxLength: 8 }),
    panelUrl: urls,
    silenceUrl: urls,
    generatorUrl: urls,
    imageUrl: urls,
  })
  .map((given): Partial<Alert> => given);

const notifications = fc
  .record({
    alerts: fc.array(alerts, { minLength: 1, maxLength: 30 }),
    title: nasty,
    receiver: nasty,
    externalUrl: urls,
    truncatedAlerts: fc.nat(20),
  })
  .map(({ alerts: given, ...rest }): Notification => {
    const base = fixture('v13-firing-single');
    const made = given.flatMap((each, index) =>
      SAMPLE === undefined ? [] : [{ ...SAMPLE, ...each, fingerprint: `f${index}` }],
    );
    return { ...base, ...rest, alerts: made };
  });

const rungs = fc.constantFrom<Rung>('card', 'markdown', 'text', 'bare');

describe('any notification', () => {
  it('makes a card within the bytes, never blank, that says what it leaves out', () => {
    fc.assert(
      fc.property(notifications, rungs, (notification, rung) => {
        const composed = compose(requestOf([notification], { channel: EN, rung }));
        const { card, message, bytes, shown, omitted } = composed;

        expect(bytes).toBeLessThanOrEqual(18_000);
        expect(JSON.parse(JSON.stringify(message.json))).toEqual(message.json);
        expect(card.title.trim()).not.toBe('');
        expect(card.title).not.toMatch(/[\p{Cc}\p{Cs}]/u);
        expect(card.body.trim()).not.toBe('');
        expect(shown + omitted).toBe(notification.alerts.length);
        expect(omitted === 0 || message.rung === 'bare' || card.body.includes(`+${omitted} more`)).toBe(true);
        expect(card.buttons.every(({ url, text }) => /^https?:\/\//u.test(url) && text !== '')).toBe(true);
      }),
      { numRuns: runs(150) },
    );
  });

  it('adds no markup or mention of its own to the card', () => {
    // What acts where it stands: a bracket only before what makes it a link, a heading only at a line's start.
    const marks = /[`*~|]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|<(?=[\p{L}/!?])|^ {0,3}[#>]|\](?=\s*[([:])/gmu;
    fc.assert(
      fc.property(nasty, (value) => {
        const bold = (text: string): string =>
          compose(
            requestOf(
              [
                {
                  ...fixture('v13-test-button'),
                  alerts: SAMPLE === undefined ? [] : [{ ...SAMPLE, ...only(text) }],
                },
              ],
              {
                channel: EN,
              },
            ),
          ).card.body;
        const unescaped = (body: string): readonly string[] =>
          body.replace(/\\[\s\S]/gu, '').match(marks) ?? [];

        expect(unescaped(bold(value))).toEqual(unescaped(bold('plain')));
        expect(bold(value)).not.toMatch(/@(?=[\p{L}\p{N}+_])/u);
      }),
      { numRuns: runs(60) },
    );
  });

  it('cannot break the structure of the front matter', () => {
    const templates = withOwn({
      'dingtalk/default.hbs':
        '---\ntitle: "{{labels.x}}"\ntone: "{{labels.x}}"\ntags: ["{{labels.x}}"]\nbuttons:\n  - { text: "{{labels.x}}", url: "https://e.example.com/?q={{urlencode labels.x}}" }\n---\nbody {{labels.x}}',
    });
    const own = makeComposer(settingsOf(templates));
    fc.assert(
      fc.property(nasty, (value) => {
        const labels = makeLabels([['x', value]]);
        const base = fixture('v13-firing-single');
        const sent = { ...base, alerts: base.alerts.map((alert) => ({ ...alert, labels })) };

        const { card, failed } = own(requestOf([sent], { channel: EN }));

        expect(failed).toBeUndefined();
        expect(card.title).not.toMatch(/[\n\r]/u);
        expect(card.tags.length).toBeLessThanOrEqual(1);
        expect(card.tone).toMatch(/^[a-z][\w-]*$/u);
        expect(card.buttons.every(({ url }) => url.startsWith('https://e.example.com/?q='))).toBe(true);
      }),
      { numRuns: runs(60) },
    );
  });
});

/** An alert whose every shown text is the given one; what makes links is left out. */
function only(text: string): Partial<Alert> {
  return {
    labels: makeLabels([
      ['alertname', 'a'],
      ['x', `v${text}`],
    ]),
    annotations: makeLabels([['summary', `s${text}`]]),
    values: [[`n${text}`, 1]],
    startsAt: undefined,
    imageUrl: '',
  };
}
