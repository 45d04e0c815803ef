import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Answer, Provider } from '../../src/channels/provider.ts';
import { NO_MENTIONS } from '../../src/domain/card.ts';
import { OUTCOMES, REASONS } from '../../src/domain/outcome.ts';
import { Secret } from '../../src/domain/secret.ts';
import { LADDERS, type RobotSettings } from '../../src/domain/settings.ts';
import { type Robots, startRobots } from '../../src/sandbox/robots.ts';
import { runs } from '../support/budget.ts';
import { answered } from './answers.ts';
import { cardOf } from './cards.ts';

/** What the contract needs to know of a provider to hold it to it. */
export interface ProviderExample {
  readonly provider: Provider;
  /** Sets up a look-alike robot and gives its URL. */
  robotUrl(robots: Robots, rules: { readonly secret: string; readonly keyword: string }): string;
  /** Ids as the provider takes them. */
  readonly mentions: { readonly mobiles: readonly string[]; readonly userIds: readonly string[] };
  refusal(code: number, text: string): unknown;
}

const SECRET = 'SEC-canary-7f3a91c04e';
const NOW = Date.UTC(2026, 0, 1);
const TRANSPORT_FAILURES: readonly Answer[] = [
  ...(['dns', 'connect', 'tls', 'connect_timeout', 'reset_before_sent', 'egress_denied'] as const).map(
    (cause) => ({ kind: 'not_sent', cause, text: cause }) as const,
  ),
  ...(['timeout', 'reset'] as const).map((cause) => ({ kind: 'no_answer', cause, text: cause }) as const),
];

/** What every provider must hold, whatever its protocol. */
export function describeProvider(example: ProviderExample): void {
  const { provider } = example;
  const robot = (url: string): RobotSettings => ({
    url: new Secret(url),
    secret: new Secret(SECRET),
    key: 'k',
  });
  const rungs = LADDERS[provider.name];
  const card = fc.record({
    title: fc.string({ unit: 'binary', maxLength: 300 }),
    tone: fc.constantFrom(
      'critical',
      'error',
      'warning',
      'info',
      'resolved',
      'mixed',
      'notice',
      'red',
      'nonsense',
    ),
    tags: fc.array(fc.string({ unit: 'binary', maxLength: 60 }), { maxLength: 3 }),
    body: fc.string({ unit: 'binary', minLength: 1, maxLength: 2_000 }).map((text) => `b${text}`),
    buttons: fc.array(
      fc.record({
        text: fc.string({ unit: 'binary', maxLength: 60 }),
        url: fc.oneof(fc.webUrl(), fc.string()),
      }),
      { maxLength: 8 },
    ),
    mentions: fc.record({
      all: fc.boolean(),
      mobiles: fc.constantFrom([], example.mentions.mobiles),
      userIds: fc.constantFrom([], example.mentions.userIds),
    }),
  });

  describe(`the contract of a provider: ${provider.name}`, () => {
    it('takes over a message of its own as it is when there is nothing to put in', () => {
      fc.assert(
        fc.property(card, fc.constantFrom(...rungs), (made, rung) => {
          const { json } = provider.encode(made, rung, '');

          const adopted = provider.adopt(json, rung, {
            keyword: '',
            mentions: NO_MENTIONS,
            above: () => '',
            below: () => '',
          });

          expect(adopted).toEqual({ kind: 'message', message: { rung, json } });
        }),
      );
    });

    it('makes messages that a robot with signature and keyword takes, from any card on any rung', async () => {
      const clock = { now: () => NOW };
      const robots = await startRobots({ clock });
      try {
        await fc.assert(
          fc.asyncProperty(card, fc.constantFrom(...rungs), async (made, rung) => {
            const url = example.robotUrl(robots, { secret: SECRET, keyword: '【告警】' });
            const request = provider.sign(provider.encode(made, rung, '【告警】'), robot(url), NOW);

            const response = await fetch(request.url, {
              method: 'POST',
              headers: { 'content-type': 'application/json; charset=utf-8' },
              body: request.body,
            });

            const verdict = provider.classify(answered(await response.text()));
            expect(verdict).toMatchObject({ outcome: 'delivered', reason: 'ok' });
          }),
          { numRuns: runs(60) },
        );
      } finally {
        await robots.close();
      }
    });

    it('counts the bytes of the final request exactly, signature included', () => {
      fc.assert(
        fc.property(card, fc.constantFrom(...rungs), (made, rung) => {
          const message = provider.encode(made, rung, '');

          const { body } = provider.sign(message, robot('https://example.com/hook/t'), NOW);

          expect(provider.requestBytes(message, true)).toBe(Buffer.byteLength(body));
          expect(provider.requestBytes(message, false)).toBe(Buffer.byteLength(JSON.stringify(message.json)));
        }),
      );
    });

    it('says in the message which rung it is', () => {
      for (const rung of rungs) expect(provider.encode(cardOf(), rung, '').rung).toBe(rung);
    });

    it('keeps to its limits of buttons and mentions', () => {
      const many = cardOf({
        buttons: Array.from({ length: 20 }, (_, index) => ({
          text: `b${index}`,
          url: `https://b.example/${index}`,
        })),
        mentions: {
          all: false,
          mobiles: [],
          userIds: Array.from({ length: 80 }, (_, index) => `ou_${index}`),
        },
      });

      const json = JSON.stringify(provider.encode(many, rungs[0] ?? 'text', '').json);

      expect(json.match(/https?(?::|%3A)(?:\/\/|%2F%2F)b\.example/gu)).toHaveLength(
        provider.limits.maxButtons,
      );
      expect(new Set(json.match(/ou_\d+/gu)).size).toBe(provider.limits.maxMentions);
    });

    it('signs anew for every attempt', () => {
      const message = provider.encode(cardOf(), 'text', '');

      const first = provider.sign(message, robot('https://example.com/hook/t'), NOW);
      const second = provider.sign(message, robot('https://example.com/hook/t'), NOW + 1_000);

      expect(first).not.toEqual(second);
    });

    it('adds nothing for a robot that asks for no signature', () => {
      const message = provider.encode(cardOf(), 'text', '');

      const request = provider.sign(
        message,
        { url: new Secret('https://example.com/hook/t?a=1'), secret: undefined, key: 'k' },
        NOW,
      );

      expect(request).toEqual({ url: 'https://example.com/hook/t?a=1', body: JSON.stringify(message.json) });
    });

    it('never puts the secret into a request', () => {
      const request = provider.sign(
        provider.encode(cardOf(), 'text', ''),
        robot('https://example.com/hook/t'),
        NOW,
      );

      expect(JSON.stringify(request)).not.toContain(SECRET);
    });

    it('has a verdict for every transport failure, and none of them is delivered', () => {
      const verdicts = TRANSPORT_FAILURES.map((failure) => provider.classify(failure));

      expect(verdicts.map(({ outcome, reason }) => `${outcome} ${reason}`)).toEqual([
        'unavailable dns',
        'unavailable connect',
        'unavailable tls',
        'unavailable connect_timeout',
        'unavailable reset_before_sent',
        'misconfigured egress_denied',
        'unconfirmed timeout',
        'unconfirmed reset',
      ]);
    });

    it('reads any answer at all, and believes only a whole one with its own success code', () => {
      const body = fc.oneof(
        fc.string({ unit: 'binary' }),
        fc.json(),
        fc.constant('{"errcode":0.5,"code":0.5}'),
      );
      const answer = fc.record({
        body,
        httpStatus: fc.integer({ min: 200, max: 599 }),
        isCutOff: fc.boolean(),
      });

      fc.assert(
        fc.property(answer, (changes) => {
          const verdict = provider.classify(answered(changes.body, changes));

          expect(OUTCOMES).toContain(verdict.outcome);
          expect(REASONS).toContain(verdict.reason);
          expect(verdict.outcome).not.toBe('delivered');
        }),
      );
    });

    it('repeats no secret that an answer repeats, and no more than 2 KiB', () => {
      const echo = `url /robot/send?access_token=canary1&sign=canary2 hook/canary3/x ${'告'.repeat(3_000)}`;

      const verdict = provider.classify(answered(example.refusal(999_999, echo)));

      expect(verdict.reason).toBe('unknown_code');
      expect(verdict.providerText).not.toContain('canary');
      expect(Buffer.byteLength(verdict.providerText ?? '')).toBeLessThanOrEqual(2_048);
    });
  });
}
