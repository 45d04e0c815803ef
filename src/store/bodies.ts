import { promisify } from 'node:util';
import { deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib';
import type { Connection } from './connection.ts';

/** Below this a body fits a page or two and compressing saves no I/O. */
const DEFLATE_ABOVE_BYTES = 4 * 1024;
/** zlib's fastest: alert JSON shrinks about tenfold already. */
const DEFLATE_LEVEL = 1;

interface StoredBody {
  readonly isDeflated: 0 | 1;
  readonly body: Uint8Array;
}

const INSERT_BODY_SQL = 'INSERT INTO inbox_bodies (seq, is_deflated, body) VALUES (?, ?, ?)';
const BODY_SQL = 'SELECT is_deflated AS isDeflated, body FROM inbox_bodies WHERE seq = ?';

const inflateLater = promisify(inflateRaw);

/** Keeps a body, compressed when that makes it smaller. */
export function writeBody(db: Connection, seq: number, body: Uint8Array): void {
  const deflated =
    body.byteLength > DEFLATE_ABOVE_BYTES ? deflateRawSync(body, { level: DEFLATE_LEVEL }) : undefined;
  if (deflated !== undefined && deflated.byteLength < body.byteLength)
    db.run(INSERT_BODY_SQL, seq, 1, deflated);
  else db.run(INSERT_BODY_SQL, seq, 0, body);
}

/** The body as it was received; empty when it has been pruned. */
export function readBody(db: Connection, seq: number): Uint8Array {
  const stored = db.get<StoredBody>(BODY_SQL, seq);
  if (stored === undefined) return new Uint8Array();
  return stored.isDeflated === 1 ? inflateRawSync(stored.body) : stored.body;
}

/** As `readBody`, decompressing off the calling thread. */
export async function readBodyLater(db: Connection, seq: number): Promise<Uint8Array> {
  const stored = db.get<StoredBody>(BODY_SQL, seq);
  if (stored === undefined) return new Uint8Array();
  return stored.isDeflated === 1 ? await inflateLater(stored.body) : stored.body;
}
