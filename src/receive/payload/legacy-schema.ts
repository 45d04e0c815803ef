import { z } from 'zod';
import { isObject, toLabels, toOrg, toText } from './coerce.ts';

const field = z.unknown().optional();
const text = field.transform(toText);

const evalMatch = z.object({
  /** null for "no data". */
  value: field.transform((value) => (Number.isFinite(value) ? Number(value) : undefined)),
  metric: text,
  tags: field.transform(toLabels),
});

/** Body of a dashboard alert of Grafana 7 and earlier; version 4 wrote the two links with underscores and had no ids. */
export const WireLegacy = z.object({
  title: text,
  ruleId: field.transform((value) => (typeof value === 'number' || typeof value === 'string' ? value : '')),
  ruleName: text,
  ruleUrl: text,
  rule_url: text,
  state: field.transform((value) => toText(value).toLowerCase()),
  evalMatches: field.transform((value) =>
    Array.isArray(value) ? value.filter(isObject).map((item) => evalMatch.parse(item)) : [],
  ),
  orgId: field.transform(toOrg),
  dashboardId: text,
  panelId: text,
  tags: field.transform(toLabels),
  message: text,
  imageUrl: text,
  image_url: text,
});
export type WireLegacy = z.infer<typeof WireLegacy>;
