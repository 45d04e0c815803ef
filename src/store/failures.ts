import type { ErrorCode } from '../domain/errors.ts';
import { AlertcardError } from '../domain/errors.ts';

/** What a failed write means for whoever asked for it, and whether the writer may go on. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  /** The writer must stop: after a failed fsync a second one may claim success for pages that never reached the disk. */
  readonly isFatal: boolean;
  /** For the event `store_writable`. */
  readonly reason: string;
}

/** SQLite's result code of an error, `''` for errors that are not SQLite's. */
export function sqliteCode(error: unknown): string {
  if (!(error instanceof Error) || !('code' in error)) return '';
  return typeof error.code === 'string' && error.code.startsWith('SQLITE_') ? error.code : '';
}

export function isBusy(error: unknown): boolean {
  return sqliteCode(error).startsWith('SQLITE_BUSY');
}

/** Classifies an error thrown while a transaction ran. Our own are all for want of room: see `requireRoom`. */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof AlertcardError)
    return { code: error.code, message: error.message, isFatal: false, reason: 'full' };
  const code = sqliteCode(error);
  const text = error instanceof Error ? error.message : String(error);
  if (code.startsWith('SQLITE_FULL'))
    return unavailable('The database is full: raise store.retention.max_size or free disk space.', 'full');
  if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_CANTOPEN'))
    return unavailable(
      `The database cannot be written (${text}): check the folder's permissions.`,
      'read_only',
    );
  if (code.startsWith('SQLITE_BUSY'))
    return unavailable('Another process holds the database locked.', 'busy');
  if (code.startsWith('SQLITE_IOERR'))
    return {
      code: 'store_outcome_unknown',
      message: `The disk failed while writing (${text}); whether it was kept is known after a restart.`,
      isFatal: true,
      reason: 'io_error',
    };
  if (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB')
    return {
      code: 'store_unavailable',
      message: `The database is damaged (${text}): stop, keep the files, restore a backup.`,
      isFatal: true,
      reason: 'corrupt',
    };
  return { code: 'internal_error', message: `The store failed: ${text}`, isFatal: false, reason: 'internal' };
}

function unavailable(message: string, reason: string): Failure {
  return { code: 'store_unavailable', message, isFatal: false, reason };
}
