import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * A text that cannot be printed: its string, JSON and inspect forms are `[redacted]`.
 * Only `reveal` gives the text, and only the function that sends or compares it may call that.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return REDACTED;
  }

  toJSON(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}
