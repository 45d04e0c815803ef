import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { grafanaSignature } from '../../src/domain/grafana-signature.ts';

const FIXTURES = resolve(import.meta.dirname, '../../fixtures/grafana');

interface Vector {
  readonly name: string;
  readonly secret: string;
  readonly body?: string;
  readonly bodyFile?: string;
  readonly timestamp: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(resolve(FIXTURES, 'hmac-vectors.json'), 'utf8'));

describe('grafanaSignature', () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))(
    'agrees with Grafana on %s',
    (_name, vector) => {
      const body =
        vector.bodyFile === undefined
          ? Buffer.from(vector.body ?? '')
          : readFileSync(resolve(FIXTURES, vector.bodyFile));

      const signature = grafanaSignature(vector.secret, body, vector.timestamp ?? undefined);

      expect(signature).toBe(vector.headers['X-Grafana-Alerting-Signature']);
    },
  );
});
