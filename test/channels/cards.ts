import { type Card, NO_MENTIONS } from '../../src/domain/card.ts';

/** A card with everything in it, changed where a test needs it. */
export function cardOf(changes: Partial<Card> = {}): Card {
  return {
    title: '[FIRING:1] disk full',
    tone: 'critical',
    tags: ['critical'],
    body: 'db-1 has **2%** left',
    buttons: [
      { text: 'Open panel', url: 'https://grafana.example.com/d/abc?viewPanel=2' },
      { text: 'Silence', url: 'https://grafana.example.com/alerting/silence/new?matcher=a%3Db' },
    ],
    mentions: NO_MENTIONS,
    ...changes,
  };
}

/** A part of a message by its path, such as `card.header.title.content` or `card.elements.0.tag`. */
export function at(json: unknown, path: string): unknown {
  let value: unknown = json;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Object.entries(value).find(([name]) => name === key)?.[1];
  }
  return value;
}

/** The same as text; '' when it is none. */
export function textAt(json: unknown, path: string): string {
  const value = at(json, path);
  return typeof value === 'string' ? value : '';
}
