import { describe } from 'vitest';
import type { Store } from '../../src/domain/store.ts';
import type { ManualClock } from '../support/store.ts';
import { acceptSuite } from './conformance/accept.ts';
import { actSuite } from './conformance/act.ts';
import { alertStateSuite } from './conformance/alert-states.ts';
import { claimSuite } from './conformance/claim.ts';
import { digestSuite } from './conformance/digest.ts';
import { endingSuite } from './conformance/endings.ts';
import { historySuite } from './conformance/history.ts';
import { interruptionSuite } from './conformance/interruption.ts';
import { settleSuite } from './conformance/settle.ts';
import { stateSuite } from './conformance/state.ts';

/** A store and what a test may do to it. */
interface Subject {
  readonly store: Store;
  readonly clock: ManualClock;
  /** Closes and opens it again. */
  reopen(): Promise<Store>;
  /** Drops it as a crash would and opens it again. */
  crash(): Promise<Store>;
}

export type OpenSubject = () => Promise<Subject>;

/** What every store must do, whatever database is under it. */
export function describeStore(name: string, open: OpenSubject): void {
  describe(name, () => {
    acceptSuite(open);
    claimSuite(open);
    digestSuite(open);
    settleSuite(open);
    interruptionSuite(open);
    endingSuite(open);
    actSuite(open);
    alertStateSuite(open);
    stateSuite(open);
    historySuite(open);
  });
}
