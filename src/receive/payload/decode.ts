/** Nesting of arrays and objects beyond which a body is not read: no sender comes near, and nothing downstream may overflow. */
const MAX_DEPTH = 64;

/** Without state between calls, as long as none of them asks for `stream`. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Text and value of a body, or undefined when it is not JSON in UTF-8, or nested too deeply. */
export function decodeJson(body: Uint8Array): { readonly text: string; readonly value: unknown } | undefined {
  if (isTooDeep(body)) return undefined;
  try {
    const text = utf8.decode(body);
    const value: unknown = JSON.parse(text);
    return { text, value: mayHoldSurrogates(text) ? repairSurrogates(value) : value };
  } catch {
    return undefined;
  }
}

/**
 * Scans the bytes, brackets inside strings left out. Before any decoding and without recursion: the
 * engine parses 400,000 nested arrays happily, and whatever walks over the result then overflows.
 */
function isTooDeep(body: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfString(body, at);
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return true;
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** Position of the quote that closes the string opened at `start`; the body's length when none does. */
function endOfString(body: Uint8Array, start: number): number {
  let end = body.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(body, end)) end = body.indexOf(QUOTE, end + 1);
  return end === -1 ? body.length : end;
}

/** An odd run of backslashes before a byte escapes it. */
function isEscaped(body: Uint8Array, at: number): boolean {
  let backslashes = 0;
  while (body[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

/** UTF-8 has no surrogates, so only a written escape can bring one in. */
function mayHoldSurrogates(text: string): boolean {
  return /\\u[dD][89a-fA-F]/.test(text);
}

/** Puts U+FFFD in the place of lone surrogates in every key and text: robots refuse them. Depth is bounded by the scan. */
function repairSurrogates(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\p{Surrogate}/gu, '\ufffd');
  if (Array.isArray(value)) return value.map(repairSurrogates);
  if (typeof value !== 'object' || value === null) return value;
  const repaired: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value))
    repaired[key.replace(/\p{Surrogate}/gu, '\ufffd')] = repairSurrogates(item);
  return repaired;
}
