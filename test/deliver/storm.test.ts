import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/domain/outcome.ts';
import { RateCounter } from '../../src/sandbox/rate.ts';
import { channel, DELIVERED, type Rig, robot, settingsOf, startRig, THROTTLED, WRONG_TOKEN } from './rig.ts';

const MINUTE = 60_000;
const SECOND = 1_000;
/** As DingTalk counts: https://open.dingtalk.com/document/orgapp/custom-robot-access */
const VENDOR = { perSecond: undefined, perMinute: 20, muteMs: 10 * MINUTE };

interface Burst {
  readonly atSecond: number;
  readonly to: 'ops' | 'other';
  readonly groups: number;
  readonly rank: number;
}

const bursts = fc.array(
  fc.record({
    atSecond: fc.nat(120),
    to: fc.constantFrom('ops' as const, 'other' as const),
    groups: fc.integer({ min: 1, max: 60 }),
    rank: fc.nat(3),
  }),
  { minLength: 1, maxLength: 6 },
);

/** Puts bursts of groups at their seconds and lets time pass until the storm is over. */
async function play(rig: Rig, all: readonly Burst[]): Promise<number> {
  let kept = 0;
  for (let second = 0; second <= 120; second += 1) {
    for (const { to, groups, rank } of all.filter(({ atSecond }) => atSecond === second)) {
      rig.put(
        to,
        ...Array.from({ length: groups }, (_each, index) => ({ group: `${to} ${kept + index}`, rank })),
      );
      kept += groups;
    }
    await rig.clock.advance(SECOND);
  }
  await rig.clock.advance(3 * MINUTE);
  return kept;
}

function busiestMinute(rig: Rig, key: string): number {
  const times = rig.sent.filter(({ robotKey }) => robotKey === key).map(({ at }) => at);
  return Math.max(0, ...times.map((end) => times.filter((at) => at > end - MINUTE && at <= end).length));
}

describe('several robots in one chat under a storm', () => {
  it('never push one past its vendor’s rate, and carry on without the throttled and the misconfigured one', async () => {
    await fc.assert(
      fc.asyncProperty(bursts, fc.nat(40), async (all, throttledFrom) => {
        const rig = await startRig(
          settingsOf(
            channel('ops', { robots: [robot('throttled'), robot('wrong'), robot('shared')] }),
            channel('other', { robots: [robot('shared')] }),
          ),
        );
        const counters = new Map(
          ['throttled', 'wrong', 'shared'].map((key) => [key, new RateCounter(VENDOR)]),
        );
        const refused: string[] = [];
        const start = rig.clock.now();
        rig.answer(({ robotKey, at }): Verdict => {
          if (counters.get(robotKey)?.take(at) !== true) refused.push(robotKey);
          if (robotKey === 'wrong') return WRONG_TOKEN;
          if (robotKey === 'throttled' && at >= start + throttledFrom * SECOND) return THROTTLED;
          return DELIVERED;
        });

        const kept = await play(rig, all);

        const ended = new Set(
          rig.events.flatMap((event) =>
            event.kind === 'attempted'
              ? event.deliveries.flatMap(({ deliveryId, state }) => (state === 'delivered' ? deliveryId : []))
              : [],
          ),
        );
        expect(refused).toEqual([]);
        for (const key of counters.keys()) expect(busiestMinute(rig, key)).toBeLessThanOrEqual(18);
        expect(ended.size).toBe(kept);
        expect(rig.store.openLeases()).toBe(0);
      }),
      { numRuns: 10 },
    );
  });
});
