import fc from 'fast-check';
import { runs } from '../support/budget.ts';

/** fast-check's own default, for the properties that name no number. */
const USUAL_RUNS = 100;

fc.configureGlobal({ numRuns: runs(USUAL_RUNS) });
