import { AlertcardError, type ErrorCode } from '../domain/errors.ts';

/** Exit codes are contract. */
export const EXIT = { ok: 0, failed: 1, wrongUsage: 2, untrustedStore: 3 } as const;

const WRONG_USAGE: readonly ErrorCode[] = ['config_invalid', 'template_invalid'];
const UNTRUSTED_STORE: readonly ErrorCode[] = [
  'store_corrupt',
  'store_foreign',
  'store_newer',
  'store_in_use',
  'store_not_durable',
];

/** The command line is not one the command takes; the message says why. */
export class UsageError extends Error {}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.wrongUsage;
  if (!(error instanceof AlertcardError)) return EXIT.failed;
  if (WRONG_USAGE.includes(error.code)) return EXIT.wrongUsage;
  return UNTRUSTED_STORE.includes(error.code) ? EXIT.untrustedStore : EXIT.failed;
}
