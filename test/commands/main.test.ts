import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/commands/main.ts';
import { AlertcardError, type ErrorCode } from '../../src/domain/errors.ts';
import { run } from './support.ts';

describe('the command line', () => {
  it('has the commands that are contract', () => {
    expect(COMMANDS.map(({ name }) => name)).toEqual([
      'serve',
      'demo',
      'check',
      'preview',
      'send-test',
      'sign',
      'deliveries',
      'channels',
      'reload',
      'backup',
      'doctor',
    ]);
  });

  it.each([['--help'], ['-h'], ['help']])('prints every command on %s', async (arg) => {
    const { code, stdout } = await run([arg]);

    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS) expect(stdout).toContain(`  ${name.padEnd(12)}${summary}\n`);
  });

  it('prints the help as an error when no command is given', async () => {
    const { code, stdout, stderr } = await run([]);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^Usage: alertcard COMMAND/);
  });

  it.each(COMMANDS.map(({ name }) => [name]))('prints the help of %s', async (name) => {
    const byOption = await run([name, '--help']);
    const byCommand = await run(['help', name]);

    expect(byOption.code).toBe(0);
    expect(byOption.stdout).toMatch(new RegExp(`^Usage: alertcard ${name}\\b`));
    expect(byCommand).toEqual(byOption);
  });

  it('prints the version', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' });
  });

  it('names the commands there are when it does not know one', async () => {
    const { code, stderr } = await run(['deliver']);

    expect(code).toBe(2);
    expect(stderr).toMatch(/no command deliver; there is serve, demo, /);
  });

  it.each([
    [['serve', '--sandboxx']],
    [['serve', 'extra']],
    [['check', '--config']],
    [['preview', '--payload', 'x.json']],
    [['preview', '--template', 'default', '--payload', 'x.json', '--provider', 'slack']],
    [['send-test']],
    [['sign', '--secret', 's']],
    [['sign', 'body.json']],
    [['sign', '--secret', 's', '--timestamp=soon', 'body.json']],
    [['deliveries']],
    [['deliveries', 'show']],
    [['deliveries', 'replay']],
    [['deliveries', 'show', 'a', 'b']],
    [['channels', 'stop']],
    [['channels', 'pause', 'ops']],
    [['backup']],
  ])('refuses %j with its usage', async (args) => {
    const { code, stdout, stderr } = await run(args);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(new RegExp(`^alertcard ${args[0]}: .+\n\nUsage: alertcard ${args[0]}`));
  });

  it('names an option it does not know, in one sentence', async () => {
    const { stderr } = await run(['demo', '--frob']);

    expect(stderr).toBe("alertcard demo: Unknown option '--frob'\n\nUsage: alertcard demo [--data DIR]\n");
  });

  it.each([
    ['config_invalid', 2],
    ['template_invalid', 2],
    ['store_corrupt', 3],
    ['store_foreign', 3],
    ['store_newer', 3],
    ['store_in_use', 3],
    ['store_not_durable', 3],
    ['store_unavailable', 1],
  ] as const satisfies [ErrorCode, number][])('ends %s with exit code %i', async (code, exitCode) => {
    const ran = await run(['serve'], {
      app: { build: async () => Promise.reject(new AlertcardError(code, 'Do this.\nThen that.')) },
    });

    expect(ran).toEqual({ code: exitCode, stdout: '', stderr: 'alertcard serve: Do this.\nThen that.\n' });
  });
});
