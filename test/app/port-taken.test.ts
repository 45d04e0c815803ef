import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { load, minimalWith } from '../config/support.ts';
import { tempFolder } from '../support/store.ts';

describe('a port that is taken', () => {
  it('ends the program after what it has begun, leaving the store free', async () => {
    const other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    onTestFinished(() => {
      other.close();
    });
    const { port } = other.address() as AddressInfo;
    const yaml = minimalWith({
      'server.listen': `127.0.0.1:${port}`,
      'store.url': `sqlite:${tempFolder()}/a.db`,
    });
    const { settings } = load({ yaml });
    const app = await buildApp(settings);
    onTestFinished(() => app.close());

    await expect(app.listen()).rejects.toMatchObject({ code: 'EADDRINUSE' });

    const next = await buildApp(settings);
    await next.close();
    await expect(app.closed).resolves.toBeUndefined();
  });
});
