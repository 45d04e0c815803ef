import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Instruction, Stage } from './dockerfile.ts';

/** Builds the stages of a Dockerfile as folders: each folder stands for the root of that stage's file system. */
export interface ImageOptions {
  /** The build context. */
  readonly context: string;
  /** An empty folder. */
  readonly into: string;
}

/** Runs every RUN and COPY of all stages; returns the root folder of the last one. */
export function buildImage(stages: readonly Stage[], options: ImageOptions): string {
  const roots = new Map<string, string>();
  const prebuilds = packBinary(options);
  let last = '';
  for (const [index, stage] of stages.entries()) {
    last = join(options.into, String(index));
    roots.set(stage.name, last);
    installNode(last);
    buildStage(stage, last, roots, { ...options, prebuilds });
  }
  return last;
}

/** The base image cannot be pulled here, so the Node that runs the test stands in for the image's. */
function installNode(root: string): void {
  const bin = join(root, 'usr/local/bin');
  mkdirSync(bin, { recursive: true });
  copyFileSync(process.execPath, join(bin, 'node'));
  chmodSync(join(bin, 'node'), 0o755);
}

/**
 * In the image, `npm ci` finds a binary made for its Node on the network. Here it finds the one this tree has compiled
 * for this Node, by the name its installer looks for; where there is none, it compiles as the image would.
 */
function packBinary({ context, into }: ImageOptions): string {
  const folder = join(into, 'prebuilds');
  const module = join(context, 'node_modules/better-sqlite3');
  const binary = 'build/Release/better_sqlite3.node';
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(module, binary))) return folder;
  const { version }: { version: string } = JSON.parse(readFileSync(join(module, 'package.json'), 'utf8'));
  const { platform, arch, versions } = process;
  const name = `better-sqlite3-v${version}-node-v${versions.modules}-${platform}-${arch}.tar.gz`;
  execFileSync('tar', ['-czf', join(folder, name), '-C', module, binary]);
  return folder;
}

function buildStage(
  stage: Stage,
  root: string,
  roots: ReadonlyMap<string, string>,
  options: ImageOptions & { readonly prebuilds: string },
): void {
  let workdir = root;
  for (const instruction of stage.instructions) {
    if (instruction.name === 'WORKDIR') {
      workdir = join(root, instruction.text);
      mkdirSync(workdir, { recursive: true });
    }
    if (instruction.name === 'COPY') {
      const from = instruction.flags.get('from');
      copy(instruction, from === undefined ? options.context : rootOf(from, roots), workdir, root);
    }
    if (instruction.name === 'RUN') run(instruction.text, workdir, { root, prebuilds: options.prebuilds });
  }
}

function rootOf(stageName: string, roots: ReadonlyMap<string, string>): string {
  const root = roots.get(stageName);
  if (root === undefined) throw new Error(`COPY --from=${stageName} names no earlier stage`);
  return root;
}

/** As Docker does: a folder gives its contents, several files go into a folder written with a slash at its end. */
function copy(instruction: Instruction, from: string, workdir: string, root: string): void {
  const words = instruction.text.split(' ');
  const target = words.at(-1) ?? '';
  const destination = target.startsWith('/') ? join(root, target) : join(workdir, target);
  for (const source of words.slice(0, -1)) {
    const isIntoFolder = target.endsWith('/');
    cpSync(join(from, source), isIntoFolder ? join(destination, basename(source)) : destination, {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
}

/**
 * Runs a command of the image with its absolute paths moved below `root`. A line of apt-get is not run, it would
 * change this machine: instead every program it installs must be here already.
 */
function run(
  command: string,
  workdir: string,
  { root, prebuilds }: { readonly root: string; readonly prebuilds: string },
): void {
  if (command.startsWith('apt-get')) {
    const wanted = /--no-install-recommends (?<packages>[^&]+)/.exec(command)?.groups?.packages ?? '';
    for (const name of wanted.trim().split(' ')) execFileSync('sh', ['-c', `command -v ${name}`]);
    return;
  }
  const moved = command.replaceAll(/(?<=\s|^)\/(?=data|app)/g, `${root}/`);
  execFileSync('sh', ['-ec', moved], {
    cwd: workdir,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: cleanEnvironment(prebuilds),
  });
}

/** An image does not inherit what vitest or npm put into this process; only where programs and headers lie. */
function cleanEnvironment(prebuilds: string): NodeJS.ProcessEnv {
  const prefix = join(process.execPath, '../..');
  const headers = existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {};
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    npm_config_better_sqlite3_local_prebuilds: prebuilds,
    ...headers,
  };
}
