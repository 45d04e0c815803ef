import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Semaphore } from './semaphore.ts';

/** Past this a body is not even hashed to its end, whoever sends it. */
export const MAX_STREAMED_BYTES = 64 * 1_048_576;

/** How long a body waits for its share of the memory before it is refused as `overloaded`. */
export const MAX_WAIT_FOR_SPACE_MS = 5_000;

export interface BodyOptions {
  /** Content-Length; undefined when chunked. */
  readonly declaredBytes: number | undefined;
  /** At most so many bytes are kept; a longer body is hashed and dropped. */
  readonly limitBytes: number;
  /** Bytes all requests together may hold. */
  readonly space: Semaphore;
  /** Sees every byte, kept or not. */
  readonly onChunk: (chunk: Uint8Array) => void;
}

export type ReadBody =
  | {
      readonly kind: 'read';
      /** undefined when the body was longer than the limit. */
      readonly bytes: Uint8Array | undefined;
      readonly length: number;
      /** SHA-256, hex. */
      readonly hash: string;
      /** Gives the memory back. */
      readonly release: () => void;
    }
  | { readonly kind: 'too_long' }
  | { readonly kind: 'no_space' }
  /** The sender went away before the end. */
  | { readonly kind: 'cut_off' };

/**
 * Reads a request's body as it streams in. Space is taken for the bytes that really came, not for those
 * announced: a sender that announces much and sends nothing keeps nobody waiting.
 */
export async function readBody(stream: Readable, options: BodyOptions): Promise<ReadBody> {
  const held = new HeldBytes(options.space);
  const isKept = (length: number) => length <= options.limitBytes;
  if ((options.declaredBytes ?? 0) > MAX_STREAMED_BYTES) return { kind: 'too_long' };
  if (!isKept(options.declaredBytes ?? 0)) held.drop();

  const hash = createHash('sha256');
  let length = 0;
  try {
    // Left undestroyed on return: destroying a request closes its socket, and the answer could not be sent.
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > MAX_STREAMED_BYTES) return held.end({ kind: 'too_long' });
      hash.update(chunk);
      options.onChunk(chunk);
      if (!isKept(length)) held.drop();
      else if (!(await held.add(chunk))) return held.end({ kind: 'no_space' });
    }
  } catch {
    return held.end({ kind: 'cut_off' });
  }
  return { kind: 'read', bytes: held.take(), length, hash: hash.digest('hex'), release: () => held.drop() };
}

/** The chunks of one body and the space they take. */
class HeldBytes {
  readonly #space: Semaphore;
  #chunks: Uint8Array[] = [];
  #taken = 0;
  #isDropped = false;

  constructor(space: Semaphore) {
    this.#space = space;
  }

  async add(chunk: Uint8Array): Promise<boolean> {
    if (!(await this.#space.acquire(chunk.length, MAX_WAIT_FOR_SPACE_MS))) return false;
    this.#taken += chunk.length;
    this.#chunks.push(chunk);
    return true;
  }

  /** The whole body, or undefined once dropped. */
  take(): Uint8Array | undefined {
    if (this.#isDropped) return undefined;
    const bytes = Buffer.concat(this.#chunks);
    this.#chunks = [];
    return bytes;
  }

  drop(): void {
    this.#isDropped = true;
    this.#chunks = [];
    this.#space.release(this.#taken);
    this.#taken = 0;
  }

  end(result: ReadBody): ReadBody {
    this.drop();
    return result;
  }
}
