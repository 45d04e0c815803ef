import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSender } from '../../src/channels/send.ts';
import { handClock, LOOPBACK_EGRESS } from '../support/robots.ts';

/** A certificate for loopback that signs itself; the key is worth nothing. */
const FOLDER = join(import.meta.dirname, 'tls');
const CERT_FILE = join(FOLDER, 'cert.pem');

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function startServer(): Promise<string> {
  const files = { cert: readFileSync(CERT_FILE), key: readFileSync(join(FOLDER, 'key.pem')) };
  server = createServer(files, (_, response) => response.end('{"errcode":0}'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

describe('a certificate that the built-in roots do not know', () => {
  it.each([
    ['is refused', '', { kind: 'not_sent', cause: 'tls' }],
    ['is trusted when egress.ca_file names it', CERT_FILE, { kind: 'answered', body: '{"errcode":0}' }],
  ])('%s', async (_, caFile, expected) => {
    const url = await startServer();
    const sender = createSender({ egress: { ...LOOPBACK_EGRESS, caFile }, clock: handClock(0) });

    const answer = await sender.post({ url, body: '{}' });

    expect(answer).toMatchObject(expected);
    await sender.close();
  });
});
