import type { Connection } from './connection.ts';
import { PAGE_BYTES } from './pragmas.ts';

/** Share of the quota that new notifications may not use, so that outcomes can still be recorded when it is full. */
const RESERVED_SHARE = 0.02;
const RESERVED_MIN_PAGES = 64;

/** Bytes in use, free pages inside the file not counted. */
export function usedBytes(db: Connection): number {
  return (Number(db.pragma('page_count')) - Number(db.pragma('freelist_count'))) * PAGE_BYTES;
}

/** A store that was full counts as writable again from so much room on, lest it be so for one notification only. */
const ROOM_AGAIN_SHARE = 0.05;

export function hasRoomAgain(db: Connection): boolean {
  return roomBytes(db) > Number(db.pragma('max_page_count')) * PAGE_BYTES * ROOM_AGAIN_SHARE;
}

/** Bytes of notifications the quota still has room for; negative when it has none. */
export function roomBytes(db: Connection): number {
  const quota = Number(db.pragma('max_page_count'));
  const reserved = Math.max(RESERVED_MIN_PAGES, quota * RESERVED_SHARE);
  return (quota - reserved) * PAGE_BYTES - usedBytes(db);
}
