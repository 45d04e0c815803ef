import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectSoundAftermath, statesIn } from '../../support/aftermath.ts';
import { startLoad } from '../../support/load.ts';
import { notificationBody, postSigned } from '../../support/program.ts';
import { metricOf, type Stage, setStage, statusOf, until, untilHeard } from '../../support/stage.ts';
import { faultyDisk, HAS_NO_COMPILER, slowDisk } from './preload.ts';

describe('a disk', () => {
  beforeEach((context) => {
    if (HAS_NO_COMPILER) context.skip('ALERTCARD_NO_COMPILER=1');
  });

  it('whose sync fails ends the process, and whether the notification was kept is known after', async () => {
    const stage = await setStage();
    const disk = faultyDisk();
    const program = await stage.start({ env: disk.env });
    const before = await postSigned(stage.port, notificationBody('before'));
    expect(await untilHeard(stage, 'summary of before')).toBe(true);

    disk.set('eio', true);
    const during = await postSigned(stage.port, notificationBody('during'));
    const { code } = await program.ended;
    disk.set('eio', false);
    const honest = await stage.start();
    const again = await postSigned(stage.port, notificationBody('during'));

    // 503 where a write of the program's own met the fault first: then nothing was kept.
    expect([500, 503]).toContain(during?.status ?? 500);
    expect(code).toBe(1);
    expect([200, 202]).toContain(again?.status);
    expect(await untilHeard(stage, 'summary of during')).toBe(true);
    expect(rowsAbout(stage, 'during')).toBe(1);
    await expectSoundAftermath({
      ...stage,
      program: honest,
      acknowledged: [before?.id ?? '', again?.id ?? ''],
      outputs: [program.output()],
    });
  });

  it('that is full sends nothing without a durable claim, says so, and heals when there is room', async () => {
    const stage = await setStage();
    const disk = faultyDisk();
    const program = await stage.start({ env: disk.env });
    const first = await postSigned(stage.port, notificationBody('with-room'));
    expect(await untilHeard(stage, 'summary of with-room')).toBe(true);

    disk.set('enospc', true);
    const load = startLoad(stage.port, 2);
    expect(await until(() => (load.statuses.get(503) ?? 0) > 5)).toBe(true);
    const acknowledgedWhileFull = new Set(load.acknowledged);
    const [alive, ready] = [await statusOf(stage, '/healthz'), await statusOf(stage, '/readyz')];
    const isToldUnstored = await until(() => stage.ear.heard.some((text) => /refus|拒/.test(text)));
    await load.stop();
    const cardsOfAlerts = stage.ear.heard.filter((text) => text.includes('summary of load')).length;
    disk.set('enospc', false);
    const isReadyAgain = await until(async () => {
      const answer = await postSigned(stage.port, notificationBody('room-again'));
      return (answer?.status ?? 500) < 300 && (await statusOf(stage, '/readyz')) === 200;
    });

    expect(alive).toBe(200);
    expect(ready).toBe(503);
    expect(isToldUnstored).toBe(true);
    expect(cardsOfAlerts).toBeLessThanOrEqual(acknowledgedWhileFull.size);
    expect(isReadyAgain).toBe(true);
    expect(await untilHeard(stage, 'summary of room-again')).toBe(true);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: [first?.id ?? '', ...load.acknowledged],
      outputs: [program.output()],
    });
  });

  it('that is slow makes larger commits instead of refusals', async () => {
    const stage = await setStage();
    const program = await stage.start({ env: slowDisk(30) });

    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, count) => postSigned(stage.port, notificationBody(`slow${count}`))),
    );
    const alive = await statusOf(stage, '/healthz');

    expect(answers.filter((answer) => answer?.status !== 202)).toEqual([]);
    expect(alive).toBe(200);
    const [intents, commits] = [
      await metricOf(stage, 'alertcard_commit_batch_sum'),
      await metricOf(stage, 'alertcard_commit_batch_count'),
    ];
    expect(intents / commits).toBeGreaterThan(1.2);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: answers.map((answer) => answer?.id ?? ''),
      outputs: [program.output()],
    });
  });
});

describe('a store at its quota', () => {
  it('refuses, records outcomes all the same, tells the channel, and takes again with a larger quota', async () => {
    let quota = '16MiB';
    const edit = (yaml: string) => yaml.replace('.db" }', `.db", retention: { max_size: ${quota} } }`);
    const stage = await setStage({ edit });
    const program = await stage.start();
    const acknowledged: string[] = [];

    let refused: number | undefined;
    for (let count = 0; count < 40 && refused === undefined; count += 1) {
      const answer = await postSigned(stage.port, bulkyBody(`bulky${count}`));
      if (answer?.status === 202) acknowledged.push(answer.id ?? '');
      else refused = answer?.status;
    }
    const isDrained = await until(() => (statesIn(stage.dir).delivered ?? 0) === acknowledged.length);
    const ready = await statusOf(stage, '/readyz');
    const isToldUnstored = await until(() => stage.ear.heard.some((text) => /refus|拒/.test(text)));

    expect(refused).toBe(503);
    expect(acknowledged.length).toBeGreaterThan(5);
    expect(isDrained).toBe(true);
    expect(ready).toBe(503);
    expect(isToldUnstored).toBe(true);

    program.child.kill('SIGTERM');
    await program.ended;
    quota = '64MiB';
    stage.rewrite(edit);
    const larger = await stage.start();
    const again = await postSigned(stage.port, bulkyBody('fits again'));

    expect(again?.status).toBe(202);
    await expectSoundAftermath({
      ...stage,
      program: larger,
      acknowledged: [...acknowledged, again?.id ?? ''],
      outputs: [program.output()],
    });
  });
});

describe('a lock of another process', () => {
  it('delays the answer while it is short, refuses while it is long, and is over when it is gone', async () => {
    const stage = await setStage();
    const program = await stage.start();
    const other = new Sqlite(join(stage.dir, 'alertcard.db'));

    other.exec('BEGIN IMMEDIATE');
    const short = postSigned(stage.port, notificationBody('short-lock'));
    setTimeout(() => other.exec('ROLLBACK'), 1_000);
    const delayed = await short;
    other.exec('BEGIN IMMEDIATE');
    const long = postSigned(stage.port, notificationBody('long-lock'));
    const alive = await statusOf(stage, '/healthz');
    const refused = await long;
    other.exec('ROLLBACK');
    other.close();
    const after = await postSigned(stage.port, notificationBody('after-lock'));

    expect(delayed?.status).toBe(202);
    expect(alive).toBe(200);
    expect(refused?.status).toBe(503);
    expect(after?.status).toBe(202);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: [delayed?.id ?? '', after?.id ?? ''],
      outputs: [program.output()],
    });
  });
});

function rowsAbout({ dir }: Stage, name: string): number {
  const db = new Sqlite(join(dir, 'alertcard.db'), { readonly: true });
  const sql = 'SELECT count(*) AS count FROM inbox WHERE group_key LIKE ?';
  const count = db.prepare<[string], { count: number }>(sql).get(`%"${name}"%`)?.count ?? 0;
  db.close();
  return count;
}

/** A megabyte that does not compress. */
function bulkyBody(name: string): string {
  const body = JSON.parse(notificationBody(name)) as { commonAnnotations: Record<string, string> };
  body.commonAnnotations.noise = randomBytes(750_000).toString('base64');
  return JSON.stringify(body);
}
