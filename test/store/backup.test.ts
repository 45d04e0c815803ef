import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backupTo } from '../../src/store/backup.ts';
import { examine } from '../../src/store/doctor.ts';
import { makeAccepted, openTestStore, tempFolder } from '../support/store.ts';

describe('a backup', () => {
  it('holds everything committed before it, taken while the server runs', async () => {
    const { store, path } = await openTestStore();
    const accepted = makeAccepted({ body: 'safe' });
    await store.accept(accepted);
    const target = join(tempFolder(), 'backup.db');

    backupTo(path, target);

    expect((await store.accept(makeAccepted())).kind).toBe('kept');
    const { store: restored } = await openTestStore({ path: target });
    expect((await restored.notifications({ limit: 5 })).items.map(({ id }) => id)).toEqual([
      accepted.entry.id,
    ]);
    expect((await restored.body(accepted.entry.id))?.body.byteLength).toBe(4);
  });

  it('is readable by its owner only', async () => {
    const { path } = await openTestStore();
    const target = join(tempFolder(), 'backup.db');

    backupTo(path, target);

    expect(statSync(target).mode & 0o777).toBe(0o600);
  });

  it('never overwrites a file', async () => {
    const { path } = await openTestStore();
    const target = join(tempFolder(), 'precious');
    writeFileSync(target, 'precious');

    expect(() => backupTo(path, target)).toThrow(expect.objectContaining({ code: 'bad_request' }));
    expect(readFileSync(target, 'utf8')).toBe('precious');
  });

  it('that fails leaves no file behind', async () => {
    const { path } = await openTestStore();
    // SQLite takes no paths over 512 bytes; the system does.
    const folder = join(tempFolder(), 'a'.repeat(250), 'b'.repeat(250));
    mkdirSync(folder, { recursive: true });
    const target = join(folder, 'backup.db');

    expect(() => backupTo(path, target)).toThrow();
    expect(existsSync(target)).toBe(false);
  });

  it('says so when there is nothing to back up', () => {
    const target = join(tempFolder(), 'backup.db');

    expect(() => backupTo(join(tempFolder(), 'none.db'), target)).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
    expect(existsSync(target)).toBe(false);
  });
});

describe('the doctor', () => {
  it('finds a database of a running server in order', async () => {
    const { store, path } = await openTestStore();
    await store.accept(makeAccepted({ deliveries: [{ channel: 'a' }, { channel: 'b' }] }));

    const report = examine(path);

    expect(report).toMatchObject({
      integrity: ['ok'],
      schemaVersion: report.knownSchemaVersion,
      journalMode: 'wal',
      counts: { inbox: 1, deliveries: 2, lines: 2, attempts: 0, alerts: 0 },
    });
    expect(report.fileBytes + report.walBytes).toBe(await store.sizeBytes());
  });

  it('says so when there is no database', () => {
    expect(() => examine(join(tempFolder(), 'none.db'))).toThrow(
      expect.objectContaining({ code: 'not_found' }),
    );
  });

  it('refuses what is no database', () => {
    const path = join(tempFolder(), 'text.db');
    writeFileSync(path, 'just text, and rather a lot of it '.repeat(100));

    expect(() => examine(path)).toThrow(expect.objectContaining({ code: 'store_corrupt' }));
  });
});
