import { z } from 'zod';
import { duration, headerName, name, secretText, toSecret } from './values.ts';

/** Grafana has no default: these are the common choice and the one of its provisioning example. */
const DEFAULT_TIMESTAMP_HEADERS = ['X-Grafana-Alerting-Timestamp', 'X-Grafana-Alerting-Signature-Timestamp'];

const secrets = z
  .array(secretText)
  .min(1, 'needs at least one secret')
  .max(3, 'takes at most 3 secrets: remove those that no sender uses any more');

const timestampHeaders = z
  .preprocess((value) => {
    if (typeof value !== 'string') return value;
    return value === '' ? [] : [value];
  }, z.array(headerName))
  .prefault(DEFAULT_TIMESTAMP_HEADERS);

const Hmac = z.strictObject({
  secrets: secrets.describe('Secrets that are valid now: two during a rotation.'),
  header: headerName
    .prefault('X-Grafana-Alerting-Signature')
    .describe("Header of the signature; as in the contact point's settings."),
  timestamp_header: timestampHeaders.describe(
    'Header of the timestamp, or several of which the first present counts. `""`: none, and so no protection against replay.',
  ),
  tolerance: duration({ least: '1s', most: '1h' })
    .prefault('5m')
    .describe('How far the timestamp may be from our clock, either way.'),
});

const Bearer = z.strictObject({ secrets: secrets.describe('Tokens that are valid now.') });

const Basic = z.strictObject({
  secrets: z
    .array(
      z
        .string()
        .regex(/^[^:]+:./s, 'must be user:password')
        .transform(toSecret),
    )
    .min(1, 'needs at least one user:password')
    .max(3, 'takes at most 3: remove those that no sender uses any more')
    .describe('Pairs `user:password` that are valid now.'),
});

const None = z.union([z.literal(true), z.null(), z.strictObject({})]);

/** `auth: none` is short for `auth: { none: true }`. */
const Auth = z.preprocess(
  (value) => (value === 'none' ? { none: true } : value),
  z
    .strictObject({
      hmac: Hmac.optional().describe("Grafana's signature over the raw body. The best choice."),
      bearer: Bearer.optional().describe('`Authorization: Bearer …`.'),
      basic: Basic.optional().describe('`Authorization: Basic …`.'),
      none: None.optional().describe(
        '`true`: anyone who reaches the port may post. Also written `auth: none`.',
      ),
    })
    .superRefine((auth, context) => {
      if (Object.keys(auth).length === 1) return;
      const message = 'needs exactly one of hmac, bearer, basic; or none, written out';
      context.addIssue({ code: 'custom', message });
    }),
);

export const Source = z.strictObject({
  auth: Auth.describe('How a request proves where it comes from: exactly one kind.'),
  dedup_window: duration({ most: '1h' })
    .prefault('2m')
    .describe('An identical notification within this time is a duplicate; after it, a reminder.'),
  channels: z
    .array(name)
    .min(1, 'needs at least one channel')
    .describe('Where alerts go that no route matches.'),
  allow_channels: z
    .array(name)
    .prefault([])
    .describe('Channels that `/hooks/{source}/{channel}` may name; empty for all.'),
});
