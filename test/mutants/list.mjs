/**
 * Builds with one thing wrong that would lose, repeat or falsify an alert, and the tests that must notice.
 * `find` stands in its file exactly once; `npm run test:mutants` fails when it does not, and when a mutant lives.
 */
export const MUTANTS = [
  {
    name: 'the database syncs at checkpoints only',
    file: 'src/store/pragmas.ts',
    find: "{ name: 'synchronous', set: 'FULL', expect: 2 }",
    replace: "{ name: 'synchronous', set: 'NORMAL', expect: 1 }",
    tests: ['test/store/database.test.ts'],
  },
  {
    name: 'the answer goes out before the commit',
    file: 'src/receive/accept.ts',
    find: 'result = await deps.store.accept(buildAccepted(planned.arrival, planned.deliveries));',
    replace: `void deps.store.accept(buildAccepted(planned.arrival, planned.deliveries)).catch(() => undefined);
    result = { kind: 'kept', id: planned.arrival.id, seq: 0 } as AcceptResult;`,
    tests: ['test/receive/plugin.test.ts'],
  },
  {
    name: 'a settle needs no token',
    file: 'src/store/attempts.ts',
    find: "'SELECT seq, channel FROM attempts INDEXED BY attempts_token WHERE token = ? AND outcome IS NULL'",
    replace: "'SELECT seq, channel FROM attempts WHERE ? IS NOT NULL AND outcome IS NULL'",
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'a lease ends at once',
    file: 'src/store/attempts.ts',
    find: 'const expiresAt = turn.now + leaseMs;',
    replace: 'const expiresAt = turn.now + 0 * leaseMs;',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'a claim is not committed before its card is sent',
    file: 'src/store/batch.ts',
    find: "db.raw.exec('COMMIT');",
    replace: "db.raw.exec(intents.every(({ kind }) => kind === 'claim') ? 'ROLLBACK' : 'COMMIT');",
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'what an earlier process left open stays open',
    file: 'src/store/recover.ts',
    find: "cutOffAttempt(turn, attempt, 'interrupted');",
    replace: "if (attempt.seq < 0) cutOffAttempt(turn, attempt, 'interrupted');",
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'an interrupted card is not marked as a possible repeat',
    file: 'src/store/attempts.ts',
    find: 'interruptions = interruptions + 1, is_possible_repeat = 1',
    replace: 'interruptions = interruptions + 1',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'a duplicate need not be the latest of its group',
    file: 'src/store/inbox.ts',
    find: 'turn.db.get<EarlierRow>(LATEST_OF_SCOPE_SQL, scopeHash);',
    replace: `turn.db.get<EarlierRow>(
    \`SELECT \${EARLIER_COLUMNS} FROM inbox WHERE scope_hash = ? AND dedup_key = ? ORDER BY seq DESC LIMIT 1\`,
    scopeHash,
    dedup.key,
  );`,
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'a replay key is not kept',
    file: 'src/store/inbox.ts',
    find: 'entry.replay?.key ?? null,',
    replace: 'null,',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'a lane takes the oldest line first, however bad the others are',
    file: 'src/store/claim.ts',
    find: 'ORDER BY rank, since_seq LIMIT ?',
    replace: 'ORDER BY since_seq LIMIT ?',
    tests: ['test/store/sqlite.test.ts'],
  },
  {
    name: 'the writer goes on after a failed sync',
    file: 'src/store/failures.ts',
    find: "isFatal: true,\n      reason: 'io_error',",
    replace: "isFatal: false,\n      reason: 'io_error',",
    tests: ['test/store/failures.test.ts'],
  },
  {
    name: 'the fold drops what was resolved meanwhile',
    file: 'src/domain/fold.ts',
    find: 'const alert = withStoredStatus(sighting, state);',
    replace: `const alert = withStoredStatus(sighting, state);
    if (alert.status === 'resolved' && read.length > 1) continue;`,
    tests: ['test/domain/fold.test.ts'],
  },
  {
    name: 'pacing starts anew with the process',
    file: 'src/deliver/engine.ts',
    find: 'this.#ledger.seed(robotKey, await this.#deps.store.recentAttempts(robotKey, PACING_WINDOW_MS));',
    replace: 'await this.#deps.store.recentAttempts(robotKey, PACING_WINDOW_MS);',
    tests: ['test/deliver/lane.test.ts'],
  },
  {
    name: 'a verdict the store did not take is dropped',
    file: 'src/deliver/settle-surely.ts',
    find: 'if (deps.clock.now() + waitMs > lease.endsAt) return undefined;',
    replace: 'if (deps.clock.now() + waitMs < lease.endsAt) return undefined;',
    tests: ['test/deliver/store-faults.test.ts'],
  },
  {
    name: 'any code of the robot is a success',
    file: 'src/channels/dingtalk/classify.ts',
    find: 'if (code === 0) return',
    replace: 'if (Number.isFinite(code)) return',
    tests: ['test/channels/dingtalk/classify.test.ts'],
  },
];
