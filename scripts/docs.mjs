// Writes the reference pages that are made from the code, or with --check tells whether they are in step.
// Reads dist: run `npm run build` first, as `npm run docs` and `npm run docs:check` do.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { Config } from '../dist/config/schema.js';
import { ERROR_CODES } from '../dist/domain/errors.js';
import { hintFor } from '../dist/domain/hints.js';
import { ERROR_ADVICE, OUTCOME_MEANINGS, REASON_MEANINGS } from '../dist/domain/meanings.js';
import { PROVIDER_NAMES } from '../dist/domain/settings.js';
import { METRIC_DOCS } from '../dist/observe/metrics-docs.js';
import { page, table } from './docs-page.mjs';
import { templatesPage } from './docs-templates.mjs';

const ROOT = resolve(import.meta.dirname, '..');

/** Every generated page: where it stands, and the function that makes its text. */
const PAGES = [
  { file: 'docs/configuration.md', generate: configurationPage },
  { file: 'docs/errors.md', generate: errorsPage },
  { file: 'docs/outcomes.md', generate: outcomesPage },
  { file: 'docs/metrics.md', generate: metricsPage },
  { file: 'docs/templates.md', generate: templatesPage },
];

function configurationPage() {
  const rows = keyRows(z.toJSONSchema(Config, { io: 'input' }), '');
  return page('Configuration keys', [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the page shows the syntax of references
    'One YAML file: `--config`, else `$ALERTCARD_CONFIG`, else `./alertcard.yaml`. `${NAME}` in a value takes an environment variable, `${file:/path}` a file, `$${` is a literal `${`. Durations are written `30s`, `5m`, `24h`, `7d`, sizes `512KiB`, `10MiB`, `2GiB`. Relative paths start at the working directory. `{…}` stands for a name of your own, `[]` for the items of a list.',
    'What a file leaves out, these variables may say (each also as `…_FILE`): `ALERTCARD_LISTEN` (`server.listen`), `ALERTCARD_ADMIN_TOKEN` (`server.admin_token`), `ALERTCARD_DATA` (the folder of `store.url`), `ALERTCARD_LOCALE` and `ALERTCARD_TIMEZONE` (`defaults`). Variables that describe a channel are refused beside a file.',
    table(['key', 'type', 'default', 'meaning'], rows),
  ]);
}

/** One row a key, in the order of the schema; what has keys of its own is followed by them. */
function keyRows(node, path) {
  if (node.properties !== undefined) {
    const required = new Set(node.required);
    return Object.entries(node.properties).flatMap(([key, child]) => {
      const childPath = path === '' ? key : `${path}.${key}`;
      return [row(child, childPath, required.has(key)), ...keyRows(child, childPath)];
    });
  }
  if (isNode(node.additionalProperties)) return keyRows(node.additionalProperties, `${path}.{…}`);
  if (isNode(node.items)) return keyRows(node.items, `${path}[]`);
  return [];
}

function row(node, path, isRequired) {
  return [`\`${path}\``, typeOf(node), isRequired ? '(required)' : defaultOf(node), node.description ?? ''];
}

function typeOf(node) {
  if (node.kind !== undefined) return node.kind;
  if (node.enum !== undefined) return node.enum.map((value) => `\`${value}\``).join(', ');
  if (node.const !== undefined) return `\`${JSON.stringify(node.const)}\``;
  if (node.anyOf !== undefined)
    return [...new Set(node.anyOf.map(typeOf).filter((type) => type !== '`""`'))].join(', ');
  if (node.type === 'array') return `list of ${typeOf(node.items)}`;
  const words = {
    string: 'text',
    integer: 'number',
    number: 'number',
    boolean: '`true`, `false`',
    object: 'mapping',
    null: 'nothing',
  };
  return words[node.type] ?? node.type;
}

/** What a section or an optional key starts with shows in its own keys or its text. */
function defaultOf({ default: value }) {
  if (value === undefined || (isNode(value) && Object.keys(value).length === 0)) return '';
  return `\`${JSON.stringify(value)}\``;
}

function isNode(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function errorsPage() {
  const rows = Object.entries(ERROR_CODES).map(([code, status]) => [
    `\`${code}\``,
    status === 0 ? 'at start' : String(status),
    ERROR_ADVICE[code],
  ]);
  return page('Error codes', [
    'Refusals over HTTP are `application/problem+json` with a stable `code`. Those without a status end the program at start: exit code 2 for configuration and templates, 3 for the store.',
    table(['code', 'status', 'what to do'], rows),
  ]);
}

function outcomesPage() {
  const outcomes = Object.entries(OUTCOME_MEANINGS).map(([outcome, meaning]) => [`\`${outcome}\``, meaning]);
  const reasons = Object.entries(REASON_MEANINGS).map(([reason, meaning]) => [
    `\`${reason}\``,
    meaning,
    adviceFor(reason),
  ]);
  return page('Outcomes and reasons', [
    'The outcome of an attempt says what happens next; the reason says why. Both are labels of `alertcard_attempts_total` and stand in the timeline of a notification.',
    table(['outcome', 'meaning'], outcomes),
    table(['reason', 'meaning', 'what to do'], reasons),
  ]);
}

/** What the answers and notices say of a reason; with the provider where it depends on that. */
function adviceFor(reason) {
  const hints = PROVIDER_NAMES.map((provider) => ({ provider, hint: hintFor(reason, provider) }));
  if (new Set(hints.map(({ hint }) => hint)).size === 1) return hints[0].hint;
  return hints.map(({ provider, hint }) => `${provider}: ${hint}`).join(' ');
}

function metricsPage() {
  const rows = METRIC_DOCS.map(({ name, type, labels, help }) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  return page('Metrics', [
    'Served at `/metrics` as Prometheus text, without authentication. No label holds an id, a URL or a person.',
    table(['name', 'type', 'labels', 'meaning'], rows),
  ]);
}

/** As `npm run format` wants it, so that the two checks agree. */
function formatted(file, text) {
  const biome = resolve(ROOT, 'node_modules/.bin/biome');
  return execFileSync(biome, ['format', `--stdin-file-path=${file}`], {
    cwd: ROOT,
    input: text,
    encoding: 'utf8',
  });
}

function readPage(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

const isCheck = process.argv.includes('--check');
for (const { file, generate } of PAGES) {
  const path = resolve(ROOT, file);
  const text = formatted(file, generate());
  if (readPage(path) === text) continue;
  if (isCheck) {
    console.error(`${file} is out of step with the code: run npm run docs`);
    process.exitCode = 1;
  } else {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    console.log(`wrote ${file}`);
  }
}
