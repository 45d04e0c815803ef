import { Readable } from 'node:stream';

/**
 * A request body that knows whether the socket has taken all of it. undici pauses a stream until the
 * socket has drained, so being asked for more means that what came before is written. That asks for a
 * buffer of 0: a stream with room reads ahead while it is paused.
 */
export class RequestBody extends Readable {
  readonly bytes: Buffer;
  #isHandedOver = false;
  #isWritten = false;

  constructor(text: string) {
    super({ highWaterMark: 0 });
    this.bytes = Buffer.from(text, 'utf8');
    // An aborted request destroys its body with the error that the request itself reports.
    this.on('error', () => undefined);
  }

  /** From here on the robot may have the request. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  override _read(): void {
    this.#isWritten = this.#isHandedOver;
    const next = this.#isHandedOver ? null : this.bytes;
    this.#isHandedOver = true;
    // Not within this call or this tick: the stream would ask on before the pause could stop it.
    setImmediate(() => this.push(next));
  }
}
