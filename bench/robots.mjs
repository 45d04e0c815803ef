/**
 * Robots that take every message: DingTalk and Feishu success in one answer, after `delayMs`.
 * A companion process: prints `{ port }`, then at the end `{ posts, arrivedAt }`. `GET /stats` tells the same meanwhile.
 */
import { createServer } from 'node:http';
import { GROUP_NUMBER } from './lib.mjs';

const SUCCESS = Buffer.from(
  JSON.stringify({
    errcode: 0,
    errmsg: 'ok',
    StatusCode: 0,
    StatusMessage: 'success',
    code: 0,
    data: {},
    msg: 'success',
  }),
);

const { delayMs = 0 } = JSON.parse(process.argv[2] ?? '{}');
/** First arrival of each alert group by its number, epoch ms. */
const arrivedAt = [];
let posts = 0;
let lastAt = 0;

const server = createServer((request, response) => {
  if (request.method === 'GET') return answer(response, Buffer.from(JSON.stringify({ posts, lastAt })));
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    lastAt = performance.timeOrigin + performance.now();
    posts += 1;
    note(Buffer.concat(chunks).toString('utf8'), lastAt);
    if (delayMs === 0) answer(response, SUCCESS);
    else setTimeout(() => answer(response, SUCCESS), delayMs);
  });
});

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => print({ port: server.address().port }));
process.stdin.resume();
process.stdin.on('end', () => {
  print({ posts, arrivedAt });
  server.close();
  server.closeAllConnections();
});

function note(message, at) {
  const index = GROUP_NUMBER.exec(message)?.groups?.index;
  if (index !== undefined) arrivedAt[Number(index)] ??= at;
}

function answer(response, body) {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

function print(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
