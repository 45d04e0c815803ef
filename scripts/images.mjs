/**
 * Draws the built-in cards for docs/images with a Chromium (`$CHROMIUM`, else the first one found on the
 * path). Without one it says so and leaves the images as they are.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { groupOfOne } from '../dist/app/one-group.js';
import { providerOf } from '../dist/channels/registry.js';
import { previewPage } from '../dist/commands/preview-page.js';
import { makeComposer } from '../dist/render/compose.js';
import { loadTemplates } from '../dist/render/templates.js';
import { shrinkPng } from './png.mjs';

const ROOT = resolve(import.meta.dirname, '..');
const IMAGES = join(ROOT, 'docs/images');
const MAX_BYTES = 150_000;
const WIDTH = 1_010;
const NOW = Date.UTC(2026, 2, 2, 8, 25, 0);
const SIZES = { 1: single, 5: mixed, 20: () => pods(20), 120: () => pods(120) };

const chromium = [process.env.CHROMIUM, 'chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => name !== undefined && spawnSync(name, ['--version']).status === 0,
);
if (chromium === undefined) {
  process.stderr.write('SKIPPED: no Chromium found, docs/images stays as it is (set $CHROMIUM)\n');
  process.exit(0);
}

const compose = makeComposer({
  templates: loadTemplates({ builtIn: join(ROOT, 'templates'), own: undefined }),
  severity: {
    label: 'severity',
    ranks: ['critical', 'error', 'warning', 'info'].map((name) => ({ name, values: [name] })),
  },
  links: { rewrites: [], logs: undefined, images: 'link' },
  publicUrl: '',
  isSandbox: false,
});
const folder = mkdtempSync(join(tmpdir(), 'alertcard-images-'));
try {
  for (const provider of ['dingtalk', 'feishu'])
    for (const locale of ['zh-CN', 'en'])
      for (const [size, body] of Object.entries(SIZES))
        draw(messageOf(provider, locale, body()), `${provider}-${size}.${locale}.png`);
} finally {
  rmSync(folder, { recursive: true });
}

function draw(message, name) {
  const page = join(folder, 'page.html');
  const html = previewPage([message]);
  writeFileSync(page, `${html}<script>document.title = document.body.scrollHeight</script>`);
  const dom = execFileSync(chromium, [...flags(800), '--dump-dom', `file://${page}`], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const height = Number(/<title>(\d+)<\/title>/u.exec(dom)?.[1] ?? 800);
  writeFileSync(page, html);
  const file = join(IMAGES, name);
  execFileSync(chromium, [...flags(height), `--screenshot=${file}`, `file://${page}`], { stdio: 'ignore' });
  writeFileSync(file, shrinkPng(readFileSync(file)));
  const { size } = statSync(file);
  process.stdout.write(`${name}: ${height} px high, ${size} bytes\n`);
  if (size > MAX_BYTES) throw new Error(`${name} is larger than ${MAX_BYTES} bytes`);
}

function flags(height) {
  const quiet = ['background-networking', 'component-update', 'gpu', 'lcd-text', 'quic', 'sync'].map(
    (name) => `--disable-${name}`,
  );
  return [
    ...['--headless', '--no-sandbox', '--no-first-run', '--hide-scrollbars', ...quiet],
    `--user-data-dir=${join(folder, 'profile')}`,
    `--window-size=${WIDTH},${height}`,
  ];
}

function messageOf(provider, locale, body) {
  const channel = {
    ...{ name: 'ops', provider, locale, timezone: 'Asia/Shanghai', template: 'default', keyword: '' },
    form: provider === 'dingtalk' ? 'card' : 'card2',
  };
  const group = groupOfOne({
    body: Buffer.from(JSON.stringify(body)),
    source: 'grafana',
    format: undefined,
    receivedAt: NOW,
  });
  const composed = compose({
    group: { ...group, notificationId: 'ntf_01kjqh2zr6f5vb8v7d9tq0w3ex' },
    channel,
    rung: channel.form,
    marks: { late: undefined, isReplay: false, isPossibleRepeat: false, deaths: 0 },
    mentions: { all: false, mobiles: [], userIds: [] },
    target: providerOf(provider),
    isSigned: true,
    now: NOW,
  });
  return { provider, rung: composed.message.rung, message: composed.message.json, bytes: composed.bytes };
}

function fixture(name) {
  return JSON.parse(readFileSync(join(ROOT, 'fixtures/grafana', `${name}.json`), 'utf8'));
}

function single() {
  return fixture('v13-firing-single');
}

function mixed() {
  return fixture('v13-mixed-firing-resolved-5');
}

/** So many pods of one rule, of three severities, a few of them resolved. */
function pods(count) {
  const body = fixture('v13-group-120');
  const alerts = body.alerts.slice(0, count).map((alert, index) => ({
    ...alert,
    labels: { ...alert.labels, severity: ['warning', 'critical', 'warning', 'info'][index % 4] },
    ...(index % 10 === 9 ? { status: 'resolved', endsAt: '2026-03-02T08:24:00Z' } : {}),
  }));
  return { ...body, alerts };
}
