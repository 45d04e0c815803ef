import { describe, expect, it } from 'vitest';
import { AlertcardError } from '../../src/domain/errors.ts';
import type { Matcher } from '../../src/domain/matcher.ts';
import { Secret } from '../../src/domain/secret.ts';
import { channel, run, settingsWith, source } from './support.ts';

const matcher: Matcher = { label: 'team', operator: '=~', value: 'pay.*', matches: () => true };

const settings = settingsWith({
  sources: new Map([
    ['grafana', source()],
    ['old', source({ name: 'old', auth: { kind: 'none' } })],
    [
      'plain',
      source({
        name: 'plain',
        auth: {
          kind: 'hmac',
          secrets: [new Secret('c4n4ry')],
          header: 'x-sig',
          timestampHeaders: [],
          toleranceMs: 1,
        },
      }),
    ],
  ]),
  channels: new Map([
    ['ops', channel({ fallback: 'dev' })],
    ['dev', channel({ name: 'dev', provider: 'feishu', form: 'card2' })],
  ]),
  routes: [{ matchers: [matcher], channels: ['ops', 'dev'], mentionAll: true, continue: true }],
});

const WARNINGS = ['ALERTCARD_LISTN is unknown', 'channel dev: no fallback'];

describe('check', () => {
  it('prints the resolved routing and what is worth a warning', async () => {
    const { code, stdout } = await run(['check'], { settings, warnings: WARNINGS });

    expect(code).toBe(0);
    expect(stdout).toBe(`Configuration: alertcard.yaml

SOURCE   AUTH  TIMESTAMP  DEFAULT CHANNELS
grafana  hmac  yes        ops
old      none  no         ops
plain    hmac  no         ops

ROUTE  MATCH             CHANNELS                       MENTIONS  THEN
1      team=~"pay.*"     ops, dev                       everyone  next route
-      no route matched  the source's default channels  -         stop

CHANNEL  PROVIDER  ROBOTS  FORM   TEMPLATE  FALLBACK
ops      dingtalk  1       card   default   dev
dev      feishu    1       card2  default   -

Templates: 2 rendered with 16 samples each.

${WARNINGS.map((text) => `warning: ${text}\n`).join('')}The configuration is good.
`);
  });

  it('prints the same for programs', async () => {
    const { stdout } = await run(['check', '--json'], { settings, warnings: WARNINGS });

    expect(JSON.parse(stdout)).toMatchObject({
      file: 'alertcard.yaml',
      sources: [{ name: 'grafana', auth: 'hmac', has_timestamp: true }, { name: 'old' }, { name: 'plain' }],
      channels: [
        { name: 'ops', fallback: 'dev' },
        { name: 'dev', fallback: null },
      ],
      routes: [{ match: ['team=~"pay.*"'], channels: ['ops', 'dev'], mention_all: true, continue: true }],
      warnings: WARNINGS,
    });
  });

  it('shows no secret', async () => {
    const people = await run(['check'], { settings });
    const programs = await run(['check', '--json'], { settings });

    expect(people.stdout + programs.stdout).not.toMatch(/c4n4ry|s3cr3t/);
  });

  it('ends with 2 and the whole report when the configuration is bad', async () => {
    const report = 'alertcard.yaml:3:5 channels.ops.robts: unknown key, did you mean robots?';
    const { code, stderr } = await run(['check', '--config', 'alertcard.yaml'], {
      loadSettings: async () => Promise.reject(new AlertcardError('config_invalid', report)),
    });

    expect(code).toBe(2);
    expect(stderr).toContain(report);
  });

  it('ends with 2 when a template does not compile', async () => {
    const { code, stderr } = await run(['check'], {
      app: { checkTemplates: async () => ['dingtalk/night: line 3: unclosed block'] },
    });

    expect(code).toBe(2);
    expect(stderr).toContain('dingtalk/night: line 3: unclosed block');
  });

  it('ends with 2 when a template fails with a sample', async () => {
    const problem = 'dingtalk/night (en) with v13-firing-single: it renders no JSON';
    const report = { templates: 1, samples: 16, problems: [problem], warnings: [] };

    const { code, stderr } = await run(['check'], { settings, app: { sampleTemplates: async () => report } });

    expect(code).toBe(2);
    expect(stderr).toContain(problem);
  });

  it('warns of what comes out blank with a sample', async () => {
    const warning = 'dingtalk/night (en) with v13-firing-single: the body comes out blank';
    const report = { templates: 1, samples: 16, problems: [], warnings: [warning] };

    const { code, stdout } = await run(['check'], { settings, app: { sampleTemplates: async () => report } });

    expect(code).toBe(0);
    expect(stdout).toContain(`warning: ${warning}\n`);
  });
});
