import { AlertcardError } from '../domain/errors.ts';

/** Makes a list's opaque cursor from the last row's number. */
export function encodeCursor(seq: number): string {
  return Buffer.from(String(seq)).toString('base64url');
}

/** The number to list below; without a cursor, from the newest. */
export function decodeCursor(cursor: string | undefined): number {
  if (cursor === undefined) return Number.MAX_SAFE_INTEGER;
  const text = Buffer.from(cursor, 'base64url').toString();
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new AlertcardError(
      'bad_request',
      'This cursor is not one of ours: start the list again without it.',
    );
  return Number(text);
}
