import type { ServerResponse } from 'node:http';

/** What a robot does instead of its own answer, once. */
export type Scripted =
  | {
      readonly kind: 'answer';
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** A text as it is, anything else as JSON. */
      readonly body: unknown;
      readonly delayMs?: number;
      /** The message is in the room all the same. */
      readonly isShown?: boolean;
    }
  /** The connection is reset once the request has been read. */
  | { readonly kind: 'reset'; readonly isShown?: boolean }
  /** Nothing comes, ever. */
  | { readonly kind: 'hang'; readonly isShown?: boolean }
  /** The body comes a byte at a time and never ends. */
  | { readonly kind: 'drip'; readonly everyMs: number; readonly isShown?: boolean }
  /** The answer ends before the length it announced. */
  | {
      readonly kind: 'cut_off';
      readonly body: string;
      readonly missingBytes: number;
      readonly isShown?: boolean;
    }
  | { readonly kind: 'redirect'; readonly to: string; readonly status?: number; readonly isShown?: boolean };

/** Plays one scripted answer; returns what stops it should the sandbox close first. */
export function play(script: Scripted, response: ServerResponse): () => void {
  switch (script.kind) {
    case 'answer':
      return later(script.delayMs ?? 0, () =>
        answer(response, script.status ?? 200, script.headers ?? {}, script.body),
      );
    case 'reset':
      response.socket?.resetAndDestroy();
      return () => undefined;
    case 'hang':
      return () => undefined;
    case 'drip':
      return drip(response, script.everyMs);
    case 'cut_off':
      cutOff(response, script.body, script.missingBytes);
      return () => undefined;
    case 'redirect':
      answer(response, script.status ?? 302, { location: script.to }, '');
      return () => undefined;
  }
}

/** Sends a whole answer. */
export function answer(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): void {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  response.writeHead(status, { ...(isText ? {} : { 'content-type': 'application/json' }), ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

function later(delayMs: number, act: () => void): () => void {
  if (delayMs === 0) {
    act();
    return () => undefined;
  }
  const timer = setTimeout(act, delayMs);
  return () => clearTimeout(timer);
}

function drip(response: ServerResponse, everyMs: number): () => void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{');
  const timer = setInterval(() => response.write(' '), everyMs);
  response.on('close', () => clearInterval(timer));
  return () => clearInterval(timer);
}

function cutOff(response: ServerResponse, body: string, missingBytes: number): void {
  response.writeHead(200, { 'content-length': String(Buffer.byteLength(body) + missingBytes) });
  response.write(body, () => response.socket?.end());
}
