import type { Readable } from 'node:stream';

/**
 * A request body that knows whether the socket has taken all of it. undici asks for the next piece only
 * after the socket has drained the last, but also when the socket has closed, and then throws the piece
 * away; so the last byte goes apart, and being asked for more after it means that it was written.
 */
export class RequestBody {
  readonly bytes: Buffer;
  #isWritten = false;

  constructor(text: string) {
    this.bytes = Buffer.from(text, 'utf8');
  }

  /** From here on the robot may have the request. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /** The body as undici takes it. */
  stream(): Readable {
    // Documented for `body`, but missing in undici's types: any async iterable.
    return this.#pieces() as unknown as Readable;
  }

  async *#pieces(): AsyncGenerator<Buffer, void> {
    yield this.bytes.subarray(0, -1);
    yield this.bytes.subarray(-1);
    this.#isWritten = true;
  }
}
