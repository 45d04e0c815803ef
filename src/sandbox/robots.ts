import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dingtalkRobot, type LookAlike, unknownDingtalkRobot } from './dingtalk-robot.ts';
import {
  type Incoming,
  type Platform,
  parseJson,
  type Received,
  type RobotRules,
  type Ruling,
} from './exchange.ts';
import { feishuRobot, unknownFeishuRobot } from './feishu-robot.ts';
import { answer, play, type Scripted } from './script.ts';

export interface RobotsOptions {
  /** Epoch ms; the system's clock by default. */
  readonly clock?: { now(): number };
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly onReceived?: (received: Received) => void;
}

export interface Robots {
  /** The webhook address of a robot, which exists from then on, with these rules. */
  dingtalkUrl(token: string, rules?: RobotRules): string;
  feishuUrl(token: string, rules?: RobotRules): string;
  /** Everything received so far, oldest first. */
  readonly received: readonly Received[];
  /** Puts answers in line for a robot; each is given once, then the robot judges again by itself. */
  script(platform: Platform, token: string, ...answers: readonly Scripted[]): void;
  readonly port: number;
  close(): Promise<void>;
}

interface Robot {
  readonly lookAlike: LookAlike;
  readonly scripts: Scripted[];
}

/** Starts look-alike robots on loopback that judge messages as the vendors' do. */
export async function startRobots(options: RobotsOptions = {}): Promise<Robots> {
  const clock = options.clock ?? { now: () => Date.now() };
  const room = new Room(options.onReceived ?? (() => undefined));
  const server = createServer((request, response) => {
    readRequest(request, clock.now()).then(
      (incoming) => room.take(incoming, response),
      () => response.destroy(),
    );
  });
  const port = await listen(server, options.port ?? 0);
  const base = `http://127.0.0.1:${port}`;
  return {
    dingtalkUrl: (token, rules = {}) => {
      room.add('dingtalk', token, dingtalkRobot(rules));
      return `${base}/robot/send?access_token=${encodeURIComponent(token)}`;
    },
    feishuUrl: (token, rules = {}) => {
      room.add('feishu', token, feishuRobot(rules));
      return `${base}/open-apis/bot/v2/hook/${encodeURIComponent(token)}`;
    },
    received: room.received,
    script: (platform, token, ...answers) => room.script(platform, token, answers),
    port,
    close: () => {
      room.stop();
      return close(server);
    },
  };
}

/** The robots of one server and what they have heard. */
class Room {
  readonly received: Received[] = [];
  readonly #robots = new Map<string, Robot>();
  readonly #stops = new Set<() => void>();
  readonly #onReceived: (received: Received) => void;

  constructor(onReceived: (received: Received) => void) {
    this.#onReceived = onReceived;
  }

  add(platform: Platform, token: string, lookAlike: LookAlike): void {
    this.#robots.set(`${platform}:${token}`, { lookAlike, scripts: [] });
  }

  script(platform: Platform, token: string, answers: readonly Scripted[]): void {
    const robot = this.#robots.get(`${platform}:${token}`);
    if (robot === undefined)
      throw new Error(`the sandbox has no ${platform} robot ${token}: ask for its URL first`);
    robot.scripts.push(...answers);
  }

  take(incoming: Incoming, response: ServerResponse): void {
    const address = addressOf(incoming.url);
    const robot = address && this.#robots.get(`${address.platform}:${address.token}`);
    if (address === undefined) answer(response, 404, {}, 'not found');
    else if (robot === undefined) answerRuling(unknownRobot(address.platform), response);
    else this.#judge(incoming, robot, address, response);
  }

  #judge(incoming: Incoming, robot: Robot, address: Address, response: ServerResponse): void {
    const script = robot.scripts.shift();
    const ruling = script === undefined ? robot.lookAlike.receive(incoming) : undefined;
    const received: Received = {
      platform: address.platform,
      robot: address.token,
      at: incoming.at,
      json: parseJson(incoming.body),
      bytes: incoming.body.length,
      headers: incoming.headers,
      isShown: ruling?.code === 0 || script?.isShown === true,
      code: ruling?.code,
      mentions: ruling?.mentions ?? [],
    };
    this.received.push(received);
    this.#onReceived(received);
    if (ruling !== undefined) answerRuling(ruling, response);
    else if (script !== undefined) this.#stops.add(play(script, response));
  }

  stop(): void {
    for (const stop of this.#stops) stop();
  }
}

function answerRuling(ruling: Ruling, response: ServerResponse): void {
  answer(response, 200, {}, ruling.json);
}

interface Address {
  readonly platform: Platform;
  readonly token: string;
}

function addressOf(url: URL): Address | undefined {
  if (url.pathname === '/robot/send')
    return { platform: 'dingtalk', token: url.searchParams.get('access_token') ?? '' };
  const hook = /^\/open-apis\/bot\/v2\/hook\/([^/]+)$/u.exec(url.pathname)?.[1];
  return hook === undefined ? undefined : { platform: 'feishu', token: decodeURIComponent(hook) };
}

function unknownRobot(platform: Platform): Ruling {
  return platform === 'dingtalk' ? unknownDingtalkRobot() : unknownFeishuRobot();
}

async function readRequest(request: IncomingMessage, at: number): Promise<Incoming> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  return { method: request.method ?? '', url, headers, body: Buffer.concat(chunks), at };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
