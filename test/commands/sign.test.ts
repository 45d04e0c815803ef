import { describe, expect, it } from 'vitest';
import { NOW, run } from './support.ts';

const SECRET = 's3cr3t-signing-key';
const BODY = '{"status":"firing","title":"a \\u0026 b"}';
const files = { 'body.json': BODY, 'key.txt': `${SECRET}\n` };

const BARE = 'dabc028a0eef3f466a3c4b8c7fb79daab244d5818a9eaab25943ef82f995bc32';
const STAMPED = '0c0c193dae82373acf6dfa8e8cbd01d55ca7785743b1c8988eb8ca0659b1b03e';

describe('sign', () => {
  it('prints the header Grafana would send', async () => {
    const ran = await run(['sign', '--secret', SECRET, 'body.json'], { files });

    expect(ran).toEqual({ code: 0, stdout: `X-Grafana-Alerting-Signature: ${BARE}\n`, stderr: '' });
  });

  it('reads the secret from a file', async () => {
    const { stdout } = await run(['sign', '--secret-file', 'key.txt', 'body.json'], { files });

    expect(stdout).toContain(BARE);
  });

  it.each([[['--timestamp', '1772439671']], [['--timestamp=1772439671']]])(
    'signs a given timestamp: %j',
    async (options) => {
      const { stdout } = await run(['sign', '--secret', SECRET, ...options, 'body.json'], { files });

      expect(stdout).toBe(
        `X-Grafana-Alerting-Signature: ${STAMPED}\nX-Grafana-Alerting-Timestamp: 1772439671\n`,
      );
    },
  );

  it('signs the current time when --timestamp stands alone', async () => {
    const { stdout } = await run(['sign', '--secret', SECRET, '--timestamp', 'body.json'], { files });

    expect(stdout).toContain(`X-Grafana-Alerting-Timestamp: ${NOW / 1000}\n`);
  });

  it('takes other header names and prints JSON', async () => {
    const { stdout } = await run(
      [
        'sign',
        '--secret',
        SECRET,
        '--header',
        'X-Sig',
        '--timestamp-header',
        'X-At',
        '--timestamp',
        '1',
        '--json',
        'body.json',
      ],
      { files },
    );

    expect(JSON.parse(stdout)).toEqual({ 'X-Sig': expect.stringMatching(/^[0-9a-f]{64}$/), 'X-At': '1' });
  });

  it('prints a curl command a shell can read', async () => {
    const { stdout } = await run(
      ['sign', '--secret', SECRET, '--curl', 'http://127.0.0.1:9095/hooks/grafana', "it's.json"],
      { files: { "it's.json": BODY } },
    );

    expect(stdout).toBe(
      `curl -sS -X POST http://127.0.0.1:9095/hooks/grafana -H 'X-Grafana-Alerting-Signature: ${BARE}'` +
        ` -H 'Content-Type: application/json' --data-binary '@it'\\''s.json'\n`,
    );
  });

  it('fails when the file cannot be read', async () => {
    const { code, stderr } = await run(['sign', '--secret', SECRET, 'missing.json']);

    expect(code).toBe(1);
    expect(stderr).toContain('missing.json');
  });
});
