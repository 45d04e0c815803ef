import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AlertState } from '../../src/domain/work.ts';
import { nextAlertState } from '../../src/store/alert-states.ts';

const anySighting = fc.record({
  fingerprint: fc.constant('f'),
  status: fc.constantFrom('firing', 'resolved'),
  startsAt: fc.option(fc.nat({ max: 100 })),
  endsAt: fc.option(fc.nat({ max: 100 })),
});

describe('alert states', () => {
  it('never go back to an earlier notification, and always take the newest status', () => {
    fc.assert(
      fc.property(fc.array(anySighting, { minLength: 1 }), (sightings) => {
        let state: AlertState | undefined;
        for (const [index, sighting] of sightings.entries()) {
          const next = nextAlertState(state, sighting, { seq: index + 1, receivedAt: 50 });
          if (next !== undefined) expect(next.changedSeq).toBeGreaterThan(state?.changedSeq ?? 0);
          state = next ?? state;
          expect(state?.status).toBe(sighting.status);
        }
      }),
    );
  });

  it('are not written again for the same notification', () => {
    fc.assert(
      fc.property(anySighting, (sighting) => {
        const first = nextAlertState(undefined, sighting, { seq: 1, receivedAt: 50 });

        expect(nextAlertState(first, sighting, { seq: 2, receivedAt: 60 })).toBeUndefined();
      }),
    );
  });
});
