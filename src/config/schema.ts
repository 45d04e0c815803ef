import { z } from 'zod';
import { Channel } from './channel-schema.ts';
import { Mention, Route } from './route-schema.ts';
import { Source } from './source-schema.ts';
import {
  count,
  duration,
  flag,
  httpUrl,
  listenAddress,
  locale,
  name,
  secretText,
  size,
  timezone,
  toSecret,
  word,
} from './values.ts';

/** Rank names and what belongs to them, worst first; `严重` is Chinese for "critical". */
const DEFAULT_RANKS = {
  critical: ['critical', 'crit', 'P0', '严重'],
  error: ['error', 'high', 'P1'],
  warning: ['warning', 'warn', 'P2'],
  info: ['info', 'low', 'P3'],
};

const emptyOr = <T extends z.ZodType>(schema: T) => z.union([z.literal(''), schema]);

const Server = z.strictObject({
  listen: listenAddress.prefault('0.0.0.0:9095').describe('Address and port.'),
  public_url: httpUrl
    .or(z.literal(''))
    .prefault('')
    .describe('Where people reach this server; cards then link back to it.'),
  admin_token: secretText
    .optional()
    .describe('Token of `/api`. Left out: one is made at first start, in `admin-token` beside the database.'),
  body_limit: size('64KiB')
    .prefault('10MiB')
    .describe('A longer body is kept as a note that it came and how long it was.'),
  drain_delay: duration({ most: '15s' })
    .prefault('5s')
    .describe('After SIGTERM, how long requests are still accepted while `/readyz` says 503.'),
});

const Store = z.strictObject({
  url: z
    .string()
    .regex(
      /^sqlite:(?!\/\/)./,
      'must be sqlite: and a path on a local disk, such as sqlite:./data/alertcard.db',
    )
    .prefault('sqlite:./data/alertcard.db')
    .describe('`sqlite:` and a path on a local disk, relative to the working directory.'),
  retention: z
    .strictObject({
      delivered: duration({ least: '1h' }).prefault('7d').describe('How long ended deliveries are kept.'),
      bodies: duration({ least: '1h' })
        .prefault('3d')
        .describe('How long raw bodies are kept after delivery.'),
      dead: duration({ least: '1h' }).prefault('30d').describe('How long dead letters can be replayed.'),
      max_size: size('16MiB').prefault('2GiB').describe('Size at which the store refuses new notifications.'),
    })
    .prefault({})
    .describe('What is kept for how long.'),
});

const Logs = z.strictObject({
  datasource_uid: z.string().min(1, 'must not be empty').describe('UID of the Loki data source in Grafana.'),
  labels: z
    .array(name)
    .min(1, 'needs at least one label')
    .describe('Labels of the alert that select its logs.'),
  grafana: count(8).prefault(10).describe('Major version of Grafana: the form of the link differs below 10.'),
});

const Links = z.strictObject({
  rewrites: z
    .array(
      z.strictObject({
        from: httpUrl.describe('Beginning of a link as Grafana sends it.'),
        to: httpUrl.describe('What people can open instead.'),
      }),
    )
    .prefault([])
    .describe('Turns internal addresses into ones that people can open; the first that fits counts.'),
  logs: Logs.optional().describe('Adds a link to the logs of an alert.'),
  images: z
    .enum(['link', 'public'])
    .prefault('link')
    .describe('`public`: the chat can reach the images, so they may be shown inline.'),
});

/** Who may be called; parsed on its own too, because robot URLs are checked against it. */
export const Egress = z.strictObject({
  allow_hosts: z
    .array(z.string().regex(/^[A-Za-z0-9.:[\]-]+$/, 'must be a host name without scheme or path'))
    .prefault([])
    .describe("Robot hosts besides the vendors' own."),
  allow_private: flag
    .prefault(false)
    .describe('Private and loopback addresses pass, over http too. Metadata addresses never do.'),
  proxy: emptyOr(
    z
      .string()
      .regex(/^https?:\/\/[^/]/, 'must be a URL with http:// or https://')
      .transform(toSecret),
  )
    .prefault('')
    .describe('Proxy for requests to robots. `HTTP_PROXY` is not read.'),
  ca_file: z.string().prefault('').describe('PEM file of further certificate authorities.'),
});

/** The configuration file. Unknown keys are errors; texts stand in docs/configuration.md. */
export const Config = z.strictObject({
  server: Server.prefault({}).describe('The HTTP server.'),
  store: Store.prefault({}).describe('The durable inbox.'),
  defaults: z
    .strictObject({
      locale: locale.prefault('zh-CN').describe('Language of cards and notices.'),
      timezone: timezone
        .prefault('Asia/Shanghai')
        .describe('IANA name of the zone in which times are shown.'),
    })
    .prefault({})
    .describe('For channels that do not say otherwise.'),
  templates_dir: z
    .string()
    .prefault('')
    .describe('Your own templates, which shadow the built-in ones by name.'),
  severity: z
    .strictObject({
      label: z
        .string()
        .min(1, 'must not be empty')
        .prefault('severity')
        .describe('Label that holds the severity.'),
      ranks: z
        .record(name, z.array(word).min(1, 'needs at least one value'))
        .prefault(DEFAULT_RANKS)
        .describe(
          'Label values of each rank, worst first, in any case. Unknown ones rank between warning and info.',
        ),
    })
    .prefault({})
    .describe('What is worse than what.'),
  links: Links.prefault({}).describe('Links in cards.'),
  egress: Egress.prefault({}).describe('What may be called.'),
  sources: z
    .record(name, Source)
    .refine((sources) => Object.keys(sources).length > 0, 'needs at least one source')
    .describe('Senders, each with its own path `/hooks/{source}`.'),
  channels: z
    .record(name, Channel)
    .refine((channels) => Object.keys(channels).length > 0, 'needs at least one channel')
    .describe('Chat rooms.'),
  routes: z
    .array(Route)
    .prefault([])
    .describe('Which alerts go where: each alert takes the first route that matches.'),
  mentions: z.array(Mention).prefault([]).describe('Who is mentioned for which alerts.'),
});
export type Config = z.output<typeof Config>;
