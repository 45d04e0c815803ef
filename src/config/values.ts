import { isIP } from 'node:net';
import bytes from 'bytes';
import ms, { type StringValue } from 'ms';
import { z } from 'zod';
import { Secret } from '../domain/secret.ts';

/** Texts, numbers and flags: what comes from an environment variable is text, and is read as what is wanted. */
const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value;
const toFlag = (value: unknown): unknown =>
  value === 'true' || value === 'false' ? value === 'true' : value;
const toText = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

export const count = (least: number) => z.preprocess(toNumber, z.number().int().min(least));
export const flag = z.preprocess(toFlag, z.boolean());
/** A label value or id: YAML reads an unquoted `13800000000` as a number. */
export const word = z.preprocess(toText, z.string().min(1, 'must not be empty'));

/** What a schema's transform does on a mistake: adds the issue and gives up on the value. */
function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}

const DURATION = /^\d+(\.\d+)?(ms|s|m|h|d)$/;
const isDuration = (text: string): text is StringValue => DURATION.test(text);

/** Milliseconds from `30s`, `5m`, `24h`, `7d`; `0` needs no unit. */
export function duration(limits: { readonly least?: string; readonly most?: string } = {}) {
  return z.preprocess(
    (value) => (value === 0 || value === '0' ? '0s' : toText(value)),
    z
      .string()
      .meta({ kind: 'duration' })
      .transform((text, context) => {
        if (!isDuration(text)) return refuse(context, 'must be a duration such as 30s, 5m, 24h or 7d');
        const length = ms(text);
        const { least, most } = limits;
        if (least !== undefined && isDuration(least) && length < ms(least))
          return refuse(context, `must be at least ${least}`);
        if (most !== undefined && isDuration(most) && length > ms(most))
          return refuse(context, `must be at most ${most}`);
        return length;
      }),
  );
}

/** Bytes from `512KiB`, `10MiB`, `2GiB`. */
export function size(least: string) {
  const leastBytes = parseSize(least) ?? 0;
  return z.preprocess(
    toText,
    z
      .string()
      .meta({ kind: 'size' })
      .transform((text, context) => {
        const parsed = parseSize(text);
        if (parsed === undefined) return refuse(context, 'must be a size such as 512KiB, 10MiB or 2GiB');
        if (parsed < leastBytes) return refuse(context, `must be at least ${least}`);
        return parsed;
      }),
  );
}

function parseSize(text: string): number | undefined {
  if (!/^\d+(\.\d+)?[KMGT]iB$/.test(text)) return undefined;
  return bytes.parse(text.replace('i', '')) ?? undefined;
}

/** A name that stands in a path, a label and a command line. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
export const name = z
  .string()
  .regex(
    NAME,
    'must be 1 to 63 letters, digits, dots, dashes or underscores, and start with a letter or digit',
  );

export const locale = z.enum(['zh-CN', 'en']);

export const timezone = z
  .string()
  .refine(isTimezone, 'must be an IANA time zone such as Asia/Shanghai or UTC');

/** Offsets such as +08:00 are left out: they know no summer time, and not every Node knows them. */
function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** An http(s) URL that is no secret; trailing slashes are dropped. */
export const httpUrl = z
  .string()
  .refine(
    (text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ''),
    'must be a URL with http:// or https://',
  )
  .transform((text) => text.replace(/\/+$/, ''));

export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

export const toSecret = (text: string): Secret => new Secret(text);
export const secretText = word.transform(toSecret);

/** An HTTP header, in lower case as Node gives them. */
export const headerName = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of an HTTP header')
  .transform((text) => text.toLowerCase());

/** `host:port`, `[::1]:port` or `:port` for all addresses. */
export const listenAddress = z.string().transform((text, context) => {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  const isWrong = digits === undefined || port > 65_535 || (bracketed !== undefined && isIP(bracketed) !== 6);
  if (isWrong) return refuse(context, 'must be host:port such as 0.0.0.0:9095, [::1]:9095 or :9095');
  return { host: bracketed ?? (plain === '' ? '0.0.0.0' : (plain ?? '')), port };
});
