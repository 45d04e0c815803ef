import { type Alert, makeLabels, type Status } from '../../src/domain/alert.ts';
import type { Notification } from '../../src/domain/notification.ts';
import type { ChannelSettings, RouteSettings, Settings, SourceSettings } from '../../src/domain/settings.ts';
import { parseMatcher } from '../../src/route/matcher.ts';
import { createPlanner, type PlanDependencies, type Planner } from '../../src/route/plan.ts';

const SEVERITIES = ['critical', 'error', 'warning', 'unknown', 'info'];

export function anAlert(labels: Record<string, string>, status: Status = 'firing', fingerprint = ''): Alert {
  return {
    status,
    labels: makeLabels(Object.entries(labels)),
    annotations: makeLabels(),
    startsAt: undefined,
    endsAt: undefined,
    fingerprint: fingerprint === '' ? JSON.stringify(labels) : fingerprint,
    values: [],
    valueString: '',
    ruleUid: '',
    generatorUrl: '',
    silenceUrl: '',
    dashboardUrl: '',
    panelUrl: '',
    imageUrl: '',
  };
}

export function aNotification(alerts: readonly Alert[], change: Partial<Notification> = {}): Notification {
  return {
    format: 'grafana',
    source: 'grafana',
    org: '1',
    receiver: 'ops',
    groupKey: 'g',
    status: alerts.some(({ status }) => status === 'firing') ? 'firing' : 'resolved',
    alerts,
    groupLabels: makeLabels(),
    commonLabels: makeLabels(),
    commonAnnotations: makeLabels(),
    externalUrl: '',
    truncatedAlerts: 0,
    title: '',
    appVersion: '',
    isTest: false,
    text: '',
    ...change,
  };
}

export function aChannel(name: string, change: Partial<ChannelSettings> = {}): ChannelSettings {
  return {
    name,
    provider: 'dingtalk',
    robots: [],
    keyword: '',
    form: 'card',
    template: 'default',
    locale: 'en',
    timezone: 'UTC',
    sendResolved: true,
    group: 'together',
    mention: { all: false, on: ['firing'] },
    fallback: undefined,
    brokenAfterMs: 120_000,
    lateAfterMs: 300_000,
    giveUpAfterMs: 86_400_000,
    pacing: { perSecond: undefined, perMinute: 18 },
    digestAbove: 6,
    ...change,
  };
}

export function aRoute(
  match: readonly string[],
  channels: readonly string[],
  change: Partial<RouteSettings> = {},
): RouteSettings {
  return { matchers: match.map(parseMatcher), channels, mentionAll: false, continue: false, ...change };
}

export function aSource(channels: readonly string[]): SourceSettings {
  return { name: 'grafana', auth: { kind: 'none' }, dedupWindowMs: 0, channels, allowChannels: [] };
}

/** Ranks and hashes that a reader of a failing test can follow. */
function dependencies(): PlanDependencies {
  let made = 0;
  return {
    rankOf: (labels) => {
      const rank = SEVERITIES.indexOf(labels.severity ?? 'unknown');
      return rank === -1 ? SEVERITIES.indexOf('unknown') : rank;
    },
    lineRank: (isFiring, severityRank) => (isFiring ? 0 : 100) + severityRank,
    hashParts: (parts) => parts.join('/'),
    makeDeliveryId: () => {
      made += 1;
      return `dlv_${made}`;
    },
  };
}

export function aPlanner(
  channels: readonly ChannelSettings[],
  routes: readonly RouteSettings[] = [],
): Planner {
  const settings: Pick<Settings, 'channels' | 'routes'> = {
    channels: new Map(channels.map((channel) => [channel.name, channel])),
    routes,
  };
  return createPlanner(settings, dependencies());
}
