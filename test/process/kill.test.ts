import { describe, expect, it } from 'vitest';
import { type Change, changedBuild } from '../support/changed-build.ts';
import { killRounds } from './kill-rounds.ts';

/**
 * Answers `kept` at once and writes a little later: what every tool does that stores after answering. The
 * kill test is worth something only if it catches this one.
 */
const ANSWERS_FIRST: Change = {
  file: 'receive/accept.js',
  find: 'await deps.store.accept(buildAccepted(planned.arrival, planned.deliveries))',
  replace:
    "await ((accepted) => { setTimeout(() => void deps.store.accept(accepted).catch(() => undefined), 30); return { kind: 'kept', id: accepted.entry.id, seq: 0 }; })" +
    '(buildAccepted(planned.arrival, planned.deliveries))',
};

describe('SIGKILL at random moments under load', () => {
  it('loses nothing that was answered 2xx, in 25 rounds', async () => {
    const report = await killRounds(25);

    expect(report.acknowledged).toBeGreaterThan(25);
    expect(report.lost).toEqual([]);
    expect(report.stuck).toEqual([]);
    expect(report.integrity).toEqual(['ok']);
  });

  it('catches a build that answers before the commit', async () => {
    const report = await killRounds(6, changedBuild(ANSWERS_FIRST));

    expect(report.acknowledged).toBeGreaterThan(6);
    expect(report.lost.length).toBeGreaterThan(0);
  });
});
