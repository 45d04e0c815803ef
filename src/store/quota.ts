import type { Connection } from './connection.ts';
import { PAGE_BYTES } from './pragmas.ts';

/** Share of the quota that new notifications may not use, so that outcomes can still be recorded when it is full. */
const RESERVED_SHARE = 0.02;
const RESERVED_MIN_PAGES = 64;

/** Pages in use, free ones inside the file not counted. */
export function usedPages(db: Connection): number {
  return Number(pragmaNumber(db, 'page_count')) - pragmaNumber(db, 'freelist_count');
}

export function usedBytes(db: Connection): number {
  return usedPages(db) * PAGE_BYTES;
}

/** Whether the quota leaves room for another `bytes` of notification. */
export function hasRoomFor(db: Connection, bytes: number): boolean {
  const quota = pragmaNumber(db, 'max_page_count');
  const reserved = Math.max(RESERVED_MIN_PAGES, quota * RESERVED_SHARE);
  return usedPages(db) + bytes / PAGE_BYTES <= quota - reserved;
}

// prepared once, unlike `db.pragma`: this runs for every notification
function pragmaNumber(db: Connection, name: string): number {
  const row = db.get<Record<string, number>>(`PRAGMA ${name}`);
  return row?.[name] ?? 0;
}
