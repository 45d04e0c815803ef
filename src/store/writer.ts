import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { AlertcardError } from '../domain/errors.ts';
import type { Cursors } from './apply.ts';
import { runBatch } from './batch.ts';
import type { Connection } from './connection.ts';
import { classifyFailure } from './failures.ts';
import type { Answer, WriterData, WriterReply, WriterRequest } from './intents.ts';
import { closeWriterDatabase, openWriterDatabase, startCursors } from './writer-database.ts';

/**
 * Entry of the writer thread: the only connection that writes. Its main thread sends one batch at a time
 * and hears back after COMMIT; while the disk is slow, only this thread waits.
 */
function main(port: MessagePort, data: WriterData): void {
  let db: Connection;
  try {
    db = openWriterDatabase(data);
  } catch (error) {
    const { code, message } = error instanceof AlertcardError ? error : classifyFailure(error);
    send(port, { kind: 'refused', code, message });
    port.close();
    return;
  }
  const cursors = startCursors();
  port.on('message', (request: WriterRequest) => handle(port, db, request, cursors));
  send(port, { kind: 'ready' });
}

function handle(port: MessagePort, db: Connection, request: WriterRequest, cursors: Cursors): void {
  switch (request.kind) {
    case 'ping':
      send(port, { kind: 'pong', id: request.id });
      return;
    case 'batch': {
      const reply = runBatch(db, request.intents, request.now, cursors);
      send(port, { kind: 'batch', reply }, reply.kind === 'done' ? buffersOf(reply.answers) : []);
      return;
    }
    case 'close':
      closeWriterDatabase(db);
      port.close();
  }
}

function send(port: MessagePort, reply: WriterReply, transfer: readonly ArrayBuffer[] = []): void {
  port.postMessage(reply, transfer);
}

/** The bodies in the answers that own their memory: they move to the main thread without being copied. */
function buffersOf(answers: readonly Answer[]): readonly ArrayBuffer[] {
  const buffers = new Set<ArrayBuffer>();
  for (const answer of answers) {
    if (answer.kind === 'failed' || typeof answer.value !== 'object' || answer.value === null) continue;
    const work =
      'lines' in answer.value ? answer.value : 'next' in answer.value ? answer.value.next : undefined;
    for (const { body } of work?.lines.flatMap((line) => line.entries) ?? []) {
      const { buffer } = body;
      if (buffer instanceof ArrayBuffer && buffer.byteLength === body.byteLength) buffers.add(buffer);
    }
  }
  return [...buffers];
}

if (parentPort !== null) main(parentPort, workerData);
