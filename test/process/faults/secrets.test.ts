import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectSoundAftermath } from '../../support/aftermath.ts';
import { HMAC_SECRET, notificationBody, spawnProgram } from '../../support/program.ts';
import { type Stage, setStage, until } from '../../support/stage.ts';

const ROTATED_SECRET = 'process-test-rotated-secret';

describe('a secret in a file', () => {
  it('that is missing or empty stops the start with code 2, naming the file', async () => {
    const stage = await stageWithSecretFile();

    const missing = stage.spawn();
    const missed = await missing.ended;
    writeFileSync(secretFile(stage), '\n');
    const empty = stage.spawn();
    const emptied = await empty.ended;

    expect([missed.code, emptied.code]).toEqual([2, 2]);
    expect(missing.output()).toContain(secretFile(stage));
    expect(empty.output()).toContain(secretFile(stage));
  });

  it('may end in a line break, and is rotated by SIGHUP while the program runs', async () => {
    const stage = await stageWithSecretFile();
    writeFileSync(secretFile(stage), `${HMAC_SECRET}\n`);
    const program = await stage.start();

    const first = await post(stage, HMAC_SECRET, 'before rotation');
    writeFileSync(secretFile(stage), `${ROTATED_SECRET}\n`);
    program.child.kill('SIGHUP');
    const isRotated = await until(async () => (await post(stage, HMAC_SECRET, 'probe')).status === 401);
    const second = await post(stage, ROTATED_SECRET, 'after rotation');
    writeFileSync(secretFile(stage), '');
    program.child.kill('SIGHUP');
    const isRefused = await until(() => program.output().includes('reload refused'));
    const third = await post(stage, ROTATED_SECRET, 'after a bad reload');

    expect(isRotated).toBe(true);
    expect(isRefused).toBe(true);
    expect([first.status, second.status, third.status]).toEqual([202, 202, 202]);
    expect(program.output()).not.toContain(ROTATED_SECRET);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: [first.id, second.id, third.id],
      outputs: [],
    });
  });

  it('and in the environment as well is refused with code 2', async () => {
    const stage = await stageWithSecretFile();
    writeFileSync(secretFile(stage), HMAC_SECRET);

    const refused = spawnProgram('', {
      env: {
        ALERTCARD_DINGTALK_URL: 'https://oapi.dingtalk.com/robot/send?access_token=process-test-robot-token',
        ALERTCARD_HMAC_SECRET: HMAC_SECRET,
        ALERTCARD_HMAC_SECRET_FILE: secretFile(stage),
        ALERTCARD_DATA: stage.dir,
      },
    });
    const { code } = await refused.ended;

    expect(code).toBe(2);
    expect(refused.output()).toContain(
      'ALERTCARD_HMAC_SECRET and ALERTCARD_HMAC_SECRET_FILE are both set: keep one',
    );
    expect(refused.output()).not.toContain(HMAC_SECRET);
  });
});

function stageWithSecretFile(): Promise<Stage> {
  return setStage({
    edit: (yaml) => {
      const [, dir = ''] = /sqlite:(.*)\/alertcard\.db/.exec(yaml) ?? [];
      return yaml.replace(`"${HMAC_SECRET}"`, `"\${file:${dir}/hmac-secret}"`);
    },
  });
}

function secretFile({ dir }: Stage): string {
  return join(dir, 'hmac-secret');
}

async function post({ port }: Stage, secret: string, name: string): Promise<{ status: number; id: string }> {
  const body = notificationBody(name);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const answer = await fetch(`http://127.0.0.1:${port}/hooks/grafana`, {
    method: 'POST',
    body,
    headers: {
      'x-grafana-alerting-signature': createHmac('sha256', secret)
        .update(`${timestamp}:${body}`)
        .digest('hex'),
      'x-grafana-alerting-timestamp': timestamp,
    },
  });
  const { id = '' } = (await answer.json()) as { id?: string };
  return { status: answer.status, id };
}
