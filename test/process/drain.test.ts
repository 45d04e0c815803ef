import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { integrityOf } from '../support/aftermath.ts';
import {
  deliveryStates,
  freePort,
  notificationBody,
  pause,
  postSigned,
  startEar,
  startProgram,
  writeConfig,
} from '../support/program.ts';

const ROUNDS = 20;

describe('SIGTERM in the middle of deliveries', () => {
  it('exits 0 within 25 s, loses nothing and sends nothing twice, 20 times', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'alertcard-drain-'));
    const port = await freePort();
    const ear = await startEar();
    ear.delayMs = 40;
    const config = writeConfig(dir, port, ear.url).toString();
    const names: string[] = [];
    const ids: string[] = [];
    const exits: { code: number | null; tookMs: number }[] = [];

    for (let round = 0; round < ROUNDS; round++) {
      const program = await startProgram(config, port);
      for (let count = 0; count < 8; count++) {
        const name = `drain-r${round}-n${count}.`;
        const answer = await postSigned(port, notificationBody(name));
        expect(answer?.status).toBe(202);
        names.push(name);
        ids.push(answer?.id ?? '');
      }
      await pause(Math.random() * 150);
      const began = Date.now();
      program.child.kill('SIGTERM');
      const { code } = await program.ended;
      exits.push({ code, tookMs: Date.now() - began });
    }
    const program = await startProgram(config, port);
    const states = await settled(port, ids);
    program.child.kill('SIGTERM');
    await program.ended;
    await ear.close();
    const integrity = integrityOf(dir);
    rmSync(dir, { recursive: true, force: true });

    expect(integrity).toEqual(['ok']);
    expect(exits.filter(({ code }) => code !== 0)).toEqual([]);
    expect(exits.filter(({ tookMs }) => tookMs > 25_000)).toEqual([]);
    expect(states.filter((state) => state !== 'delivered')).toEqual([]);
    expect(names.filter((name) => timesHeard(ear.heard, name) !== 1)).toEqual([]);
  });
});

/** Cards whose body names the alert: each notification is a group of its own, so exactly one may. */
function timesHeard(heard: readonly string[], name: string): number {
  return heard.filter((message) => message.includes(`summary of ${name}`)).length;
}

async function settled(port: number, ids: readonly string[]): Promise<string[]> {
  for (let tries = 0; tries < 120; tries++) {
    const states = await Promise.all(ids.map((id) => deliveryStates(port, id)));
    const flat = states.flatMap((state) => state ?? ['lost']);
    if (flat.every((state) => state === 'delivered' || state === 'lost')) return flat;
    await pause(250);
  }
  return (await Promise.all(ids.map((id) => deliveryStates(port, id)))).flatMap((state) => state ?? ['lost']);
}
