import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Store } from '../../src/domain/store.ts';

interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly target?: number;
}

interface BenchLibrary {
  percentile(values: readonly number[], p: number): number;
  median(values: readonly number[]): number;
  atMost(name: string, value: number, unit: string, target: number): Row;
  atLeast(name: string, value: number, unit: string, target: number): Row;
  holds(row: Row): boolean;
  summarize(runs: readonly (readonly Row[])[]): (Row & { lowest: number; highest: number })[];
  bodyMaker(alerts: number): (index: number) => Buffer;
}

interface SlowDisk {
  slowDisk(folder: string, ms: number, countFile: string): Record<string, string> | undefined;
}

interface Wiring {
  composeOnce(file: string, body: Buffer): () => { readonly shown: number; readonly omitted: number };
  seed(path: string, from: number, to: number, channels: readonly string[]): void;
  openBenchStore(path: string): Promise<Store>;
}

interface Program {
  writeConfiguration(folder: string, plan: object): string;
}

/** Names in variables: the scripts are plain JavaScript without declarations. */
const LIBRARY: string = '../../bench/lib.mjs';
const SLOW_DISK: string = '../../bench/slow-disk.mjs';
const WIRING: string = '../../bench/wiring.mjs';
const PROGRAM: string = '../../bench/program.mjs';
const library: BenchLibrary = await import(LIBRARY);
const { slowDisk }: SlowDisk = await import(SLOW_DISK);
const wiring: Wiring = await import(WIRING);
const { writeConfiguration }: Program = await import(PROGRAM);

const folder = mkdtempSync(join(tmpdir(), 'alertcard-bench-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the statistics of the bench scripts', () => {
  it.each([
    { values: [3, 1, 2], p: 50, expected: 2 },
    { values: [4, 1, 3, 2], p: 50, expected: 2.5 },
    { values: [10, 20, 30, 40, 50], p: 99, expected: 49.6 },
    { values: [7], p: 99, expected: 7 },
  ])('take the $p-th percentile of $values', ({ values, p, expected }) => {
    const result = library.percentile(values, p);

    expect(result).toBeCloseTo(expected, 10);
  });

  it('hold a figure on the right side of its target, the target itself included', () => {
    const rows = [
      library.atMost('a', 5, 'ms', 5),
      library.atMost('b', 5.1, 'ms', 5),
      library.atLeast('c', 5, '/s', 5),
      library.atLeast('d', 4.9, '/s', 5),
    ];

    const verdicts = rows.map(library.holds);

    expect(verdicts).toEqual([true, false, true, false]);
  });

  it('sum up several runs as the median with the lowest and highest beside it', () => {
    const runs = [3, 1, 9].map((value) => [library.atMost('p50', value, 'ms', 5)]);

    const [row] = library.summarize(runs);

    expect(row).toMatchObject({ name: 'p50', value: 3, lowest: 1, highest: 9, target: 5 });
  });
});

describe('the sample notifications of the bench scripts', () => {
  it('are JSON, all of one length, each in a group of its own', () => {
    const bodyOf = library.bodyMaker(3);

    const [first, second] = [bodyOf(1), bodyOf(2_000_000)];

    expect(first.length).toBe(second.length);
    expect(JSON.parse(first.toString('utf8'))).toMatchObject({
      groupKey: '{}:{alertname="bench0000000001"}',
      alerts: [{ status: 'firing' }, {}, {}],
    });
    expect(JSON.parse(second.toString('utf8'))).toMatchObject({
      groupKey: '{}:{alertname="bench0002000000"}',
    });
  });
});

describe('the wiring of the bench scripts to the program', () => {
  it.each(['dingtalk', 'feishu'])('makes a whole %s card of a sample notification', (provider) => {
    const file = writeConfiguration(folder, { port: 9095, robotsPort: 9, channels: 1, provider });
    const compose = wiring.composeOnce(file, library.bodyMaker(3)(7));

    const card = compose();

    expect(card).toMatchObject({ shown: 3, omitted: 0 });
  });

  it('fills a store that the program then delivers from', async () => {
    const path = join(folder, 'filled.db');
    wiring.seed(path, 0, 3, ['ops', 'other']);
    const store = await wiring.openBenchStore(path);

    const work = await store.claim({ channel: 'ops', robotKey: 'bench', maxLines: 1, leaseMs: 1_000 });
    const { waiting } = await store.channelState('other');
    await store.close();

    expect(work?.lines).toMatchObject([{ deliveryCount: 1, entries: [{ seq: 1, source: 'grafana' }] }]);
    expect(waiting).toBe(3);
  });
});

describe('the slow disk', () => {
  it('is in effect for the fsync calls of a child process', () => {
    const countFile = join(folder, 'count');
    const environment = slowDisk(folder, 1, countFile);
    const script = `const fs = require('node:fs'); const fd = fs.openSync(${JSON.stringify(join(folder, 'file'))}, 'w');
      for (let i = 0; i < 7; i += 1) fs.fsyncSync(fd);`;

    const child = spawnSync(process.execPath, ['-e', script], { env: { ...process.env, ...environment } });

    expect(environment).toMatchObject({ SLOW_FSYNC_MS: '1' });
    expect(child.status).toBe(0);
    expect(readFileSync(countFile, 'utf8')).toBe('7\n');
  });
});
