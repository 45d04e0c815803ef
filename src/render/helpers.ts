import { cutToBytes } from '../domain/truncate.ts';
import { Inert, type Leaf, toPlain } from './leaf.ts';
import { webLink } from './links.ts';
import { clean } from './text.ts';
import { writeDuration, type ZoneClock } from './time.ts';
import { say, type Words } from './words.ts';

/** What helpers know besides their arguments. */
export interface Env {
  readonly leaf: Leaf;
  readonly words: Words;
  readonly zone: ZoneClock;
  /** Epoch ms. */
  readonly now: number;
  /** The chat shows pictures by URL, and the configuration says they are public. */
  readonly inlineImages: boolean;
  /** A Loki link for the named labels of the worst alert; '' when there is none. */
  logs(names: readonly string[]): string;
}

export interface HelperCall {
  readonly args: readonly unknown[];
  readonly hash: Readonly<Record<string, unknown>>;
  readonly env: Env;
}

/** A helper with what the template guide says of it. */
export interface Helper {
  readonly usage: string;
  readonly doc: string;
  run(call: HelperCall): unknown;
}

/** Every helper a template may call besides each, if, unless, with and lookup. */
export const HELPERS: Readonly<Record<string, Helper>> = {
  t: {
    usage: "{{t 'started'}}, {{t 'more' count=3}}",
    doc: "A word or sentence in the channel's language, parameters filled in.",
    run: ({ args, hash, env }) => translate(toPlain(args[0]), hash, env),
  },
  date: {
    usage: '{{date startsAt}}',
    doc: "An instant in the channel's zone with its offset: 2026-03-02 16:20:30 +08:00.",
    run: ({ args, env }) => atInstant(args[0], (at) => env.zone.full(at)),
  },
  time: {
    usage: '{{time startsAt}}',
    doc: "The time of day of an instant in the channel's zone: 16:20:30.",
    run: ({ args, env }) => atInstant(args[0], (at) => env.zone.time(at)),
  },
  duration: {
    usage: '{{duration durationMs}}',
    doc: 'Milliseconds as a duration with its two largest units: 2h 5m.',
    run: ({ args, env }) => atInstant(args[0], (ms) => writeDuration(ms, env.words.duration)),
  },
  ago: {
    usage: '{{ago startsAt}}',
    doc: 'How long ago an instant is.',
    run: ({ args, env }) =>
      atInstant(args[0], (at) =>
        say(env.words, 'ago', { duration: writeDuration(wholeMinutes(env.now - at), env.words.duration) }),
      ),
  },
  default: {
    usage: "{{default labels.team 'nobody'}}",
    doc: 'The first argument that is not blank.',
    run: ({ args }) => args.find((arg) => toPlain(arg).trim() !== '') ?? '',
  },
  eq: {
    usage: "{{#if (eq labels.env 'prod')}}",
    doc: 'Whether two values are equal as texts.',
    run: ({ args }) => toPlain(args[0]) === toPlain(args[1]),
  },
  ne: {
    usage: "{{#if (ne labels.env 'prod')}}",
    doc: 'Whether two values differ as texts.',
    run: ({ args }) => toPlain(args[0]) !== toPlain(args[1]),
  },
  lt: {
    usage: '{{#if (lt counts.firing 5)}}',
    doc: 'Whether the first number is less than the second.',
    run: ({ args }) => Number(args[0]) < Number(args[1]),
  },
  gt: {
    usage: '{{#if (gt counts.firing 5)}}',
    doc: 'Whether the first number is greater than the second.',
    run: ({ args }) => Number(args[0]) > Number(args[1]),
  },
  and: {
    usage: '{{#if (and isTest counts.firing)}}',
    doc: 'Whether all arguments hold: not false, 0, blank or an empty list.',
    run: ({ args }) => args.every(holds),
  },
  or: {
    usage: '{{#if (or links.panel links.dashboard)}}',
    doc: 'The first argument that holds; false when none does.',
    run: ({ args }) => args.find(holds) ?? false,
  },
  not: {
    usage: '{{#if (not isTest)}}',
    doc: 'Whether the argument does not hold.',
    run: ({ args }) => !holds(args[0]),
  },
  join: {
    usage: "{{join names ', '}}",
    doc: 'The texts of a list with a separator (a comma and a blank when left out).',
    run: ({ args }) =>
      list(args[0])
        .map(toPlain)
        .join(args.length > 1 ? toPlain(args[1]) : ', '),
  },
  pairs: {
    usage: "{{pairs keyLabels}}, {{pairs values '=' ', '}}",
    doc: 'Names and values on one line: what stands between name and value, and between pairs, may be given.',
    run: ({ args }) => joinPairs(list(args[0]), args[1], args[2]),
  },
  truncate: {
    usage: '{{truncate annotations.description 300}}',
    doc: 'A text cut to so many bytes of UTF-8, never inside a character, with a mark where it was cut.',
    run: ({ args }) => cutToBytes(toPlain(args[0]), Math.max(Number(args[1]) || 0, 0)).text,
  },
  upper: {
    usage: '{{upper severity}}',
    doc: 'A text in capital letters.',
    run: ({ args }) => toPlain(args[0]).toUpperCase(),
  },
  lower: {
    usage: '{{lower severity}}',
    doc: 'A text in small letters.',
    run: ({ args }) => toPlain(args[0]).toLowerCase(),
  },
  link: {
    usage: "{{link (t 'open_panel') links.panel}}",
    doc: 'A link in the body; the text alone when the URL is not http(s).',
    run: ({ args, env }) => env.leaf.link(toPlain(args[0]), toPlain(args[1])),
  },
  md: {
    usage: '{{md annotations.description}}',
    doc: 'A text with its markdown kept where it is harmless: no HTML, no mentions.',
    run: ({ args, env }) => env.leaf.markdown(toPlain(args[0])),
  },
  inert: {
    usage: '{{inert summary}}',
    doc: 'A text shown as it is, for the markdown strings of a JSON template. Elsewhere {{x}} does that.',
    run: ({ args, env }) => env.leaf.inert(toPlain(args[0])),
  },
  picture: {
    usage: '{{picture image}}',
    doc: 'A picture where the chat shows it and links.images is public, else a link to it.',
    run: ({ args, env }) => pictureOf(toPlain(args[0]), env),
  },
  explore: {
    usage: "{{link (t 'open_logs') (explore 'namespace' 'app')}}, or as the url of a button",
    doc: 'URL of the Loki logs for these labels of the worst alert, around its time; blank when there are none.',
    run: ({ args, env }) => new Inert(env.logs(args.map(toPlain))),
  },
  urlencode: {
    usage: 'https://wiki.example.com/?q={{urlencode name}}',
    doc: 'A text as part of a URL.',
    run: ({ args }) => new Inert(encodeURIComponent(clean(toPlain(args[0])))),
  },
};

/** Helpers whose text result is for the leaf already. */
const RENDERING = new Set(['link', 'md', 'inert', 'picture']);

/** Runs a helper; what it says of itself as finished is marked so. */
export function runHelper(name: string, helper: Helper, call: HelperCall): unknown {
  const result = helper.run(call);
  return RENDERING.has(name) && typeof result === 'string'
    ? new Inert(result, toPlain(call.args[0]))
    : result;
}

/** Our own words are inert; what comes in through a parameter is escaped. */
function translate(key: string, hash: HelperCall['hash'], env: Env): Inert {
  const plain = Object.fromEntries(Object.entries(hash).map(([name, value]) => [name, toPlain(value)]));
  const escaped = Object.fromEntries(
    Object.entries(hash).map(([name, value]) => [
      name,
      value instanceof Inert ? value.rendered : env.leaf.escape(toPlain(value)),
    ]),
  );
  return new Inert(say(env.words, key, escaped), say(env.words, key, plain));
}

function atInstant(value: unknown, write: (at: number) => string): Inert {
  return new Inert(typeof value === 'number' && Number.isFinite(value) ? write(value) : '');
}

/** Past a minute nobody counts the seconds since something began. */
function wholeMinutes(ms: number): number {
  return ms < 60_000 ? ms : ms - (ms % 60_000);
}

function holds(value: unknown): boolean {
  if (value instanceof Inert) return value.plain !== '';
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

function joinPairs(pairs: readonly unknown[], given: unknown, separator: unknown): string {
  const between = toPlain(given ?? ': ');
  return pairs
    .filter((pair) => typeof pair === 'object' && pair !== null)
    .map((pair) => {
      const [name, value] = [Reflect.get(pair, 'name'), Reflect.get(pair, 'value')];
      return toPlain(name) === '' ? toPlain(value) : `${toPlain(name)}${between}${toPlain(value)}`;
    })
    .join(toPlain(separator ?? ' · '));
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function pictureOf(url: string, env: Env): string {
  const link = webLink(url);
  if (link === '') return '';
  const target = link.replaceAll('(', '%28').replaceAll(')', '%29').replaceAll('\\', '%5C');
  return env.inlineImages ? `![](${target})` : env.leaf.link(say(env.words, 'image'), link);
}
