import { z } from 'zod';
import { isObject, toCount, toLabels, toOrg, toStatus, toText, toValues } from './coerce.ts';
import { toInstant } from './time.ts';

/**
 * Any value, sent or not: a body that passed its signature is never refused for its content, so each
 * field is turned into the nearest thing that can be shown. Unknown keys are dropped; senders add some
 * with every release. The fields are turned in one step for the whole object: a step for each of them
 * took longer than parsing the JSON.
 */
const any = z.unknown().optional();

/** One item of `alerts[]`, from Grafana, Alertmanager or whoever copies them. */
export const WireAlert = z
  .object({
    status: any,
    labels: any,
    annotations: any,
    startsAt: any,
    endsAt: any,
    fingerprint: any,
    generatorURL: any,
    silenceURL: any,
    dashboardURL: any,
    panelURL: any,
    imageURL: any,
    ruleUID: any,
    values: any,
    valueString: any,
    orgId: any,
  })
  .transform((sent) => ({
    status: toStatus(sent.status),
    labels: toLabels(sent.labels),
    annotations: toLabels(sent.annotations),
    startsAt: toInstant(sent.startsAt),
    endsAt: toInstant(sent.endsAt),
    fingerprint: toText(sent.fingerprint),
    generatorURL: toText(sent.generatorURL),
    silenceURL: toText(sent.silenceURL),
    dashboardURL: toText(sent.dashboardURL),
    panelURL: toText(sent.panelURL),
    imageURL: toText(sent.imageURL),
    ruleUID: toText(sent.ruleUID),
    values: toValues(sent.values),
    valueString: toText(sent.valueString),
    orgId: toOrg(sent.orgId),
  }));
export type WireAlert = z.infer<typeof WireAlert>;

/** The body around `alerts[]`. */
export const WireGroup = z
  .object({
    receiver: any,
    status: any,
    alerts: z.array(z.unknown()),
    groupLabels: any,
    commonLabels: any,
    commonAnnotations: any,
    externalURL: any,
    appVersion: any,
    groupKey: any,
    truncatedAlerts: any,
    orgId: any,
    title: any,
  })
  .transform((sent) => ({
    receiver: toText(sent.receiver),
    status: toStatus(sent.status),
    alerts: sent.alerts,
    groupLabels: toLabels(sent.groupLabels),
    /** undefined when not sent: they are computed then. */
    commonLabels: isObject(sent.commonLabels) ? toLabels(sent.commonLabels) : undefined,
    commonAnnotations: isObject(sent.commonAnnotations) ? toLabels(sent.commonAnnotations) : undefined,
    externalURL: toText(sent.externalURL),
    appVersion: toText(sent.appVersion),
    groupKey: toText(sent.groupKey),
    truncatedAlerts: toCount(sent.truncatedAlerts),
    orgId: toOrg(sent.orgId),
    title: toText(sent.title),
  }));
export type WireGroup = z.infer<typeof WireGroup>;
