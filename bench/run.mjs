/**
 * Runs the bench scripts, each several times in a process of its own, and prints medians against the figures.
 *
 *   npm run bench                       all, three runs each
 *   node bench/run.mjs claim render     some
 *   node bench/run.mjs --runs 5 --json  more runs; one line of JSON instead of a table
 *   node bench/run.mjs --write          the table goes into docs/figures.md, too
 *
 * Two scripts fill a store with a million lines first and measure several times on it: they run once.
 * Exits 1 when a figure is not held. A script that cannot measure (no C compiler) says so and counts as not measured.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { holds, round, summarize, table } from './lib.mjs';

const SCRIPTS = ['ingest', 'acknowledgement', 'accept-to-robot', 'claim', 'drain', 'render', 'memory'];
const BEGIN_MARK = '<!-- measured: npm run bench -- --write -->';
const END_MARK = '<!-- end of measured -->';
const RUN_ONCE = new Set(['claim', 'memory']);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '3' },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !SCRIPTS.includes(name));
if (unknown.length > 0) {
  console.error(`no such bench: ${unknown.join(', ')}; there are ${SCRIPTS.join(', ')}`);
  process.exit(2);
}

const loadBefore = loadavg()[0];
const results = [];
for (const script of positionals.length > 0 ? positionals : SCRIPTS) {
  const runs = [];
  const wanted = RUN_ONCE.has(script) ? 1 : Number(values.runs);
  for (let run = 1; run <= wanted; run += 1) {
    process.stderr.write(`${script}, run ${run} of ${wanted}\n`);
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
  const head = ['', 'figure', 'median', 'lowest', 'highest', 'runs', ''];
  const body = measured.flatMap(({ script, runs, rows }) =>
    runs === 0
      ? [[`${script}: not measured`, '', '', '', '', '', 'NOT MEASURED']]
      : rows.map((row) => cellsOf(script, runs, row)),
  );
  const load = `load ${round(loadBefore)} before and ${round(loadavg()[0])} after`;
  const machine = `Node ${process.version}, ${availableParallelism()} cores, ${load}`;
  console.log(`${machine}\n`);
  for (const line of table([head, ...body])) console.log(line);
  if (values.write)
    writePage([`${new Date().toISOString().slice(0, 10)}, ${machine}.`, '', ...markdown([head, ...body])]);
}

/** Puts the measured table between the two marks of the page; `npm run fix` aligns it. */
function writePage(lines) {
  const page = join(import.meta.dirname, '../docs/figures.md');
  const [before, rest = ''] = readFileSync(page, 'utf8').split(BEGIN_MARK);
  const after = rest.split(END_MARK).at(-1);
  writeFileSync(page, `${before}${BEGIN_MARK}\n${lines.join('\n')}\n${END_MARK}${after}`);
}

function cellsOf(script, runs, row) {
  const unit = row.unit === '' ? '' : ` ${row.unit}`;
  const figure = row.target === undefined ? '' : `${row.isAtMost ? '<=' : '>='} ${row.target}${unit}`;
  const verdict = row.target === undefined ? '' : holds(row) ? 'holds' : 'MISSED';
  const median = `${round(row.value)}${unit}`;
  return [`${script}: ${row.name}`, figure, median, round(row.lowest), round(row.highest), runs, verdict];
}

function markdown([head, ...body]) {
  const lineOf = (cells) => `| ${cells.join(' | ')} |`;
  return [lineOf(head), lineOf(head.map((_, column) => (column === 0 ? '---' : '--:'))), ...body.map(lineOf)];
}
