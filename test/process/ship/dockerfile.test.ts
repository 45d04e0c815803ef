import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { environmentOf, execForm, finalStage, lastOf, parseDockerfile } from './dockerfile.ts';
import { buildImage } from './image.ts';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const stages = parseDockerfile(readFileSync(join(REPOSITORY, 'Dockerfile'), 'utf8'));
const runtime = finalStage(stages);

const folder = mkdtempSync(join(tmpdir(), 'alertcard-image-'));
let root = '';

beforeAll(() => {
  chmodSync(folder, 0o755);
  root = buildImage(stages, { context: REPOSITORY, into: folder });
}, 600_000);

afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
});

describe('the image built by the Dockerfile', () => {
  it('holds the compiled program, its templates and no development packages', () => {
    const top = readdirSync(join(root, 'app')).sort();
    const packages = ['better-sqlite3', 'typescript', 'vitest', '@biomejs/biome', 'knip'].filter((name) =>
      existsSync(join(root, 'app/node_modules', name, 'package.json')),
    );

    expect(top).toEqual(['LICENSE', 'dist', 'node_modules', 'package.json', 'templates']);
    expect(packages).toEqual(['better-sqlite3']);
  });

  it('serves as its own user, answers its health check, writes only to /data and exits 0 on SIGTERM', async () => {
    const port = await freePort();
    const before = fingerprintOf(join(root, 'app'));
    giveDataToUser();
    const program = start(port);

    const wasHealthy = await becomesHealthy(program, port);
    program.child.kill('SIGTERM');
    const [code, signal] = await once(program.child, 'exit');

    expect(program.output()).not.toContain('EROFS');
    expect({ wasHealthy, code, signal, output: wasHealthy ? '' : program.output() }).toEqual({
      wasHealthy: true,
      code: 0,
      signal: null,
      output: '',
    });
    expect(fingerprintOf(join(root, 'app'))).toEqual(before);
    expect(readdirSync(join(root, 'data'))).toContain('alertcard.db');
  }, 90_000);

  it('names a user other than root, one volume and a shell-free command line', () => {
    const shape = {
      user: lastOf(runtime, 'USER'),
      volume: lastOf(runtime, 'VOLUME'),
      entrypoint: execForm(lastOf(runtime, 'ENTRYPOINT')),
      command: execForm(lastOf(runtime, 'CMD')),
    };

    expect(shape).toEqual({
      user: '1000:1000',
      volume: '/data',
      entrypoint: ['node', 'dist/cli.js'],
      command: ['serve'],
    });
  });
});

interface Program {
  readonly child: ChildProcess;
  readonly output: () => string;
}

/** The user of the image where this test may become it (root only); otherwise the user it runs as. */
function imageUser(): { uid: number; gid: number } | undefined {
  const [uid = 0, gid = 0] = lastOf(runtime, 'USER').split(':').map(Number);
  return process.getuid?.() === 0 ? { uid, gid } : undefined;
}

function giveDataToUser(): void {
  const user = imageUser();
  if (user !== undefined) chownSync(join(root, 'data'), user.uid, user.gid);
  execFileSync('chmod', ['-R', 'a+rX,a-w', join(root, 'app')]);
}

/** Runs ENTRYPOINT and CMD with the image's own environment; only port and data folder are moved. */
function start(port: number): Program {
  const [command = '', ...words] = execForm(lastOf(runtime, 'ENTRYPOINT')) ?? [];
  const child = spawn(command, [...words, ...(execForm(lastOf(runtime, 'CMD')) ?? [])], {
    cwd: join(root, 'app'),
    env: {
      ...imageEnvironment(),
      ALERTCARD_DATA: join(root, 'data'),
      ALERTCARD_LISTEN: `127.0.0.1:${port}`,
      ALERTCARD_HMAC_SECRET: 'image-test',
      ALERTCARD_DINGTALK_URL: 'https://oapi.dingtalk.com/robot/send?access_token=example',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...imageUser(),
  });
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)));
  return { child, output: () => chunks.join('') };
}

function imageEnvironment(): Record<string, string> {
  return { ...environmentOf(runtime), PATH: `${join(root, 'usr/local/bin')}:/usr/bin:/bin` };
}

/** Asks with the command of HEALTHCHECK until it says yes, as Docker would. */
async function becomesHealthy(program: Program, port: number): Promise<boolean> {
  const [command = '', ...words] = execForm(lastOf(runtime, 'HEALTHCHECK')) ?? [];
  const check = words.map((word) => word.replace(':9095/', `:${port}/`));
  for (let tries = 0; tries < 100 && program.child.exitCode === null; tries += 1) {
    const probe = spawn(command, check, { env: imageEnvironment(), stdio: 'ignore' });
    const [code] = await once(probe, 'exit');
    if (code === 0) return true;
    await sleep(100);
  }
  return false;
}

/** Names, sizes and times of all files below a folder: changes when anything was written there. */
function fingerprintOf(path: string): string[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = lstatSync(join(path, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .sort();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
