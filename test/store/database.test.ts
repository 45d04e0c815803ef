import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPrivateFile, openReader, openWriter, requireVersion } from '../../src/store/database.ts';
import { judgeFilesystem } from '../../src/store/filesystem.ts';
import { checkPragmas, quotaPages, writerPragmas } from '../../src/store/pragmas.ts';
import { makeAccepted, openTestStore, tempFolder } from '../support/store.ts';

const MIB = 1024 ** 2;

function openTestWriter() {
  const path = join(tempFolder(), 'alertcard.db');
  createPrivateFile(path);
  const db = openWriter({ path, maxSizeBytes: 100 * MIB, busyTimeoutMs: 1_000 });
  onTestFinished(() => db.close());
  return { db, path };
}

describe('the write connection', () => {
  it.each([
    ['journal_mode', 'wal'],
    ['synchronous', 2],
    ['busy_timeout', 1_000],
    ['wal_autocheckpoint', 1_000],
    ['journal_size_limit', 64 * MIB],
    ['auto_vacuum', 2],
    ['max_page_count', Math.floor((100 * MIB * 7) / 8 / 4_096)],
    ['mmap_size', 0],
    ['cell_size_check', 1],
    ['trusted_schema', 0],
  ])('reads back %s as %s', (name, value) => {
    const { db } = openTestWriter();

    expect(db.pragma(name)).toBe(value);
  });

  it('syncs every commit also when a file is opened again', () => {
    const { db, path } = openTestWriter();
    db.close();

    const again = openWriter({ path, maxSizeBytes: 100 * MIB, busyTimeoutMs: 1_000 });
    onTestFinished(() => again.close());

    expect(again.pragma('synchronous')).toBe(2);
  });

  it.each([
    ['synchronous', 'NORMAL'],
    ['journal_mode', 'DELETE'],
  ])('is refused as not durable with %s at %s', (name, value) => {
    const { db } = openTestWriter();
    db.pragma(`${name} = ${value}`);

    expect(() => checkPragmas(db, writerPragmas(1_000))).toThrow(
      expect.objectContaining({ code: 'store_not_durable' }),
    );
  });

  it('leaves room in the quota for what a checkpoint may bring', () => {
    expect(quotaPages(1024 * MIB) * 4_096).toBe((1024 - 64) * MIB);
    expect(quotaPages(8 * MIB) * 4_096).toBe(7 * MIB);
  });

  it.each(['3.51.2', '3.7.0', '2.99.99'])('refuses SQLite %s, which can corrupt its log', (version) => {
    expect(() => requireVersion(version)).toThrow(expect.objectContaining({ code: 'store_not_durable' }));
  });

  it.each(['3.51.3', '3.53.0', '4.0.0'])('takes SQLite %s', (version) => {
    expect(() => requireVersion(version)).not.toThrow();
  });
});

describe('the read connection', () => {
  it('cannot write and hardly waits for a lock', () => {
    const { db, path } = openTestWriter();
    db.raw.exec('CREATE TABLE t (x)');
    const reader = openReader(path);
    onTestFinished(() => reader.close());

    expect(reader.pragma('busy_timeout')).toBe(100);
    expect(() => reader.run('INSERT INTO t VALUES (1)')).toThrow(/readonly/);
  });
});

describe('file systems', () => {
  it.each([
    [0x6969, 'refused'],
    [-11317950, 'refused'],
    [0x01021994, 'warned'],
    [0x794c7630, 'warned'],
    [0xef53, 'fit'],
  ])('of type %i are %s', (type, kind) => {
    expect(judgeFilesystem(type).kind).toBe(kind);
  });
});

describe('opening a file', () => {
  it('makes a missing folder and a file that only its owner can read', async () => {
    const path = join(tempFolder(), 'deep', 'er', 'alertcard.db');

    await openTestStore({ path });

    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}-wal`).mode & 0o777).toBe(0o600);
    expect(statSync(`${path}.owner`).mode & 0o777).toBe(0o600);
  });

  it('makes way for a folder that cannot be made with an error that says so', async () => {
    const file = join(tempFolder(), 'file');
    writeFileSync(file, '');

    await expect(openTestStore({ path: join(file, 'alertcard.db') })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
  });

  it('refuses a folder in the place of the file', async () => {
    const path = join(tempFolder(), 'alertcard.db');
    mkdirSync(path);

    await expect(openTestStore({ path })).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('refuses another program’s database and leaves it as it was', async () => {
    const path = join(tempFolder(), 'alertcard.db');
    new Sqlite(path).exec('CREATE TABLE theirs (x)').close();
    const before = readFileSync(path);

    await expect(openTestStore({ path })).rejects.toMatchObject({ code: 'store_foreign' });
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(existsSync(`${path}.owner`)).toBe(false);
  });

  it('refuses a newer schema and leaves the file as it was', async () => {
    const { store, path } = await openTestStore();
    await store.close();
    const db = new Sqlite(path);
    db.pragma('user_version = 99');
    db.close();
    const before = readFileSync(path);

    await expect(openTestStore({ path })).rejects.toMatchObject({ code: 'store_newer' });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses what is no database and leaves it as it was', async () => {
    const path = join(tempFolder(), 'alertcard.db');
    writeFileSync(path, 'not a database at all, but long enough to look at'.repeat(40));
    const before = readFileSync(path);

    await expect(openTestStore({ path })).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('refuses a damaged database and leaves it as it was', async () => {
    const { store, path } = await openTestStore();
    await store.accept(makeAccepted());
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4_096 * 3, 4_096 * 12);
    writeFileSync(path, bytes);

    await expect(openTestStore({ path })).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('takes an empty file for a new one', async () => {
    const path = join(tempFolder(), 'alertcard.db');
    writeFileSync(path, '');

    const { store } = await openTestStore({ path });

    expect((await store.accept(makeAccepted())).kind).toBe('kept');
  });

  it('refuses a second server on the same file, naming the first, which goes on', async () => {
    const { store, path } = await openTestStore();

    const second = openTestStore({ path });

    await expect(second).rejects.toMatchObject({
      code: 'store_in_use',
      message: expect.stringContaining(`process ${process.pid}`),
    });
    expect((await store.accept(makeAccepted())).kind).toBe('kept');
    await expect(openTestStore({ path })).rejects.toMatchObject({ code: 'store_in_use' });
  });

  it('opens again after the first has closed', async () => {
    const { store, path } = await openTestStore();
    await store.close();

    const { store: second } = await openTestStore({ path });

    expect((await second.accept(makeAccepted())).kind).toBe('kept');
  });

  it('leaves a single file without a log after closing', async () => {
    const { store, path } = await openTestStore();
    await store.accept(makeAccepted());
    await store.close();
    const copy = join(tempFolder(), 'copy.db');
    copyFileSync(path, copy);

    const { store: reopened } = await openTestStore({ path: copy });

    expect((await reopened.notifications({ limit: 5 })).items).toHaveLength(1);
  });
});
