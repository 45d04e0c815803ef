import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSoundAftermath, statesIn } from '../../support/aftermath.ts';
import { type Change, changedBuild } from '../../support/changed-build.ts';
import { startLoad } from '../../support/load.ts';
import { notificationBody, pause, postSigned } from '../../support/program.ts';
import { metricOf, setStage, statusOf, until, untilHeard } from '../../support/stage.ts';

/** A writer thread that ends, or hangs, over its next batch once a file beside the database asks for it. */
const WRITER_THAT_FAILS: readonly Change[] = [
  {
    file: 'store/writer.js',
    find: 'const reply = runBatch(db, request.intents, request.now, cursors);',
    replace:
      'if (existsSync(db.raw.name + ".die")) process.exit(7); while (existsSync(db.raw.name + ".hang")); ' +
      'const reply = runBatch(db, request.intents, request.now, cursors);',
  },
  {
    file: 'store/writer.js',
    find: "import { parentPort, workerData } from 'node:worker_threads';",
    replace:
      "import { existsSync } from 'node:fs'; import { parentPort, workerData } from 'node:worker_threads';",
  },
];

/** A lease of 5 s instead of 45 s, of which sending needs nothing, so that the test need not wait so long. */
const SHORT_LEASE: readonly Change[] = [
  { file: 'deliver/lane.js', find: 'const LEASE_MS = 45_000;', replace: 'const LEASE_MS = 5_000;' },
  {
    file: 'deliver/attempt.js',
    find: 'const NEEDED_TO_SEND_MS = 20_000;',
    replace: 'const NEEDED_TO_SEND_MS = 0;',
  },
];

describe('the writer thread', () => {
  it.each(['die', 'hang'] as const)(
    'when it should %s leaves no false 2xx, and the process ends by itself',
    async (fate) => {
      const stage = await setStage();
      const program = await stage.start({ cli: changedBuild(...WRITER_THAT_FAILS) });
      const before = await postSigned(stage.port, notificationBody('before'));
      expect(await untilHeard(stage, 'summary of before')).toBe(true);
      expect(await until(() => statesIn(stage.dir).delivered === 1)).toBe(true);

      writeFileSync(join(stage.dir, `alertcard.db.${fate}`), '');
      const during = await postSigned(stage.port, notificationBody('during'));
      const alive = await statusOf(stage, '/healthz');
      const { code } = await program.ended;

      expect(during?.status ?? 500).toBeGreaterThanOrEqual(500);
      expect([503, undefined]).toContain(alive);
      expect(code).toBe(1);
      await expectSoundAftermath({
        ...stage,
        acknowledged: [before?.id ?? ''],
        outputs: [program.output()],
      });
    },
  );
});

describe('a process stopped past its lease', () => {
  it('sends again at most what it lost, and counts each lost lease', async () => {
    const stage = await setStage();
    stage.ear.delayMs = 1_000;
    const program = await stage.start({ cli: changedBuild(...SHORT_LEASE) });
    const answer = await postSigned(stage.port, notificationBody('stopped'));
    expect(await untilHeard(stage, 'summary of stopped')).toBe(true);

    program.child.kill('SIGSTOP');
    await pause(6_000);
    program.child.kill('SIGCONT');
    const isDelivered = await until(() => statesIn(stage.dir).delivered === 1);
    const lost = await metricOf(stage, 'alertcard_lost_leases_total');

    expect(isDelivered).toBe(true);
    expect(stage.ear.heard.length).toBe(1 + lost);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: [answer?.id ?? ''],
      outputs: [program.output()],
    });
  });
});

describe('a second SIGTERM', () => {
  it('ends the process at once, and what it was doing is found again', async () => {
    const stage = await setStage();
    stage.ear.delayMs = 10_000;
    const program = await stage.start();
    const load = startLoad(stage.port);
    expect(await until(() => load.acknowledged.length >= 20 && stage.ear.heard.length > 0)).toBe(true);

    program.child.kill('SIGTERM');
    await pause(300);
    program.child.kill('SIGTERM');
    const { code, signal } = await program.ended;
    await load.stop();
    stage.ear.delayMs = 0;

    expect({ code, signal }).toEqual({ code: 1, signal: null });
    await expectSoundAftermath({
      ...stage,
      acknowledged: load.acknowledged,
      outputs: [program.output()],
    });
  });
});

describe('a process with few file descriptors', () => {
  it('outlives more connections than it can hold, and serves again when they are gone', async () => {
    const stage = await setStage();
    const program = await stage.start();
    // from now on: the loader of Node alone opens more files than that while it starts
    execFileSync('prlimit', ['--pid', String(program.child.pid), '--nofile=64']);
    const before = await postSigned(stage.port, notificationBody('before'));

    const sockets = await Promise.all(Array.from({ length: 200 }, () => openIdle(stage.port)));
    await pause(300);
    const isAlive = program.child.exitCode === null;
    for (const socket of sockets) socket.destroy();
    let after: Awaited<ReturnType<typeof postSigned>>;
    const isBack = await until(async () => {
      after = await postSigned(stage.port, notificationBody('after'));
      return after?.status === 202 || after?.status === 200;
    });

    expect(isAlive).toBe(true);
    expect(isBack).toBe(true);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: [before?.id ?? '', after?.id ?? ''],
      outputs: [program.output()],
    });
  });
});

/** A connection that says nothing; resolves also when it was refused. */
function openIdle(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  return new Promise((opened) => {
    socket.once('connect', () => opened(socket));
    socket.once('close', () => opened(socket));
  });
}
