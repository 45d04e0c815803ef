import { mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { AlertcardError } from '../domain/errors.ts';

/** File system types by their magic number: linux/include/uapi/linux/magic.h. */
const NETWORK_TYPES: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9p'],
  [0x00c36400, 'Ceph'],
]);
const FLEETING_TYPES: ReadonlyMap<number, string> = new Map([
  [0x01021994, 'tmpfs, which is lost with the machine'],
  [0x858458f6, 'ramfs, which is lost with the machine'],
  [0x794c7630, 'an overlay, which is lost with the container'],
]);

export type FilesystemVerdict =
  | { readonly kind: 'fit' }
  | { readonly kind: 'warned'; readonly name: string }
  | { readonly kind: 'refused'; readonly name: string };

/** Says whether a file system of this magic number keeps what it was told to keep. */
export function judgeFilesystem(type: number): FilesystemVerdict {
  const magic = type >>> 0;
  const network = NETWORK_TYPES.get(magic);
  if (network !== undefined) return { kind: 'refused', name: network };
  const fleeting = FLEETING_TYPES.get(magic);
  return fleeting === undefined ? { kind: 'fit' } : { kind: 'warned', name: fleeting };
}

/** Makes the database's folder if it is missing; refuses network file systems, returns warnings for fleeting ones. */
export function prepareFolder(path: string): readonly string[] {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const verdict = judgeFilesystem(statfsSync(folder).type);
  if (verdict.kind === 'fit') return [];
  if (verdict.kind === 'warned')
    return [`The database folder ${folder} is on ${verdict.name}; mount a volume there.`];
  throw new AlertcardError(
    'store_not_durable',
    `The database folder ${folder} is on ${verdict.name}, where SQLite cannot keep its promises. Put store.url on a local disk.`,
  );
}
