import { type Document, isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Location, Path, Problem } from './problems.ts';

/** A YAML text as plain values, with the way back from a key to its place in the text. */
export interface ParsedText {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  /** Where the value at a path starts, or its key; of a missing one the nearest parent. */
  readonly locate: (path: Path, part?: 'key' | 'value') => Location;
}

interface Place {
  readonly node: unknown;
  readonly key: unknown;
}

/** Parses YAML 1.2 with anchors and merge keys. Messages never quote the text: it may hold secrets. */
export function parseText(text: string, origin: string): ParsedText {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, merge: true, prettyErrors: false, stringKeys: true });
  const at = (offset: number | undefined): Location => {
    if (offset === undefined) return { origin };
    const { line, col } = lineCounter.linePos(offset);
    return { origin, line, column: col };
  };
  const problems: Problem[] = [...document.errors, ...document.warnings].map((error) => ({
    ...at(error.pos[0]),
    path: '',
    message: withoutSource(error.message),
  }));
  const value = problems.length > 0 ? undefined : toValues(document, origin, problems);
  return {
    value,
    problems,
    locate: (path, part = 'value') => at(offsetOf(document, path, part)),
  };
}

/** Aliases are followed only here: one without an anchor, or too many of them, show only now. */
function toValues(document: Document, origin: string, problems: Problem[]): unknown {
  try {
    const value: unknown = document.toJS();
    return value;
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    problems.push({ origin, path: '', message: error.message });
    return undefined;
  }
}

function offsetOf(document: Document, path: Path, part: 'key' | 'value'): number | undefined {
  let place: Place = { node: document.contents, key: undefined };
  for (const step of path) {
    const next = childOf(document, place.node, step);
    if (next === undefined) return startOf(place.key) ?? startOf(place.node);
    place = next;
  }
  return part === 'key' ? (startOf(place.key) ?? startOf(place.node)) : startOf(place.node);
}

function childOf(document: Document, parent: unknown, step: PropertyKey): Place | undefined {
  const node = isAlias(parent) ? parent.resolve(document) : parent;
  if (isSeq(node)) return { node: node.items[Number(step)], key: undefined };
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
  if (pair === undefined) return undefined;
  return { node: pair.value ?? pair.key, key: pair.key };
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

function isNode(node: unknown): node is Node {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
}

/** The parser appends the offending source in quotes to some of its messages. */
function withoutSource(message: string): string {
  return message.split(/: ["']/)[0] ?? message;
}
