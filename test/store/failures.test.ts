import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { AlertcardError } from '../../src/domain/errors.ts';
import { classifyFailure, isBusy } from '../../src/store/failures.ts';

describe('what a failed write means', () => {
  it.each([
    ['SQLITE_FULL', 'store_unavailable', 'full', false],
    ['SQLITE_READONLY', 'store_unavailable', 'read_only', false],
    ['SQLITE_READONLY_DIRECTORY', 'store_unavailable', 'read_only', false],
    ['SQLITE_CANTOPEN', 'store_unavailable', 'read_only', false],
    ['SQLITE_BUSY', 'store_unavailable', 'busy', false],
    ['SQLITE_BUSY_SNAPSHOT', 'store_unavailable', 'busy', false],
    ['SQLITE_IOERR', 'store_outcome_unknown', 'io_error', true],
    ['SQLITE_IOERR_FSYNC', 'store_outcome_unknown', 'io_error', true],
    ['SQLITE_CORRUPT', 'store_unavailable', 'corrupt', true],
    ['SQLITE_CORRUPT_INDEX', 'store_unavailable', 'corrupt', true],
    ['SQLITE_NOTADB', 'store_unavailable', 'corrupt', true],
    ['SQLITE_CONSTRAINT_UNIQUE', 'internal_error', 'internal', false],
  ])('%s: %s', (sqliteCode, code, reason, isFatal) => {
    const failure = classifyFailure(new Sqlite.SqliteError('detail', sqliteCode));

    expect(failure).toMatchObject({ code, reason, isFatal });
  });

  it('keeps the code of an error of our own', () => {
    const failure = classifyFailure(new AlertcardError('store_unavailable', 'no room'));

    expect(failure).toMatchObject({ code: 'store_unavailable', message: 'no room', isFatal: false });
  });

  it.each([new TypeError('slip'), 'thrown text', undefined])('takes %s for a fault of our own', (error) => {
    expect(classifyFailure(error).code).toBe('internal_error');
    expect(isBusy(error)).toBe(false);
  });
});
