import { describe, expect, it } from 'vitest';
import { load, MINIMAL, minimalWith, reportOf } from './support.ts';

function keywordOf(text: string, env: Record<string, string> = {}, files: Record<string, string> = {}) {
  const { settings } = load({ yaml: minimalWith({ 'channels.ops.keyword': text }), env, files });
  return settings.channels.get('ops')?.keyword;
}

describe('interpolation', () => {
  it.each([
    [`\${A}`, 'one'],
    [`<\${A}-\${B}>`, '<one-two>'],
    [`$\${A}`, `\${A}`],
    [`$$\${A}`, `$\${A}`],
    ['$A and $', '$A and $'],
    [`\${file:/run/secrets/x}`, 'from file\n'],
    [`\${file:relative}`, 'beside'],
    [`\${EMPTY}`, ''],
  ])('reads %j as %j', (text, expected) => {
    const env = { A: 'one', B: 'two', EMPTY: '' };
    const files = { '/run/secrets/x': 'from file\n\n', '/srv/relative': 'beside\r\n' };

    const keyword = keywordOf(text, env, files);

    expect(keyword).toBe(expected);
  });

  it.each(['{ a: 1 }', '&x', '"quoted', 'a: b\nc: d', `\${A}`, '$&', "$'", 'true', '007'])(
    'takes the value %j as text and nothing else',
    (value) => {
      const keyword = keywordOf(`\${A}`, { A: value });

      expect(keyword).toBe(value);
    },
  );

  it('reads a number or a flag where one is wanted', () => {
    const yaml = minimalWith({
      'channels.ops.digest': { above: `\${N}` },
      'channels.ops.send_resolved': `\${FLAG}`,
      'channels.ops.late_after': `\${LATE}`,
    });

    const { settings } = load({ yaml, env: { N: '9', FLAG: 'false', LATE: '1m' } });

    expect(settings.channels.get('ops')).toMatchObject({
      digestAbove: 9,
      sendResolved: false,
      lateAfterMs: 60_000,
    });
  });

  it.each([
    [`\${NOPE}`, 'the environment variable NOPE is not set'],
    [`\${NOPE:-x}`, `\${NOPE:-x} is neither \${NAME} nor \${file:/path}`],
    [`\${}`, `\${} is neither`],
    [`\${NOPE`, `a \${ is not closed`],
    [`\${file:/run/none}`, 'the file /run/none cannot be read (ENOENT)'],
    [`\${file:/run/empty}`, 'the file /run/empty is empty'],
  ])('refuses %j', (text, expected) => {
    const report = reportOf({
      yaml: minimalWith({ 'channels.ops.keyword': text }),
      files: { '/run/empty': '\n' },
    });

    expect(report).toContain(`channels.ops.keyword: ${expected}`);
  });

  it('leaves keys alone', () => {
    const report = reportOf({ yaml: `${MINIMAL}\${A}: 1\n`, env: { A: 'server' } });

    expect(report).toContain(`\${A}: is not a known key`);
  });

  it('watches the files it read and warns of those that everyone can read', () => {
    const yaml = minimalWith({
      'channels.ops.keyword': `\${file:/run/open}`,
      'server.admin_token': `\${file:/run/closed}`,
      'egress.ca_file': '/etc/ca.pem',
    });

    const { watchedFiles, warnings } = load({
      yaml,
      files: { '/run/open': 'x', '/run/closed': 'y', '/etc/ca.pem': '' },
      worldReadable: ['/run/open'],
    });

    expect([...watchedFiles].sort()).toEqual([
      '/etc/alertcard.yaml',
      '/etc/ca.pem',
      '/run/closed',
      '/run/open',
    ]);
    expect(warnings.filter((warning) => warning.includes('every user'))).toEqual([
      'every user of this machine can read the secret in /run/open: chmod o-r',
    ]);
  });
});
