import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { loadFile } from './load.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PORT = '9095';
const HMAC_HEADER = 'X-Grafana-Alerting-Signature';
const TIMESTAMP_HEADER = 'X-Grafana-Alerting-Timestamp';

const Values = z.record(z.string(), z.unknown());
const Compose = z.object({
  services: z.object({
    grafana: z.object({ environment: Values }),
    alertcard: z.object({
      environment: Values,
      expose: z.array(z.string()),
      read_only: z.literal(true),
      cap_drop: z.tuple([z.literal('ALL')]),
      stop_grace_period: z.string(),
    }),
  }),
});
const ContactPoints = z.object({
  contactPoints: z.tuple([
    z.object({
      name: z.string(),
      receivers: z.tuple([
        z.object({ settings: z.object({ url: z.url(), hmacConfig: z.record(z.string(), z.string()) }) }),
      ]),
    }),
  ]),
});
const Policies = z.object({ policies: z.tuple([z.object({ receiver: z.string() })]) });
const Configuration = z.object({
  server: z.object({ listen: z.string() }),
  sources: z.object({
    grafana: z.object({
      auth: z.object({ hmac: z.object({ header: z.string(), timestamp_header: z.array(z.string()) }) }),
    }),
  }),
});
const Container = z.object({
  name: z.string(),
  restartPolicy: z.string().optional(),
  ports: z.array(z.object({ containerPort: z.number() })),
  livenessProbe: z.unknown().optional(),
  readinessProbe: z.unknown().optional(),
  securityContext: z.record(z.string(), z.unknown()).optional(),
});
const Workload = z.object({
  kind: z.enum(['Deployment', 'StatefulSet']),
  spec: z.object({
    replicas: z.number(),
    template: z.object({
      spec: z.object({
        terminationGracePeriodSeconds: z.number(),
        initContainers: z.array(Container).default([]),
        containers: z.array(Container),
      }),
    }),
  }),
});

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

/** Every document of a YAML file; throws for anything the parser complains about. */
function documentsOf(file: string): unknown[] {
  return [...parseAllDocuments(textOf(file), { uniqueKeys: true })].map((document) => {
    const [problem] = [...document.errors, ...document.warnings];
    if (problem !== undefined) throw problem;
    return document.toJS();
  });
}

const compose = Compose.parse(documentsOf('deploy/compose.yaml')[0]);
const configuration = Configuration.parse(documentsOf('deploy/alertcard.yaml')[0]);
const [contactPoint] = ContactPoints.parse(
  documentsOf('deploy/grafana/provisioning/alerting/contact-points.yaml')[0],
).contactPoints;
const policies = Policies.parse(
  documentsOf('deploy/grafana/provisioning/alerting/notification-policies.yaml')[0],
);
const kubernetes = documentsOf('deploy/kubernetes.yaml');
const terraform = textOf('deploy/terraform/contact-point.tf');

/** The names in `${NAME}` of the example configuration: what every deployment has to provide. */
const wantedVariables = [...JSON.stringify(documentsOf('deploy/alertcard.yaml')).matchAll(/\$\{([A-Z_]+)\}/g)]
  .map((match) => match[1] ?? '')
  .sort();

function workloadsOf(kind: string) {
  return kubernetes
    .filter((document) => Values.parse(document).kind === kind)
    .map((document) => Workload.parse(document).spec);
}

describe('the deployment examples', () => {
  it.each(['deploy/alertcard.yaml', 'alertcard.example.yaml'])(
    'load %s with nothing to warn about',
    (file) => {
      const { warnings, settings } = loadFile(textOf(file));

      expect(warnings).toEqual([]);
      expect([...settings.channels.keys()]).toEqual(['ops', 'ops-feishu']);
    },
  );

  it('use one port everywhere', () => {
    const [sidecar] = workloadsOf('Deployment').flatMap(({ template }) => template.spec.initContainers);
    const [own] = workloadsOf('StatefulSet').flatMap(({ template }) => template.spec.containers);

    const ports = {
      configuration: configuration.server.listen.split(':').at(-1),
      compose: compose.services.alertcard.expose,
      contactPoint: new URL(contactPoint.receivers[0].settings.url).port,
      sidecar: sidecar?.ports[0]?.containerPort,
      own: own?.ports[0]?.containerPort,
      terraform: /http:\/\/alertcard:(\d+)/.exec(terraform)?.[1],
      image: /EXPOSE (\d+)/.exec(textOf('Dockerfile'))?.[1],
    };

    expect(ports).toEqual({
      configuration: PORT,
      compose: [PORT],
      contactPoint: PORT,
      sidecar: Number(PORT),
      own: Number(PORT),
      terraform: PORT,
      image: PORT,
    });
  });

  it('name the same signature and timestamp headers on both sides', () => {
    const { hmac } = configuration.sources.grafana.auth;
    const { hmacConfig } = contactPoint.receivers[0].settings;

    expect([hmac.header, hmacConfig.header]).toEqual([HMAC_HEADER, HMAC_HEADER]);
    expect([...hmac.timestamp_header, hmacConfig.timestampHeader]).toEqual([
      TIMESTAMP_HEADER,
      TIMESTAMP_HEADER,
    ]);
    expect(terraform).toMatch(new RegExp(`header += "${HMAC_HEADER}"`));
    expect(terraform).toMatch(new RegExp(`timestamp_header += "${TIMESTAMP_HEADER}"`));
  });

  it('give Alertcard every variable its configuration asks for, in each way to run it', () => {
    const secret = kubernetes.map((document) => Values.parse(document)).find(({ kind }) => kind === 'Secret');
    const example = textOf('deploy/.env.example').match(/^[A-Z_]+(?==)/gm) ?? [];

    expect(wantedVariables.length).toBeGreaterThan(0);
    expect(Object.keys(compose.services.alertcard.environment)).toEqual(
      expect.arrayContaining(wantedVariables),
    );
    expect(Object.keys(Values.parse(secret?.stringData)).sort()).toEqual(wantedVariables);
    expect([...example].sort()).toEqual(wantedVariables);
  });

  it('sign with the secret that Grafana is given', () => {
    const { secret } = contactPoint.receivers[0].settings.hmacConfig;

    expect(secret).toBe('$GRAFANA_HMAC_SECRET');
    expect(Object.keys(compose.services.grafana.environment)).toContain('GRAFANA_HMAC_SECRET');
    expect(policies.policies[0].receiver).toBe(contactPoint.name);
  });

  it('leave time to drain', () => {
    const seconds = [
      Number.parseInt(compose.services.alertcard.stop_grace_period, 10),
      ...[...workloadsOf('Deployment'), ...workloadsOf('StatefulSet')].map(
        ({ template }) => template.spec.terminationGracePeriodSeconds,
      ),
    ];

    expect(seconds).toHaveLength(3);
    expect(Math.min(...seconds)).toBeGreaterThan(25);
  });

  it('run one Alertcard without rights, as a sidecar with liveness only or on its own', () => {
    const [sidecar] = workloadsOf('Deployment').flatMap(({ template }) => template.spec.initContainers);
    const [own] = workloadsOf('StatefulSet').flatMap(({ template }) => template.spec.containers);
    const replicas = [...workloadsOf('Deployment'), ...workloadsOf('StatefulSet')].map(
      (spec) => spec.replicas,
    );

    const restricted = {
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    };
    expect(sidecar).toMatchObject({ restartPolicy: 'Always', securityContext: restricted });
    expect(sidecar?.livenessProbe).toBeDefined();
    expect(sidecar?.readinessProbe).toBeUndefined();
    expect(own).toMatchObject({ securityContext: restricted });
    expect(own?.readinessProbe).toBeDefined();
    expect(replicas).toEqual([1, 1]);
  });
});
