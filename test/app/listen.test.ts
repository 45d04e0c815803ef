import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { nodeFiles } from '../../src/config/files.ts';
import { loadConfig } from '../../src/config/load.ts';

describe('the application', () => {
  it('writes one line when it listens: version, address and channels', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'alertcard-listen-'));
    const env = { ALERTCARD_LISTEN: '127.0.0.1:0', ALERTCARD_DATA: folder };
    const { settings } = loadConfig({
      path: undefined,
      env,
      cwd: folder,
      files: nodeFiles,
      placeholders: true,
    });
    const lines: string[] = [];
    const app = await buildApp(settings, { version: '1.2.3', log: { write: (line) => lines.push(line) } });

    const address = await app.listen();
    await app.close();
    rmSync(folder, { recursive: true, force: true });

    const listening = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'listening');
    expect(listening).toEqual([
      expect.objectContaining({
        level: 'info',
        version: '1.2.3',
        address,
        sources: ['grafana'],
        channels: [...settings.channels.keys()],
        sandbox: false,
      }),
    ]);
  });
});
