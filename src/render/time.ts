/** Writes instants in one zone; made once per channel, since formatters are slow to build. */
export interface ZoneClock {
  /** `2026-03-02 16:20:30 +08:00` */
  full(at: number): string;
  /** `16:20:30` */
  time(at: number): string;
}

/** Offsets change on a quarter of an hour at the most. */
const QUARTER_MS = 900_000;

/** Answers a clock remembers; a card asks for few different ones, again and again. */
const MAX_KNOWN = 1_000;

/** What Date can hold, ms either side of 1970. */
const MAX_DATE_MS = 8.64e15;

/** Makes the clock of an IANA zone; one that Intl does not know is UTC, the configuration has refused it before. */
export function makeZoneClock(timezone: string): ZoneClock {
  const format = formatterOf(timezone);
  // Intl is slow and a card holds hundreds of instants: it is asked once per quarter of an hour.
  const offsetAt = remember((quarter) => readOffset(format, quarter * QUARTER_MS));
  const full = remember((at) => write(at, offsetAt, (day, time, offset) => `${day} ${time} ${offset}`));
  return {
    full,
    time: (at) => write(at, offsetAt, (_day, time) => time),
  };
}

function remember(ask: (key: number) => string): (key: number) => string {
  const known = new Map<number, string>();
  return (key) => {
    const answer = known.get(key) ?? ask(key);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, answer);
    return answer;
  };
}

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions = { hour: 'numeric', timeZoneName: 'longOffset' };
  try {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone });
  } catch {
    return new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
  }
}

/** `+08:00`; Intl writes UTC as a bare "GMT". */
function readOffset(format: Intl.DateTimeFormat, at: number): string {
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const offset = name.replace('GMT', '');
  return offset === '' ? '+00:00' : offset;
}

/** An instant outside what Date can hold is written as nothing. */
function write(
  at: number,
  offsetAt: (quarter: number) => string,
  join: (day: string, time: string, offset: string) => string,
): string {
  if (!(Math.abs(at) < MAX_DATE_MS - 86_400_000)) return '';
  const offset = offsetAt(Math.floor(at / QUARTER_MS));
  const local = new Date(at + offsetMs(offset)).toISOString();
  const [day = '', time = ''] = local.split('T', 2);
  return join(day, time.slice(0, 8), offset);
}

function offsetMs(offset: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(':').map(Number);
  const ms = ((hours * 60 + minutes) * 60 + seconds) * 1_000;
  return offset.startsWith('-') || offset.startsWith('\u2212') ? -ms : ms;
}

/** Units of a duration in one language, each with what is written after the number. */
export interface DurationWords {
  readonly day: string;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  /** Between two units. */
  readonly between: string;
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const;

/** Writes a duration with its two largest units, rounded down: `11m`, `2h 5m`, `3 天 4 小时`. */
export function writeDuration(durationMs: number, words: DurationWords): string {
  const whole = Math.max(Math.trunc(durationMs / 1_000), 0) * 1_000;
  const first = UNITS.findIndex(([, ms]) => whole >= ms);
  if (first === -1) return `0${words.second}`;
  let left = whole;
  const written: string[] = [];
  for (const [unit, ms] of UNITS.slice(first, first + 2)) {
    const count = Math.trunc(left / ms);
    left -= count * ms;
    if (count > 0) written.push(`${count}${words[unit]}`);
  }
  return written.join(words.between);
}
