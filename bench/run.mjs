/**
 * Runs the bench scripts, each several times in a process of its own, and prints medians against the figures.
 *
 *   npm run bench                       all, three runs each
 *   node bench/run.mjs claim render     some
 *   node bench/run.mjs --runs 5 --json  more runs; one line of JSON instead of a table
 *
 * Exits 1 when a figure is not held. A script that cannot measure (no C compiler) says so and counts as not measured.
 */
import { spawnSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { holds, round, summarize, table } from './lib.mjs';

const SCRIPTS = ['ingest', 'acknowledgement', 'accept-to-robot', 'claim', 'drain', 'render', 'memory'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' }, json: { type: 'boolean', default: false } },
});
const unknown = positionals.filter((name) => !SCRIPTS.includes(name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${SCRIPTS.join(', ')}`);
  process.exit(2);
}

const results = [];
for (const script of positionals.length > 0 ? positionals : SCRIPTS) {
  const runs = [];
  for (let run = 1; run <= Number(values.runs); run += 1) {
    if (!values.json) process.stderr.write(`${script}, run ${run} of ${values.runs}\n`);
    const rows = measure(script);
    if (rows !== undefined) runs.push(rows);
  }
  results.push({ script, runs: runs.length, rows: summarize(runs) });
}
print(results);
process.exit(results.every(({ runs, rows }) => runs > 0 && rows.every(holds)) ? 0 : 1);

/** The rows of one run; undefined when the script could not measure. */
function measure(script) {
  const child = spawnSync(process.execPath, ['--expose-gc', join(import.meta.dirname, `${script}.mjs`)], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 26,
  });
  if (child.status !== 0) throw new Error(`bench/${script}.mjs failed`);
  const line = child.stdout.trim().split('\n').at(-1);
  return line === '' ? undefined : JSON.parse(line).rows;
}

function print(measured) {
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ node: process.version, results: measured })}\n`);
    return;
  }
  const head = ['', 'median', 'lowest', 'highest', 'unit', 'figure', ''];
  const body = measured.flatMap(({ script, runs, rows }) =>
    runs === 0
      ? [[`${script}: not measured`, '', '', '', '', '', 'NOT MEASURED']]
      : rows.map((row) => cellsOf(script, row)),
  );
  const processor = cpus()[0]?.model ?? 'unknown processor';
  console.log(
    `Node ${process.version}, ${availableParallelism()} cores, ${processor}, ${values.runs} runs each\n`,
  );
  for (const line of table([head, ...body])) console.log(line);
}

function cellsOf(script, row) {
  const figure = row.target === undefined ? '' : `${row.isAtMost ? '<=' : '>='} ${row.target}`;
  const verdict = row.target === undefined ? '' : holds(row) ? 'held' : 'NOT HELD';
  const numbers = [row.value, row.lowest, row.highest].map(round);
  return [`${script}: ${row.name}`, ...numbers, row.unit, figure, verdict];
}
