import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { stringify } from 'yaml';
import { commandPort } from '../../src/app/command-port.ts';
import { settingsLoader } from '../../src/app/settings-loader.ts';
import { runCommand } from '../../src/commands/main.ts';
import type { Robots } from '../../src/sandbox/robots.ts';
import type { Scripted } from '../../src/sandbox/script.ts';
import {
  ADMIN_TOKEN,
  type Answered,
  notification,
  type Service,
  startService,
  type Tree,
} from '../support/app.ts';

/** One marked secret for every place that holds one. None looks like another or like anything else. */
const SECRETS = {
  dingtalkToken: 'mkd1tok+Qm7xWv/93',
  dingtalkSecret: 'SECmkd2Lr8PzK4t',
  feishuToken: 'mkf1-aa55-Yw0',
  feishuSecret: 'mkf2Hs6NbT+1u=',
  hmac: 'mkh1Vc9Gd2Re',
  bearer: 'mkb1Xo5Jq7Ua',
  basicUser: 'grafana',
  basicPassword: 'mkp1Zi3Fk8Wy',
  proxyPassword: 'mkx1Nu4Tm6Eb',
} as const;

const { dingtalkToken, dingtalkSecret, feishuToken, feishuSecret, hmac, bearer, basicPassword } = SECRETS;
const MARKERS: readonly string[] = [
  ...Object.values(SECRETS).filter((secret) => secret !== 'grafana'),
  ADMIN_TOKEN,
];

function config(robots: Robots): Tree {
  const ding = robots.dingtalkUrl(dingtalkToken, { secret: dingtalkSecret });
  const fei = robots.feishuUrl(feishuToken, { secret: feishuSecret });
  return {
    sources: {
      grafana: { auth: { hmac: { secrets: [hmac] } }, channels: ['ding', 'fei'] },
      bearer: { auth: { bearer: { secrets: [bearer] } }, channels: ['ding'] },
      basic: { auth: { basic: { secrets: [`grafana:${basicPassword}`] } }, channels: ['ding'] },
    },
    channels: {
      ding: { provider: 'dingtalk', robots: [{ url: ding, secret: dingtalkSecret }], fallback: 'fei' },
      fei: { provider: 'feishu', robots: [{ url: fei, secret: feishuSecret }], fallback: 'ding' },
    },
  };
}

/** Answers that say back what they were sent, in every way a robot or a proxy before it might. */
function echoes(url: string, secret: string): Scripted[] {
  const token = url.split(/[=/]/u).at(-1) ?? '';
  const words = [url, `token ${token} of ${decodeURIComponent(token)}`, `secret is "${secret}"`].join(' | ');
  const bodies = [
    { errcode: 300005, errmsg: words, code: 19001, msg: words },
    { errcode: 310000, errmsg: words, code: 19021, msg: words },
    { errcode: 40035, errmsg: words, code: 11246, msg: words },
    { errcode: 12345, errmsg: words, code: 12345, msg: words },
  ];
  return [
    ...bodies.map((body): Scripted => ({ kind: 'answer', body })),
    { kind: 'answer', status: 500, body: `<html><body>failed: ${words}</body></html>` },
    { kind: 'answer', status: 400, body: `bad: ${encodeURIComponent(words)}` },
    { kind: 'redirect', to: `${url}&again=1` },
    { kind: 'reset' },
    { kind: 'cut_off', body: `{"errmsg":"${token}`, missingBytes: 10 },
  ];
}

it('no secret stands anywhere but where it is compared or sent', async () => {
  const service = await startService({ config });
  const { robots } = service;
  robots.script('dingtalk', dingtalkToken, ...echoes(robots.dingtalkUrl(dingtalkToken), dingtalkSecret));
  robots.script('feishu', feishuToken, ...echoes(robots.feishuUrl(feishuToken), feishuSecret));
  const found = new Places();

  await postRight(service, found);
  await postWrong(service, found);
  for (let round = 0; round < 4; round++) {
    for (const channel of ['ding', 'fei']) {
      const answer = await meanwhile(service, service.api('POST', `/api/channels/${channel}/test`, {}));
      found.add(`test of ${channel}`, answer.text);
    }
    await service.pass(20 * 60_000, 60_000);
  }
  await readEverything(service, found);
  await breakReload(service, found);
  await commandLine(service, found);
  found.add('log', service.logs.join(''));

  expect(robots.received.length).toBeGreaterThan(18);
  expect(found.texts.get('log')).toContain('misconfigured');
  expect(found.leaks()).toEqual([]);
}, 60_000);

it('the search finds a secret that does stand there, in each form', () => {
  const found = new Places();
  found.add('log', `said ${hmac} and ${encodeURIComponent(dingtalkToken)}`);
  found.add('api', Buffer.from(`user:${basicPassword}!`).toString('base64'));

  const leaks = found.leaks();

  expect(leaks.map((leak) => leak.split(':')[0])).toEqual(['log', 'log', 'api']);
});

/** Lets time pass until an answer is there: it may be the one that says that time ran out. */
async function meanwhile(service: Service, answering: Promise<Answered>): Promise<Answered> {
  let isAnswered = false;
  const answer = answering.finally(() => {
    isAnswered = true;
  });
  while (!isAnswered) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    await service.pass(1_000);
  }
  return answer;
}

/** Texts by where they were found. */
class Places {
  readonly texts = new Map<string, string>();

  add(place: string, text: string): void {
    this.texts.set(place, `${this.texts.get(place) ?? ''}${text}`);
  }

  /** Which secret stands where, plainly or in one of the usual encodings. */
  leaks(): string[] {
    return [...this.texts].flatMap(([place, text]) =>
      MARKERS.flatMap((marker) =>
        formsOf(marker)
          .filter((form) => text.includes(form))
          .map((form) => `${place}: ${form}`),
      ),
    );
  }
}

/** Base64 of a text within another depends on where it begins: the part that no neighbour changes, for each. */
function formsOf(secret: string): string[] {
  const base64 = [0, 1, 2].map((shift) => {
    const text = Buffer.from(`${'x'.repeat(shift)}${secret}`)
      .toString('base64')
      .replace(/=+$/u, '');
    return text.slice(shift === 0 ? 0 : shift + 1, -1);
  });
  return [...new Set([secret, encodeURIComponent(secret), ...base64])];
}

async function postRight(service: Service, found: Places): Promise<void> {
  const basic = Buffer.from(`grafana:${basicPassword}`).toString('base64');
  const answers = [
    await meanwhile(
      service,
      service.post(notification([{ name: 'disk' }]), { secret: hmac, headers: { prefer: 'wait=1' } }),
    ),
    await service.post(notification([{ name: 'cpu' }], { group: 'b' }), {
      path: '/hooks/bearer',
      headers: { authorization: `Bearer ${bearer}` },
    }),
    await service.post(notification([{ name: 'net' }], { group: 'c' }), {
      path: '/hooks/basic',
      headers: { authorization: `Basic ${basic}` },
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([502, 202, 202]);
  for (const { text } of answers) found.add('answers of the hook', text);
}

async function postWrong(service: Service, found: Places): Promise<void> {
  const body = notification([{ name: 'x' }]);
  const answers = [
    await service.post(body, { path: `/hooks/${bearer}` }),
    await service.post(body, { path: '/hooks/bearer', headers: { authorization: `Bearer ${bearer}x` } }),
    await service.post(body, { path: '/hooks/basic', headers: { authorization: `Basic ${bearer}` } }),
    await service.post(body, { headers: { 'x-grafana-alerting-signature': hmac } }),
    await service.get(`/hooks/grafana?token=${ADMIN_TOKEN}`),
    await service.get(`/api/deliveries?cursor=${ADMIN_TOKEN}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 401, 401, 401, 405, 401]);
  for (const { text } of answers) found.add('refusals', text);
}

async function readEverything(service: Service, found: Places): Promise<void> {
  for (const path of ['/metrics', '/readyz', '/healthz']) found.add(path, (await service.get(path)).text);
  for (const path of ['/api/channels', '/api/openapi.json'])
    found.add(path, (await service.api('GET', path)).text);
  for (const kind of ['deliveries', 'notifications']) {
    const list = await service.api('GET', `/api/${kind}?limit=100`);
    found.add(`/api/${kind}`, list.text);
    for (const { id } of list.json.items)
      found.add(`/api/${kind}/{id}`, (await service.api('GET', `/api/${kind}/${id}`)).text);
  }
  for (const file of readdirSync(service.folder).filter((name) => name.startsWith('alertcard.db')))
    found.add(file, readFileSync(join(service.folder, file)).toString('latin1'));
}

async function breakReload(service: Service, found: Places): Promise<void> {
  service.configure({
    ...config(service.robots),
    egress: { allow_private: true, proxy: `http://proxy:${SECRETS.proxyPassword}@127.0.0.1:1` },
  });
  found.add('reload', (await service.api('POST', '/api/reload')).text);
  await service.post(notification([{ name: 'proxied' }], { group: 'p' }), { secret: hmac });
  await service.pass(60_000, 10_000);
  await readEverything(service, found);
  service.configure({
    channels: {
      ding: { provider: 'dingtalk', robots: [{ url: `${dingtalkToken}`, secret: dingtalkSecret }], wrong: 1 },
    },
  });
  found.add('reload', (await service.api('POST', '/api/reload')).text);
}

async function commandLine(service: Service, found: Places): Promise<void> {
  const file = join(service.folder, 'alertcard.yaml');
  const store = { url: `sqlite:${service.folder}/copy.db` };
  writeFileSync(file, stringify({ store, egress: { allow_private: true }, ...config(service.robots) }));
  const out: string[] = [];
  const stream = { write: (text: string) => out.push(text) };
  for (const args of [['check'], ['check', '--json'], ['doctor'], ['channels', 'list'], ['reload']])
    await runCommand(
      {
        stdout: stream,
        stderr: stream,
        now: Date.now,
        sleep: async () => undefined,
        readFile: async (path) => readFileSync(path),
        http: async () => Promise.reject(new Error('nobody is there')),
        loadSettings: settingsLoader({}, service.folder),
        app: commandPort('1.2.3'),
        onSignals: () => undefined,
      },
      [...args, '--config', file],
      '1.2.3',
    );
  expect(out.join('')).toContain('channels');
  found.add('command line', out.join(''));
}
