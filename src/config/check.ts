import type { Settings } from '../domain/settings.ts';
import { formatMatcher } from '../route/matcher.ts';
import type { LoadedConfig } from './load.ts';
import { type ConfigError, formatProblems, type Problem } from './problems.ts';

/** What `alertcard check` has to say, for people by `formatCheck` and for programs as it is. */
export interface CheckReport {
  readonly isOk: boolean;
  readonly origin: string;
  readonly problems: readonly Problem[];
  readonly warnings: readonly string[];
  /** The resolved routing, line by line. */
  readonly routing: readonly string[];
}

export function checkReport(result: LoadedConfig | ConfigError): CheckReport {
  if ('problems' in result) {
    const origin = result.problems[0]?.origin ?? 'environment';
    return { isOk: false, origin, problems: result.problems, warnings: [], routing: [] };
  }
  const { origin, warnings, settings } = result;
  return { isOk: true, origin, problems: [], warnings, routing: describeRouting(settings) };
}

export function formatCheck(report: CheckReport): string {
  if (!report.isOk) return `${formatProblems(report.problems)}\n`;
  const warnings = report.warnings.map((warning) => `warning: ${warning}`);
  return `${[`${report.origin}: ok`, '', ...report.routing, '', ...warnings].join('\n').trimEnd()}\n`;
}

/** Says in order where alerts come in, which rules they meet, and what the channels are. */
function describeRouting(settings: Settings): string[] {
  const sources = [...settings.sources.values()].flatMap(({ name, auth, channels, allowChannels }) => [
    `source ${name} (${auth.kind}): POST /hooks/${name}`,
    `  to ${channels.join(', ')} for alerts that no route matches`,
    `  POST /hooks/${name}/{channel} for ${allowChannels.length === 0 ? 'any channel' : allowChannels.join(', ')}`,
  ]);
  const routes = settings.routes.map((route, position) => {
    const condition = route.matchers.map(formatMatcher).join(' and ');
    const mention = route.mentionAll ? ', mentioning everyone' : '';
    const then = route.continue ? ', then on to the next route' : '';
    return `route ${position + 1}: ${condition === '' ? 'every alert' : condition} to ${route.channels.join(', ')}${mention}${then}`;
  });
  const channels = [...settings.channels.values()].map((channel) => {
    const robots = channel.robots.length === 1 ? '1 robot' : `${channel.robots.length} robots`;
    const fallback = channel.fallback === undefined ? 'no fallback' : `fallback ${channel.fallback}`;
    return `channel ${channel.name}: ${channel.provider}, ${robots}, form ${channel.form}, template ${channel.template}, ${channel.locale}, ${channel.timezone}, ${fallback}`;
  });
  return [...sources, ...routes, ...channels];
}
