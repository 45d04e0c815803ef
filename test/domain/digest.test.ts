import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CALM,
  decideDigest,
  decideUncomposedDigest,
  foldDigest,
  mergeGroups,
  ruleFor,
  type Storm,
  stormAfter,
} from '../../src/domain/digest.ts';
import { goesAlone, linesToTake } from '../../src/domain/digest-rule.ts';
import type { Outcome, Reason } from '../../src/domain/outcome.ts';
import type { Attempted } from '../../src/domain/settle.ts';
import type { WorkLine } from '../../src/domain/work.ts';
import { lineOf, requestOf, SEVERITY } from '../support/card-input.ts';
import { fixture } from '../support/notification.ts';

const MANY = 200;

/** The sizes of the cards that so many due lines make, with `above` and ever so many tokens at each claim. */
function cards(due: number, above: number, tokens: number): number[] {
  const sizes: number[] = [];
  let storm: Storm = CALM;
  for (let left = due; left > 0; ) {
    const rule = ruleFor(storm, above, tokens);
    const taken = Math.min(linesToTake(left, rule, MANY), left);
    const isStorm = left > rule.above;
    left -= taken;
    const lines = Array<WorkLine>(taken).fill(lineOf([]).line);
    storm = stormAfter(storm, { lines, isStorm, hasMoreDue: left > 0 });
    sizes.push(taken);
  }
  return sizes;
}

describe('how many lines a card takes', () => {
  it.each([
    [1, 6, 15, [1]],
    [6, 6, 15, [1, 1, 1, 1, 1, 1]],
    [7, 6, 15, [1, 1, 1, 4]],
    [100, 6, 15, [1, 1, 1, 97]],
    [500, 6, 15, [1, 1, 1, 200, 200, 97]],
    [5, 6, 4, [1, 1, 3]],
    [3, 6, 1, [3]],
    [3, 1, 15, [3]],
  ])('of %i due lines, digests above %i and %i tokens is %j', (due, above, tokens, expected) => {
    expect(cards(due, above, tokens)).toEqual(expected);
  });

  it('never costs more cards than digests allow, and never a card for nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3_000 }), fc.integer({ min: 1, max: 30 }), (due, above) => {
        const sizes = cards(due, above, 1_000);

        expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(due);
        expect(sizes.length).toBeLessThanOrEqual(
          Math.max(above, Math.floor(above / 2) + Math.ceil(due / MANY)),
        );
      }),
    );
  });

  it('lets a line that shares no card go right after each digest', () => {
    const lines = Array<WorkLine>(2).fill(lineOf([]).line);

    const after = stormAfter(CALM, { lines, isStorm: true, hasMoreDue: true });

    expect(ruleFor(after, 6, 15).isAloneFirst).toBe(true);
    expect(
      ruleFor(stormAfter(after, { lines: lines.slice(1), isStorm: true, hasMoreDue: true }), 6, 15),
    ).toEqual({
      above: 0,
      ownCards: 2,
      isAloneFirst: false,
    });
  });

  it('starts anew once nothing is due any more', () => {
    const lines = Array<WorkLine>(1).fill(lineOf([]).line);

    expect(
      stormAfter(
        { isOn: true, ownCards: 3, isAloneNext: false },
        { lines, isStorm: true, hasMoreDue: false },
      ),
    ).toEqual(CALM);
  });
});

describe('what shares no card', () => {
  it.each([
    ['grafana', false, false],
    ['alertmanager', false, false],
    ['legacy', false, false],
    ['grafana', true, true],
    ['unreadable', false, true],
    ['stub', false, true],
    ['notice', false, true],
  ] as const)('%s, as a test %s: %s', (format, isTest, expected) => {
    expect(goesAlone(format, isTest)).toBe(expected);
  });
});

describe('what follows an attempt with several lines', () => {
  function attempted(outcome: Outcome, reason: Reason, given: Partial<Attempted> = {}): Attempted {
    return {
      verdict: { outcome, reason },
      provider: 'dingtalk',
      position: 0,
      ladderLength: 4,
      isPossibleRepeat: false,
      withoutMentions: false,
      laneFailures: { unavailable: 0, unconfirmed: 0 },
      robotFailures: { throttled: 0, misconfigured: 0 },
      wallMs: 0,
      random: 0.5,
      ...given,
    };
  }

  it('ends them all when the robot took it', () => {
    expect(decideDigest(attempted('delivered', 'ok')).next).toEqual({ kind: 'delivered' });
  });

  it('tells a refused one at once in our own words and lets its lines go singly', () => {
    const decision = decideDigest(attempted('rejected', 'unsafe_content'));

    expect(decision).toMatchObject({
      isBareNext: true,
      laneBackoffMs: 0,
      next: { kind: 'retry', inMs: 0, rung: 0, goAlone: true },
    });
  });

  it('never takes our own words for the delivery of what they do not show', () => {
    const decision = decideDigest(attempted('delivered', 'ok', { position: 3 }));

    expect(decision.verdict.outcome).toBe('delivered');
    expect(decision.isBareNext).toBeUndefined();
    expect(decision.next).toMatchObject({ kind: 'retry', inMs: 0, rung: 0, goAlone: true });
  });

  it('blames the robot when even our own words were refused', () => {
    const decision = decideDigest(attempted('rejected', 'bad_message', { position: 3 }));

    expect(decision.robotPause).toMatchObject({ reason: 'bare_refused' });
    expect(decision.isBareNext).toBeUndefined();
    expect(decision.next).toMatchObject({ rung: 0, goAlone: true });
  });

  it('gives up the mentions before it gives up the digest', () => {
    const decision = decideDigest(attempted('rejected', 'bad_mention'));

    expect(decision.isBareNext).toBeUndefined();
    expect(decision.next).toMatchObject({ rung: 0, withoutMentions: true });
    expect(decision.next).not.toHaveProperty('goAlone');
  });

  it.each([
    ['throttled', 'rate_limited'],
    ['unavailable', 'connect'],
    ['unconfirmed', 'timeout'],
    ['misconfigured', 'unknown_token'],
  ] as const)('lets the lines share a card again after %s, each in its best form', (outcome, reason) => {
    const { next } = decideDigest(attempted(outcome, reason, { position: 2 }));

    expect(next).toMatchObject({ kind: 'retry', rung: 0 });
    expect(next).not.toHaveProperty('goAlone');
  });

  it('lets the lines go singly when no message could be made of them', () => {
    expect(decideUncomposedDigest(attempted('rejected', 'bad_message')).next).toMatchObject({
      inMs: 0,
      goAlone: true,
    });
  });
});

describe('several groups as one', () => {
  const critical = requestOf([fixture('v13-firing-single')]).group;
  const mixed = requestOf([fixture('v13-mixed-firing-resolved-5')]).group;
  const resolved = requestOf([fixture('v13-resolved-single')]).group;

  it('puts the worst group first and those with nothing firing last', () => {
    const { groups, firingGroups, resolvedGroups } = foldDigest([resolved, mixed, critical], SEVERITY);

    expect(groups.at(-1)).toBe(resolved);
    expect([firingGroups, resolvedGroups]).toEqual([2, 1]);
  });

  it('counts every alert once, by severity and by whether it fires', () => {
    const { severities, groups } = foldDigest([mixed, resolved], SEVERITY);

    const merged = mergeGroups(groups);

    const firing = severities.reduce((sum, each) => sum + each.firing, 0);
    const over = severities.reduce((sum, each) => sum + each.over, 0);
    expect([firing, over]).toEqual([mixed.counts.firing, mixed.counts.resolved + resolved.counts.resolved]);
    expect(merged?.counts.total).toBe(firing + over);
  });

  it('fires when one of them does, and is a reminder only when all are', () => {
    const reminder = { ...critical, isReminder: true };

    expect(mergeGroups([resolved, reminder])).toMatchObject({ status: 'firing', isReminder: false });
    expect(mergeGroups([reminder, reminder])).toMatchObject({ isReminder: true });
    expect(mergeGroups([])).toBeUndefined();
  });
});
