import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Secret } from '../domain/secret.ts';
import type { Settings } from '../domain/settings.ts';

/** Where the token made at first start lies: beside the store file, mode 0600. */
function adminTokenPath(settings: Settings): string {
  return join(dirname(settings.store.path), 'admin-token');
}

/**
 * The token `/api` asks for: the configured one, else the one in `<data>/admin-token`, made at first
 * start. There is no way to run without one.
 */
export async function ensureAdminToken(settings: Settings): Promise<Secret> {
  if (settings.server.adminToken !== undefined) return settings.server.adminToken;
  const path = adminTokenPath(settings);
  const kept = await readToken(path);
  if (kept !== undefined) return new Secret(kept);

  const token = randomBytes(32).toString('base64url');
  await mkdir(dirname(path), { recursive: true });
  // Written aside and renamed: a crash in between leaves no empty token behind.
  await writeFile(`${path}.new`, `${token}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
  return new Secret(token);
}

async function readToken(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, 'utf8')).trim();
    return text === '' ? undefined : text;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
