import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ladderOf, positionFor, positionUsed, rungAt } from '../../src/domain/ladder.ts';
import { OUTCOMES, REASONS, type Verdict } from '../../src/domain/outcome.ts';
import {
  type Attempted,
  decide,
  decideUncomposed,
  laneFailuresAfter,
  robotFailuresAfter,
} from '../../src/domain/settle.ts';

const MINUTE = 60_000;
const LAST = 3;

function attempted(verdict: Verdict, changes: Partial<Attempted> = {}): Attempted {
  return {
    verdict,
    provider: 'dingtalk',
    position: 0,
    ladderLength: LAST + 1,
    isPossibleRepeat: false,
    withoutMentions: false,
    laneFailures: { unavailable: 0, unconfirmed: 0 },
    robotFailures: { throttled: 0, misconfigured: 0 },
    wallMs: Date.UTC(2026, 0, 5, 2),
    random: 0.5,
    ...changes,
  };
}

const retry = { kind: 'retry', inMs: 0, rung: 0, isPossibleRepeat: false, withoutMentions: false };
const positions = [0, 1, 2, LAST];

describe('what follows an attempt', () => {
  it.each(positions)('ends the deliveries when it was delivered on rung %i', (position) => {
    const verdict: Verdict = { outcome: 'delivered', reason: 'ok' };

    const decision = decide(attempted(verdict, { position }));

    expect(decision).toEqual({
      verdict,
      next: { kind: 'delivered' },
      robotPause: undefined,
      laneBackoffMs: 0,
    });
  });

  it.each(positions)('pauses a throttled robot and is due at once for another on rung %i', (position) => {
    const verdict: Verdict = { outcome: 'throttled', reason: 'rate_limited' };

    const decision = decide(attempted(verdict, { position }));

    expect(decision).toEqual({
      verdict,
      next: { ...retry, rung: position },
      robotPause: { outcome: 'throttled', reason: 'rate_limited', forMs: 10 * MINUTE, scope: 'robot' },
      laneBackoffMs: 0,
    });
  });

  it('pauses every robot of the provider behind the flood guard', () => {
    const decision = decide(attempted({ outcome: 'throttled', reason: 'flood_guard' }));

    expect(decision.robotPause).toMatchObject({ scope: 'provider', forMs: 5 * MINUTE });
  });

  it.each(positions)('backs the lane off when robots cannot be reached, on rung %i', (position) => {
    const verdict: Verdict = { outcome: 'unavailable', reason: 'dns' };
    const laneFailures = { unavailable: 2, unconfirmed: 0 };

    const decision = decide(attempted(verdict, { position, laneFailures }));

    expect(decision).toEqual({
      verdict,
      next: { ...retry, rung: position, inMs: 5_000 },
      robotPause: undefined,
      laneBackoffMs: 5_000,
    });
  });

  it.each(positions)('pauses a misconfigured robot until its probe, on rung %i', (position) => {
    const verdict: Verdict = { outcome: 'misconfigured', reason: 'bad_signature' };
    const robotFailures = { throttled: 0, misconfigured: 1 };

    const decision = decide(attempted(verdict, { position, robotFailures }));

    expect(decision).toEqual({
      verdict,
      next: { ...retry, rung: position },
      robotPause: { outcome: 'misconfigured', reason: 'bad_signature', forMs: 5 * MINUTE, scope: 'robot' },
      laneBackoffMs: 0,
    });
  });

  it.each([0, 1, 2])('goes down from rung %i at once when the message was rejected', (position) => {
    const verdict: Verdict = { outcome: 'rejected', reason: 'too_long' };

    const decision = decide(attempted(verdict, { position }));

    expect(decision).toEqual({
      verdict,
      next: { ...retry, rung: position + 1 },
      robotPause: undefined,
      laneBackoffMs: 0,
    });
  });

  it('blames the robot when even the bare rung was rejected, and starts the line over for its probe', () => {
    const verdict: Verdict = { outcome: 'rejected', reason: 'unknown_code', providerCode: '999' };

    const decision = decide(attempted(verdict, { position: LAST }));

    expect(decision).toEqual({
      verdict: { outcome: 'misconfigured', reason: 'bare_refused', providerCode: '999' },
      next: retry,
      robotPause: { outcome: 'misconfigured', reason: 'bare_refused', forMs: MINUTE, scope: 'robot' },
      laneBackoffMs: 0,
    });
  });

  it.each(positions)('costs the mentions and no rung when a mention was refused on rung %i', (position) => {
    const decision = decide(attempted({ outcome: 'rejected', reason: 'bad_mention' }, { position }));

    expect(decision.next).toEqual({ ...retry, rung: position, withoutMentions: true });
    expect(decision.robotPause).toBeUndefined();
  });

  it('costs a rung when a mention is refused in a card without mentions', () => {
    const facts = attempted({ outcome: 'rejected', reason: 'bad_mention' }, { withoutMentions: true });

    const decision = decide(facts);

    expect(decision.next).toEqual({ ...retry, rung: 1, withoutMentions: true });
  });

  it.each(positions)('backs off and marks a possible repeat when unconfirmed on rung %i', (position) => {
    const verdict: Verdict = { outcome: 'unconfirmed', reason: 'timeout' };

    const decision = decide(attempted(verdict, { position }));

    expect(decision).toEqual({
      verdict,
      next: { ...retry, rung: position, inMs: 10_000, isPossibleRepeat: true },
      robotPause: undefined,
      laneBackoffMs: 10_000,
    });
  });

  it('remembers a possible repeat through the failures that follow', () => {
    const facts = attempted({ outcome: 'unavailable', reason: 'dns' }, { isPossibleRepeat: true });

    const decision = decide(facts);

    expect(decision.next).toMatchObject({ isPossibleRepeat: true });
  });

  it('lets only the line wait when no message could be made of it', () => {
    const decision = decideUncomposed(
      attempted({ outcome: 'rejected', reason: 'bad_message' }, { position: LAST }),
    );

    expect(decision.next).toEqual({ ...retry, rung: LAST, inMs: 5 * MINUTE });
    expect([decision.robotPause, decision.laneBackoffMs]).toEqual([undefined, 0]);
  });

  it('is total: every verdict in every state delivers or is retried on a rung of the ladder', () => {
    const verdict = fc.record(
      {
        outcome: fc.constantFrom(...OUTCOMES),
        reason: fc.constantFrom(...REASONS),
        waitMs: fc.oneof(fc.double(), fc.integer()),
      },
      { requiredKeys: ['outcome', 'reason'] },
    );
    const count = fc.nat({ max: 1_000 });
    const state = fc.record({
      provider: fc.constantFrom('dingtalk' as const, 'feishu' as const),
      position: fc.integer({ min: 0, max: LAST }),
      isPossibleRepeat: fc.boolean(),
      withoutMentions: fc.boolean(),
      laneFailures: fc.record({ unavailable: count, unconfirmed: count }),
      robotFailures: fc.record({ throttled: count, misconfigured: count }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(verdict, state, (said, changes) => {
        const { next, robotPause, laneBackoffMs } = decide(attempted(said, changes));

        expect(next.kind === 'delivered').toBe(said.outcome === 'delivered');
        expect(Number.isFinite(laneBackoffMs) && laneBackoffMs >= 0).toBe(true);
        if (robotPause !== undefined) expect(robotPause.forMs).toBeGreaterThan(0);
        if (next.kind === 'delivered') return;
        expect(next.rung).toBeGreaterThanOrEqual(0);
        expect(next.rung).toBeLessThanOrEqual(LAST);
        expect(Number.isFinite(next.inMs) && next.inMs >= 0).toBe(true);
        expect(next.isPossibleRepeat || !changes.isPossibleRepeat).toBe(true);
        expect(next.withoutMentions || !changes.withoutMentions).toBe(true);
        // What is due at once has gone down a rung, lost its mentions, or waits for another robot.
        const isLess = next.rung > changes.position || (next.withoutMentions && !changes.withoutMentions);
        expect(next.inMs > 0 || isLess || robotPause !== undefined).toBe(true);
      }),
    );
  });
});

describe('failures in a row', () => {
  const lane = { unavailable: 3, unconfirmed: 2 };
  const robot = { throttled: 3, misconfigured: 2 };

  it.each([
    ['delivered', { unavailable: 0, unconfirmed: 0 }, { throttled: 0, misconfigured: 0 }],
    ['throttled', { unavailable: 0, unconfirmed: 0 }, { throttled: 4, misconfigured: 2 }],
    ['misconfigured', { unavailable: 0, unconfirmed: 0 }, { throttled: 3, misconfigured: 3 }],
    ['rejected', { unavailable: 0, unconfirmed: 0 }, robot],
    ['unavailable', { unavailable: 4, unconfirmed: 2 }, robot],
    ['unconfirmed', { unavailable: 3, unconfirmed: 3 }, robot],
  ] as const)('are counted for lane and robot after %s', (outcome, ofLane, ofRobot) => {
    const verdict: Verdict = { outcome, reason: 'ok' };

    expect(laneFailuresAfter(lane, verdict)).toEqual(ofLane);
    expect(robotFailuresAfter(robot, verdict)).toEqual(ofRobot);
  });
});

describe('the ladder', () => {
  it.each([
    ['dingtalk', 'card', ['card', 'markdown', 'text', 'bare']],
    ['dingtalk', 'text', ['text', 'bare']],
    ['feishu', 'card2', ['card2', 'card1', 'text', 'bare']],
    ['feishu', 'card1', ['card1', 'text', 'bare']],
  ] as const)('of %s begins at the form %s', (provider, form, expected) => {
    expect(ladderOf({ provider, form })).toEqual(expected);
  });

  it.each([
    [{ rung: 0, interruptions: 0 }, 'card'],
    [{ rung: 0, interruptions: 1 }, 'card'],
    [{ rung: 0, interruptions: 2 }, 'bare'],
    [{ rung: 2, interruptions: 0 }, 'text'],
    [{ rung: 9, interruptions: 0 }, 'bare'],
    [{ rung: -1, interruptions: 0 }, 'card'],
  ] as const)('sends a line at %o as %s', (line, expected) => {
    const ladder = ladderOf({ provider: 'dingtalk', form: 'card' });

    const rung = rungAt(ladder, positionFor(ladder, line));

    expect(rung).toBe(expected);
  });

  it('records the rung that was really used when it is lower than the one asked for', () => {
    const ladder = ladderOf({ provider: 'dingtalk', form: 'card' });

    const used = [positionUsed(ladder, 0, 'text'), positionUsed(ladder, 2, 'card')];

    expect(used).toEqual([2, 2]);
  });
});
