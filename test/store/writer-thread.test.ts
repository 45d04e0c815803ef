import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Writer } from '../../src/store/writer-thread.ts';
import { WriterThread } from '../../src/store/writer-thread.ts';
import { claimOf, delivered, IN_THREAD, makeAccepted, openTestStore } from '../support/store.ts';

/** A thread that says it is ready and does `onMessage` with whatever it is sent. */
function threadThat(onMessage: string) {
  const script = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => { ${onMessage} });
    parentPort.postMessage({ kind: 'ready' });`;
  const url = new URL(`data:text/javascript,${encodeURIComponent(script)}`);
  return {
    startWriter: (
      data: Parameters<typeof WriterThread.start>[1],
      onDeath: (reason: string) => void,
    ): Promise<Writer> => WriterThread.start(url, data, onDeath),
  };
}

const DYING = threadThat("if (message.kind === 'batch') throw new Error('out of luck')");
const DEAF = threadThat('');
const FAILED_DISK = threadThat(`if (message.kind === 'batch') parentPort.postMessage({
  kind: 'batch',
  reply: {
    kind: 'done', commitMs: 1, deaths: [], hasRoom: true, trouble: 'io_error', isFatal: true,
    answers: message.intents.map(() => ({ kind: 'failed', code: 'store_outcome_unknown', message: 'fsync' })),
  },
})`);

const WRITER = new URL('../../dist/store/writer.js', import.meta.url);

/** What a promise that is going to fail fails with. */
function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('the writer thread', () => {
  it('keeps, claims and settles over its port', async () => {
    const { store } = await openTestStore(IN_THREAD);
    const accepted = makeAccepted({ body: 'x'.repeat(50_000) });

    await store.accept(accepted);
    const work = await store.claim(claimOf());
    const result = await store.settle(work?.token ?? '', delivered(), claimOf());

    expect(work?.lines[0]?.entries[0]?.body.byteLength).toBe(50_000);
    expect(result).toMatchObject({ held: true, next: undefined });
    expect((await store.delivery(accepted.deliveries[0]?.id ?? ''))?.state).toBe('delivered');
  });

  it('answers pings', async () => {
    const { store } = await openTestStore(IN_THREAD);

    await expect(store.ping(1_000)).resolves.toBeUndefined();
  });

  it('finishes what is queued before it closes, and nothing after', async () => {
    const { store, reopen } = await openTestStore(IN_THREAD);
    const accepting = Array.from({ length: 200 }, (_, index) =>
      store.accept(makeAccepted({ group: `${index}` })),
    );

    const closing = store.close();
    await expect(store.accept(makeAccepted())).rejects.toMatchObject({ code: 'store_unavailable' });
    await closing;

    expect((await Promise.all(accepting)).every(({ kind }) => kind === 'kept')).toBe(true);
    expect((await (await reopen()).channelState('ops')).waiting).toBe(200);
  });

  it('hands on why it does not start', async () => {
    const opening = openTestStore({
      startWriter: (data, onDeath) =>
        WriterThread.start(WRITER, { ...data, path: `${data.path}.missing` }, onDeath),
    });

    await expect(opening).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('hands on that it is not there at all', async () => {
    const opening = openTestStore({
      startWriter: (data, onDeath) =>
        WriterThread.start(new URL('data:text/javascript,throw new Error("no such thing")'), data, onDeath),
    });

    await expect(opening).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  it('leaves the fate of a write unknown when it dies over it, and takes no more', async () => {
    const { store, events } = await openTestStore(DYING);
    const inFlight = failureOf(store.accept(makeAccepted()));
    await turn();
    const queued = failureOf(store.accept(makeAccepted()));

    expect(await inFlight).toMatchObject({ code: 'store_outcome_unknown' });
    expect(await queued).toMatchObject({ code: 'store_unavailable' });
    await expect(store.claim(claimOf())).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(store.ping(1_000)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(events).toEqual([{ kind: 'store_writable', writable: false, reason: 'out of luck' }]);
  });

  it('stops for good when the disk failed: a second sync may claim what the first one lost', async () => {
    const { store, events } = await openTestStore(FAILED_DISK);

    await expect(store.accept(makeAccepted())).rejects.toMatchObject({ code: 'store_outcome_unknown' });

    await expect(store.accept(makeAccepted())).rejects.toMatchObject({ code: 'store_unavailable' });
    await expect(store.close()).resolves.toBeUndefined();
    await expect(store.ping(1_000)).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(events).toEqual([{ kind: 'store_writable', writable: false, reason: 'io_error' }]);
  });

  it('fails a ping it does not answer in time', async () => {
    const { store, clock } = await openTestStore(DEAF);

    const ping = store.ping(2_000);
    clock.advance(2_000);

    await expect(ping).rejects.toMatchObject({ code: 'store_unavailable' });
    await store.kill();
  });

  it('refuses notifications that waited 5 s for it, but goes on waiting with outcomes', async () => {
    const { store, clock } = await openTestStore(DEAF);
    const inFlight = failureOf(store.claim(claimOf()));
    await turn();
    const early = failureOf(store.accept(makeAccepted()));
    const outcome = failureOf(store.settle('token', delivered()));
    clock.advance(1_000);
    const late = failureOf(store.accept(makeAccepted()));
    clock.advance(4_000);

    expect(await early).toMatchObject({ code: 'overloaded', status: 503 });
    clock.advance(999);
    const undecided = Symbol('undecided');
    expect(await Promise.race([late, turn(undecided)])).toBe(undecided);
    clock.advance(1);
    expect(await late).toMatchObject({ code: 'overloaded' });
    expect(await Promise.race([outcome, turn(undecided)])).toBe(undecided);
    await store.kill();
    expect(await inFlight).toMatchObject({ code: 'store_outcome_unknown' });
    expect(await outcome).toMatchObject({ code: 'store_unavailable' });
  });

  it('refuses notifications at once while 64 MiB of bodies wait for it', async () => {
    const { store } = await openTestStore(DEAF);
    const inFlight = failureOf(store.claim(claimOf()));
    await turn();
    const body = new Uint8Array(16 * 1024 * 1024);
    const waiting = Array.from({ length: 4 }, () => failureOf(store.accept(makeAccepted({ body }))));

    await expect(store.accept(makeAccepted())).rejects.toMatchObject({ code: 'overloaded' });

    await store.kill();
    expect(await inFlight).toMatchObject({ code: 'store_outcome_unknown' });
    for (const one of waiting) expect(await one).toMatchObject({ code: 'store_unavailable' });
  });
});
