import { resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startSandbox } from '../../src/app/sandbox.ts';
import type { Sandbox } from '../../src/commands/context.ts';
import type { Settings } from '../../src/domain/settings.ts';
import { load, minimalWith } from '../config/support.ts';

const running: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((sandbox) => sandbox.close()));
});

async function start(settings: Settings | undefined): Promise<Settings> {
  const sandbox = await startSandbox({ settings, dataDir: 'demo', onCard: () => undefined });
  running.push(sandbox);
  return sandbox.settings;
}

describe('the store of a sandbox', () => {
  it('is never the configured one: what waits there is not for look-alikes to end', async () => {
    const { settings: base } = load({ yaml: minimalWith({ 'store.url': 'sqlite:/var/lib/alerts.db' }) });

    const { store } = await start(base);

    expect(store.path).toBe('/var/lib/alerts.sandbox.db');
  });

  it('is the same for a demo and for whoever looks at what it left behind', async () => {
    const { settings: base } = load({
      yaml: minimalWith({ 'store.url': `sqlite:${resolve('demo')}/alertcard.db` }),
    });

    const paths = [(await start(undefined)).store.path, (await start(base)).store.path];

    expect(paths[0]).toBe(resolve('demo/alertcard.sandbox.db'));
    expect(paths[1]).toBe(paths[0]);
  });
});
