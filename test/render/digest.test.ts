import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { providerOf } from '../../src/channels/registry.ts';
import { type Alert, makeLabels } from '../../src/domain/alert.ts';
import { foldDigest, mergeGroups } from '../../src/domain/digest.ts';
import type { FoldedGroup } from '../../src/domain/fold.ts';
import type { Locale, ProviderName, Rung } from '../../src/domain/settings.ts';
import type { CardRequest, ComposedCard } from '../../src/render/card-input.ts';
import { makeComposer } from '../../src/render/compose.ts';
import { makeContexts } from '../../src/render/context.ts';
import { GROUP_FIELDS } from '../../src/render/context-fields.ts';
import { prepareGroup } from '../../src/render/prepare.ts';
import { channelOf, requestOf, SEVERITY, settingsOf } from '../support/card-input.ts';
import { fixture } from '../support/notification.ts';
import { builtInTemplates, withOwn } from '../support/templates.ts';

const BUILT_IN = builtInTemplates();
const BASE = fixture('v13-firing-single');
const [SAMPLE] = BASE.alerts;
const RUNGS: Readonly<Record<ProviderName, readonly Rung[]>> = {
  dingtalk: ['card', 'markdown', 'text', 'bare'],
  feishu: ['card2', 'card1', 'text', 'bare'],
};

/** A group of so many alerts of one rule and severity. */
function groupOf(name: string, count: number, severity: string, given: Partial<Alert> = {}): FoldedGroup {
  if (SAMPLE === undefined) throw new Error('the fixture has an alert');
  const alerts = Array.from({ length: count }, (_each, index) => ({
    ...SAMPLE,
    fingerprint: `${name}-${index}`,
    labels: makeLabels([
      ['alertname', name],
      ['severity', severity],
      ['pod', `pod-${index}`],
    ]),
    annotations: makeLabels([['summary', `${name} on pod-${index}`]]),
    ...given,
  }));
  return requestOf([{ ...BASE, alerts }]).group;
}

function digestRequest(groups: readonly FoldedGroup[], given: Partial<CardRequest> = {}): CardRequest {
  const digest = foldDigest(groups, SEVERITY);
  const group = mergeGroups(digest.groups);
  if (group === undefined) throw new Error('a digest has groups');
  const channel = given.channel ?? channelOf('dingtalk', 'en');
  return requestOf([BASE], { channel, target: providerOf(channel.provider), ...given, group, digest });
}

function compose(
  groups: readonly FoldedGroup[],
  given: Partial<CardRequest> = {},
  templates = BUILT_IN,
): ComposedCard {
  return makeComposer(settingsOf(templates))(digestRequest(groups, given));
}

const STORM = [
  groupOf('DiskFull', 4, 'warning'),
  groupOf('ApiDown', 2, 'critical'),
  groupOf('QueueDepth', 1, 'info', { status: 'resolved', endsAt: BASE.alerts[0]?.startsAt ?? 0 }),
];

describe('a digest', () => {
  it('says how many groups, counts by severity, and shows the worst group first with its top alerts', () => {
    const { card, template, shown, omitted } = compose(STORM);

    expect(template).toBe('dingtalk/digest');
    expect(card.title).toBe('[FIRING:6, RESOLVED:1] 3 groups: ApiDown, DiskFull +1');
    expect(card.tone).toBe('critical');
    expect(card.body).toContain('3 groups on this card: 2 with something firing, 1 resolved');
    expect(card.body).toContain('critical: firing 2, over 0');
    expect(card.body).toContain('info: firing 0, over 1');
    expect(card.body.indexOf('ApiDown on pod')).toBeLessThan(card.body.indexOf('DiskFull on pod'));
    expect([shown, omitted]).toEqual([6, 1]);
    expect(card.body).toContain('+1 more');
  });

  it('links each group to the panel of its worst alert', () => {
    const panels = compose(STORM).card.body.match(/\[Panel\]\(/gu);

    expect(panels).toHaveLength(3);
  });

  it.each([
    ['dingtalk', 'en'],
    ['dingtalk', 'zh-CN'],
    ['feishu', 'en'],
    ['feishu', 'zh-CN'],
  ] as const)(
    'of 200 groups fits every rung of %s in %s and tells by number what is left out',
    (provider, locale) => {
      const groups = Array.from({ length: 200 }, (_each, index) =>
        groupOf(`Rule number ${index}`, 5, 'warning'),
      );
      const target = providerOf(provider);

      for (const rung of RUNGS[provider]) {
        const composed = compose(groups, { channel: channelOf(provider, locale), rung });
        const { card, bytes, shown, omitted, message } = composed;

        expect(message.rung).toBe(rung);
        expect(bytes).toBeLessThanOrEqual(target.limits.maxRequestBytes);
        expect(shown + omitted).toBe(1_000);
        expect(`${card.title}${card.body}`).toContain('200');
        if (rung !== 'bare') expect(shown).toBeGreaterThan(20);
        if (rung !== 'bare') expect(card.body).toContain(String(200 - shown));
      }
    },
  );

  it('shows one alert of each group before it shows a second of any', () => {
    const { card, shown } = compose(
      Array.from({ length: 30 }, (_each, index) => groupOf(`R${index}`, 3, 'error')),
    );

    expect(shown).toBeGreaterThan(30);
    for (let index = 0; index < 30; index += 1) expect(card.body).toContain(`R${index} on pod`);
  });

  it('holds nothing that came in on the bare rung, and says that each group follows', () => {
    const { card } = compose(STORM, { rung: 'bare' });

    expect(`${card.title}${card.body}`).not.toContain('ApiDown');
    expect(card.body).toContain('These are 3 groups');
    expect(card.body).toContain('Firing 6, resolved 1');
  });

  it('is made by a team’s own digest template, and by the built-in one when that fails', () => {
    const own = withOwn({ 'dingtalk/digest.hbs': '{{#each groups}}{{name}}={{counts.total}} {{/each}}' });
    const failing = withOwn({ 'dingtalk/digest.hbs': '{{date "no date" "nonsense" 3}}{{link}}' });

    expect(compose(STORM, {}, own).card.body).toContain('ApiDown=2 DiskFull=4 QueueDepth=1');
    expect(compose(STORM, {}, failing).card.body).toContain('ApiDown');
  });

  it('keeps the links of groups apart', () => {
    const other = groupOf('Other', 1, 'critical', { panelUrl: 'https://other.example.com/d/x' });

    expect(compose([...STORM, other]).card.body).toContain(
      encodeURIComponent('https://other.example.com/d/x'),
    );
  });

  it('fits whatever came in, on every rung', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('<at id=all></at>', '@all', '{{x}}', '```', '很'.repeat(9_000), '*_[](x)'),
    );
    const group = fc
      .record({ name: text, severity: text, summary: text, count: fc.integer({ min: 1, max: 6 }) })
      .map(({ name, severity, summary, count }) =>
        groupOf(name, count, severity, { annotations: makeLabels([['summary', summary]]) }),
      );

    fc.assert(
      fc.property(
        fc.array(group, { minLength: 2, maxLength: 12 }),
        fc.constantFrom<ProviderName>('dingtalk', 'feishu'),
        fc.constantFrom<Locale>('en', 'zh-CN'),
        fc.nat(3),
        (groups, provider, locale, position) => {
          const rung = RUNGS[provider][position] ?? 'bare';

          const { bytes, shown, omitted, card } = compose(groups, {
            channel: channelOf(provider, locale),
            rung,
          });

          expect(bytes).toBeLessThanOrEqual(providerOf(provider).limits.maxRequestBytes);
          expect(shown + omitted).toBe(groups.reduce((sum, { counts }) => sum + counts.total, 0));
          expect(card.body).not.toBe('');
        },
      ),
      { numRuns: 40 },
    );
  });

  it('documents what templates see of a group field by field', () => {
    const request = digestRequest(STORM);

    const { groups } = makeContexts(prepareGroup({ ...settingsOf(BUILT_IN), ...request }), 4_096)(5);

    expect(GROUP_FIELDS.map(({ path }) => path).sort()).toEqual(Object.keys(groups[0] ?? {}).sort());
  });
});
