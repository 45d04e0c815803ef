/** One instruction of a Dockerfile, continuation lines joined. */
export interface Instruction {
  readonly name: string;
  /** What follows the name, flags such as `--from=build` taken out. */
  readonly text: string;
  readonly flags: ReadonlyMap<string, string>;
}

export interface Stage {
  readonly base: string;
  readonly name: string;
  readonly instructions: readonly Instruction[];
}

/** Reads a Dockerfile into its stages. */
export function parseDockerfile(source: string): Stage[] {
  const stages: { base: string; name: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructionsOf(source)) {
    if (instruction.name === 'FROM') {
      const [base = '', , name = String(stages.length)] = instruction.text.split(/\s+/);
      stages.push({ base, name, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`${instruction.name} stands before the first FROM`);
      stage.instructions.push(instruction);
    }
  }
  return stages;
}

/** The stage that becomes the image. */
export function finalStage(stages: readonly Stage[]): Stage {
  const stage = stages.at(-1);
  if (stage === undefined) throw new Error('the Dockerfile has no stage');
  return stage;
}

/** The words of an exec-form instruction such as `CMD ["serve"]`; undefined for the shell form. */
export function execForm(text: string): string[] | undefined {
  const start = text.indexOf('[');
  if (start < 0) return undefined;
  const words: unknown = JSON.parse(text.slice(start));
  return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined;
}

/** The last instruction of that name in a stage: the one that counts for CMD, ENTRYPOINT, USER and the like. */
export function lastOf(stage: Stage, name: string): string {
  const found = stage.instructions.findLast((instruction) => instruction.name === name);
  if (found === undefined) throw new Error(`the Dockerfile has no ${name}`);
  return found.text;
}

/** `ENV A=b C=d` as an object. */
export function environmentOf(stage: Stage): Record<string, string> {
  const pairs = stage.instructions
    .filter(({ name }) => name === 'ENV')
    .flatMap(({ text }) => text.split(/\s+/))
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
  return Object.fromEntries(pairs);
}

function instructionsOf(source: string): Instruction[] {
  return source
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(toInstruction);
}

function toInstruction(line: string): Instruction {
  const words = line.split(/\s+/);
  const flags = new Map<string, string>();
  let index = 1;
  for (let flag = words[index]; flag?.startsWith('--'); flag = words[++index]) {
    const [key = '', value = ''] = flag.slice(2).split('=');
    flags.set(key, value);
  }
  const skipped = words.slice(0, index).join(' ');
  const text = line.replaceAll(/\s+/g, ' ').slice(skipped.length).trim();
  return { name: (words[0] ?? '').toUpperCase(), text, flags };
}
