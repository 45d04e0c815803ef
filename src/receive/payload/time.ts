/** RFC 3339 as Go, Java and people write it: any number of fraction digits, any offset, a blank for the T. */
const INSTANT = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:[Zz]|([+-])(\d\d):?(\d\d))$/;

/** Below this a bare number is taken for seconds, from it on for milliseconds: the border is in 1973 or in the year 5138. */
const SECONDS_BELOW = 100_000_000_000;

/** The last instant a JavaScript Date can hold, epoch ms. */
const MAX_INSTANT_MS = 8_640_000_000_000_000;

/**
 * Epoch ms of a time as sent; undefined for none, for nonsense, and for anything before 1970: Go's
 * zero time (year 1, wherever an offset moves it) is how Grafana and Alertmanager write "not yet".
 */
export function toInstant(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value);
  const match = typeof value === 'string' ? INSTANT.exec(value) : null;
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [fraction = '', sign, offsetHours, offsetMinutes] = match.slice(7);
  if (year < 1970) return undefined;
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  // A leap second is written as second 60.
  const isTime = hour < 24 && minute < 60 && second <= 60;
  if (!isDay || !isTime) return undefined;

  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const offsetMs = sign === undefined ? 0 : (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000;
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second, milliseconds);
  return sign === '-' ? localMs + offsetMs : localMs - offsetMs;
}

function fromNumber(value: number): number | undefined {
  const instant = Math.trunc(value < SECONDS_BELOW ? value * 1000 : value);
  return instant > 0 && instant <= MAX_INSTANT_MS ? instant : undefined;
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}
