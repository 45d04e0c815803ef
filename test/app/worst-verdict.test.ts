import { describe, expect, it } from 'vitest';
import { worstVerdict } from '../../src/app/worst-verdict.ts';
import type { Verdict } from '../../src/domain/outcome.ts';

function verdict(outcome: Verdict['outcome'], reason: Verdict['reason']): Verdict {
  return { outcome, reason };
}

const DELIVERED = verdict('delivered', 'ok');
const THROTTLED = verdict('throttled', 'rate_limited');
const MISCONFIGURED = verdict('misconfigured', 'bad_signature');

describe('the worst of several verdicts', () => {
  it.each([
    ['a delivery when all were delivered', [DELIVERED, DELIVERED], DELIVERED],
    ['what failed, wherever it stands', [DELIVERED, THROTTLED, DELIVERED], THROTTLED],
    ['what only a person can mend before what passes', [THROTTLED, MISCONFIGURED], MISCONFIGURED],
    ['what failed before what still waits', [undefined, THROTTLED], THROTTLED],
    ['none while one still waits', [DELIVERED, undefined], undefined],
  ])('is %s', (_name, verdicts, expected) => {
    expect(worstVerdict(verdicts)).toBe(expected);
  });
});
