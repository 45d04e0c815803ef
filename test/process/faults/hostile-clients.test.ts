import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { expectSoundAftermath } from '../../support/aftermath.ts';
import { changedBuild } from '../../support/changed-build.ts';
import { HMAC_SECRET, notificationBody, pause, postSigned } from '../../support/program.ts';
import { metricOf, type Stage, setStage, statusOf, until } from '../../support/stage.ts';

const MIB = 1_048_576;
/** Resident memory the program may reach under the worst of the tests below; docs/faults.md has what was measured. */
const MAX_RESIDENT_BYTES = 700 * MIB;

describe('slow and silent clients', () => {
  it('are closed within their limits, and delay nobody', async () => {
    const stage = await setStage();
    const program = await stage.start();
    const idle = await Promise.all(Array.from({ length: 1_000 }, () => open(stage.port)));
    const slowHeaders = await drip(stage.port, 'POST /hooks/grafana HTTP/1.1\r\nHost: a\r\nX-Slow: ');
    const slowBody = await drip(
      stage.port,
      `POST /hooks/grafana HTTP/1.1\r\nHost: a\r\n${signatureLines('x'.repeat(1_000))}Content-Length: 1000\r\n\r\n`,
    );

    const meanwhile = await postSigned(stage.port, notificationBody('meanwhile'));
    const answers = await Promise.all([slowHeaders.closed, slowBody.closed]);
    for (const socket of idle) socket.destroy();

    expect(meanwhile?.status).toBe(202);
    expect(answers.map((answer) => answer.split('\r\n')[0])).toEqual([
      'HTTP/1.1 408 Request Timeout',
      'HTTP/1.1 408 Request Timeout',
    ]);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: [meanwhile?.id ?? ''],
      outputs: [program.output()],
    });
  });

  it('beyond the cap of connections are turned away, and there is room again when others leave', async () => {
    const stage = await setStage();
    const cap = {
      file: 'web/server.js',
      find: 'const MAX_CONNECTIONS = 4_096;',
      replace: 'const MAX_CONNECTIONS = 50;',
    };
    const program = await stage.start({ cli: changedBuild(cap) });
    // the keep-alive connections of the test's own earlier requests count too
    const sockets = await Promise.all(Array.from({ length: 60 }, () => open(stage.port)));
    const isTurnedAway = await until(() => sockets.filter(({ destroyed }) => destroyed).length >= 10);
    for (const socket of sockets) socket.destroy();
    let answer: Awaited<ReturnType<typeof postSigned>>;
    const isServed = await until(async () => {
      answer = await postSigned(stage.port, notificationBody('room again'));
      return answer !== undefined;
    });

    expect(isTurnedAway).toBe(true);
    expect(isServed).toBe(true);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: [answer?.id ?? ''],
      outputs: [program.output()],
    });
  });
});

const BODY = notificationBody('refused');

const REFUSED: readonly { readonly what: string; readonly lines: string; readonly status: number }[] = [
  { what: 'without a signature', lines: '', status: 401 },
  { what: 'with a signature twice', lines: signatureLines(BODY) + signatureLines(BODY), status: 401 },
  {
    what: 'with a list of signatures',
    lines: signatureLines(BODY).replace(/Signature: (\w+)/, 'Signature: $1, $1'),
    status: 401,
  },
  {
    what: 'with a short signature',
    lines: signatureLines(BODY).replace(/(Signature: \w{8})\w+/, '$1'),
    status: 401,
  },
  {
    what: 'with a signature that is no hex',
    lines: signatureLines(BODY).replace(/Signature: \w{2}/, 'Signature: zz'),
    status: 401,
  },
  { what: 'with the signature of another body', lines: signatureLines('another'), status: 401 },
  { what: 'compressed', lines: `${signatureLines(BODY)}Content-Encoding: gzip\r\n`, status: 415 },
  {
    what: 'with a length and in chunks',
    lines: `${signatureLines(BODY)}Transfer-Encoding: chunked\r\n`,
    status: 400,
  },
];

describe('requests that are not what they should be', () => {
  it('are refused, each with its status, and nothing of them is kept', async () => {
    const stage = await setStage();
    const program = await stage.start();
    const seen: { what: string; status: number }[] = [];

    for (const { what, lines } of REFUSED) {
      const text = `POST /hooks/grafana HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${lines}Content-Length: ${Buffer.byteLength(BODY)}\r\n\r\n${BODY}`;
      const answer = await exchange(stage.port, text);
      seen.push({ what, status: Number(answer.split(' ')[1]) });
    }
    const good = await postSigned(stage.port, notificationBody('good'));

    expect(seen).toEqual(REFUSED.map(({ what, status }) => ({ what, status })));
    expect(await metricOf(stage, 'alertcard_commit_seconds_count')).toBeGreaterThan(0);
    expect(await until(() => stage.ear.heard.length === 1)).toBe(true);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: [good?.id ?? ''],
      outputs: [program.output()],
    });
    expect(stage.ear.heard).toHaveLength(1);
  });
});

describe('many large bodies at once', () => {
  it('stay within a bound of memory; strangers get 401, the authentic are kept or told to come back', async () => {
    const stage = await setStage();
    const program = await stage.start();
    const strange = Buffer.alloc(10 * MIB, '{');

    const strangers = postEach(100, 10, () => postStrange(stage, strange));
    const authentic = postEach(32, 32, (count) => postSigned(stage.port, bulky(`large${count}`, 2 * MIB)));
    const [refused, kept] = await Promise.all([strangers, authentic]);
    const alive = await statusOf(stage, '/healthz');

    // 408 where the machine is too slow for the bodies to arrive in time
    expect(refused.filter((status) => ![401, 408, 503].includes(status))).toEqual([]);
    expect(kept.filter((answer) => ![202, 408, 503].includes(answer?.status ?? 503))).toEqual([]);
    expect(kept.some((answer) => answer?.status === 202)).toBe(true);
    expect(alive).toBe(200);
    expect(peakResidentBytes(program.child.pid ?? 0)).toBeLessThan(MAX_RESIDENT_BYTES);
    await expectSoundAftermath({
      ...stage,
      program,
      acknowledged: kept.flatMap((answer) => (answer?.status === 202 ? [answer.id ?? ''] : [])),
      outputs: [program.output()],
    });
  });
});

/** Does so many, at most so many at a time. */
async function postEach<T>(
  total: number,
  atATime: number,
  one: (count: number) => Promise<T>,
): Promise<readonly T[]> {
  const results: T[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < total) {
      next += 1;
      results.push(await one(next));
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return results;
}

/** A stranger knows the form of the headers, not the secret. */
async function postStrange({ port }: Stage, body: Buffer<ArrayBuffer>): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/hooks/grafana`, {
    method: 'POST',
    body,
    headers: {
      'x-grafana-alerting-signature': 'ab'.repeat(32),
      'x-grafana-alerting-timestamp': String(Math.floor(Date.now() / 1000)),
    },
  });
  await answer.arrayBuffer();
  return answer.status;
}

function bulky(name: string, bytes: number): string {
  const body = JSON.parse(notificationBody(name)) as { commonAnnotations: Record<string, string> };
  body.commonAnnotations.bulk = 'bulk '.repeat(bytes / 5);
  return JSON.stringify(body);
}

function peakResidentBytes(pid: number): number {
  const [, kib = ''] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kib) * 1024;
}

function signatureLines(body: string): string {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', HMAC_SECRET).update(`${timestamp}:${body}`).digest('hex');
  return `X-Grafana-Alerting-Signature: ${signature}\r\nX-Grafana-Alerting-Timestamp: ${timestamp}\r\n`;
}

function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  // read, so that the end of the other side is noticed
  socket.resume();
  return new Promise((opened) => {
    socket.once('connect', () => opened(socket));
    socket.once('close', () => opened(socket));
  });
}

function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  const closed = readAll(socket);
  socket.write(text);
  return closed;
}

/** Sends the beginning of a request and then a byte at a time, until the other side has enough. */
async function drip(port: number, beginning: string): Promise<{ readonly closed: Promise<string> }> {
  const socket = connect(port, '127.0.0.1');
  let isClosed = false;
  const closed = readAll(socket).finally(() => {
    isClosed = true;
  });
  socket.write(beginning);
  const go = async (): Promise<void> => {
    while (!isClosed) {
      socket.write('x');
      await pause(250);
    }
  };
  void go();
  return { closed };
}

function readAll(socket: Socket): Promise<string> {
  const parts: Buffer[] = [];
  socket.on('data', (part) => parts.push(part));
  socket.on('error', () => socket.destroy());
  return new Promise((closed) => socket.once('close', () => closed(Buffer.concat(parts).toString('latin1'))));
}
