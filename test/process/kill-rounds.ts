import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const SENDERS = 6;

export interface KillReport {
  readonly acknowledged: number;
  /** Acknowledged, and unknown to the program after it was killed and started again. */
  readonly lost: readonly string[];
  /** Acknowledged and kept, but neither delivered nor folded in the end. */
  readonly stuck: readonly string[];
  /** What the database says of itself at the end: `ok`. */
  readonly integrity: readonly string[];
}

/**
 * Kills the program with SIGKILL at random moments under load, starts it again, and asks it for every
 * notification it had answered 2xx.
 */
export async function killRounds(rounds: number, cli?: string): Promise<KillReport> {
  const dir = mkdtempSync(join(tmpdir(), 'alertcard-kill-'));
  const port = await freePort();
  const ear = await startEar();
  const config = writeConfig(dir, port, ear.url);
  const acknowledged = new Map<string, string>();
  try {
    for (let round = 0; round < rounds; round++) {
      const program = await startProgram(config, port, cli);
      let isRunning = true;
      const senders = Array.from({ length: SENDERS }, (_, sender) =>
        send(() => isRunning, `r${round}s${sender}`, port, acknowledged),
      );
      await pause(80 + Math.random() * 500);
      program.child.kill('SIGKILL');
      await program.ended;
      isRunning = false;
      await Promise.all(senders);
    }
    const report = await afterwards(config, port, [...acknowledged.keys()]);
    return { ...report, integrity: integrityOf(dir) };
  } finally {
    await ear.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function send(
  isRunning: () => boolean,
  prefix: string,
  port: number,
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let count = 0; isRunning(); count++) {
    const answer = await postSigned(port, notificationBody(`${prefix}n${count}`));
    if (answer === undefined) return;
    if (answer.status < 300 && answer.id !== undefined) acknowledged.set(answer.id, prefix);
  }
}

/** Runs the honest build over what the killed one left, until nothing waits. */
async function afterwards(
  config: string,
  port: number,
  ids: readonly string[],
): Promise<Omit<KillReport, 'integrity'>> {
  const program = await startProgram(config, port);
  const lost: string[] = [];
  let waiting = [...ids];
  const deadline = Date.now() + 90_000;
  while (waiting.length > 0 && Date.now() < deadline) {
    const still: string[] = [];
    for (const id of waiting) {
      const states = await deliveryStates(port, id);
      if (states === undefined) lost.push(id);
      else if (!states.every((state) => state === 'delivered' || state === 'folded')) still.push(id);
    }
    waiting = still;
    if (waiting.length > 0) await pause(500);
  }
  program.child.kill('SIGTERM');
  await program.ended;
  return { acknowledged: ids.length, lost, stuck: waiting };
}
