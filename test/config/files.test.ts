import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { nodeFiles } from '../../src/config/files.ts';
import { loadConfig } from '../../src/config/load.ts';
import { MINIMAL } from './support.ts';

describe('the file system', () => {
  let folder = '';

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'alertcard-config-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('gives the configuration and its secrets, read anew each time', () => {
    const secret = join(folder, 'secret');
    writeFileSync(join(folder, 'alertcard.yaml'), MINIMAL.replace('a-secret', `"\${file:${secret}}"`));
    const request = { path: undefined, env: {}, cwd: folder, files: nodeFiles };
    const secretNow = () => {
      const auth = loadConfig(request).settings.sources.get('grafana')?.auth;
      return auth?.kind === 'hmac' ? auth.secrets[0]?.reveal() : undefined;
    };

    writeFileSync(secret, 'first\n');
    const before = secretNow();
    writeFileSync(secret, 'second\n');
    const after = secretNow();

    expect([before, after]).toEqual(['first', 'second']);
  });

  it.each([
    [0o600, false],
    [0o644, true],
  ])('tells of mode %o whether everyone may read', (mode, expected) => {
    const path = join(folder, 'secret');
    writeFileSync(path, 'x');
    chmodSync(path, mode);

    const isOpen = nodeFiles.isWorldReadable(path);

    expect(isOpen).toBe(expected);
  });
});
