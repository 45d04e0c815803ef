import type { Mentions } from '../domain/card.ts';
import type { FoldedAlert, FoldedGroup } from '../domain/fold.ts';
import type { ChannelSettings, MentionRule } from '../domain/settings.ts';
import { matchesAll, pseudoLabels } from './matcher.ts';

/**
 * Decides who a group's card mentions in this channel: the people whose rule matches an alert that is
 * news (or fires on, in a reminder), and everyone where the channel or a route asks for it.
 * `maxMentions` is the provider's limit on people; those of the first alerts stay.
 */
export function mentionsFor(
  group: FoldedGroup,
  channel: ChannelSettings,
  rules: readonly MentionRule[],
  maxMentions: number,
): Mentions {
  const { on } = channel.mention;
  const alerts = group.alerts.filter((alert) => isConcerned(alert, group.isReminder, on));
  const isUnreadableNews = group.alerts.length === 0 && group.status === 'firing' && on.includes('firing');
  const asksForAll = channel.mention.all || group.mentionAll;
  const people = peopleFor(alerts, group, channel, rules);
  const mobiles = people.mobiles.slice(0, maxMentions);
  return {
    all: asksForAll && (alerts.length > 0 || isUnreadableNews),
    mobiles,
    userIds: people.userIds.slice(0, maxMentions - mobiles.length),
  };
}

/** The same for the groups of one card: everyone that any of them mentions; of people those of the first groups stay. */
export function mentionsForAll(
  groups: readonly FoldedGroup[],
  channel: ChannelSettings,
  rules: readonly MentionRule[],
  maxMentions: number,
): Mentions {
  const each = groups.map((group) => mentionsFor(group, channel, rules, maxMentions));
  const mobiles = [...new Set(each.flatMap((mentions) => mentions.mobiles))].slice(0, maxMentions);
  const userIds = [...new Set(each.flatMap((mentions) => mentions.userIds))];
  return {
    all: each.some(({ all }) => all),
    mobiles,
    userIds: userIds.slice(0, maxMentions - mobiles.length),
  };
}

function isConcerned(
  { alert, isNews, isNoLongerReported }: FoldedAlert,
  isReminder: boolean,
  on: ChannelSettings['mention']['on'],
): boolean {
  if (isNoLongerReported) return false;
  if (alert.status === 'resolved') return isNews && on.includes('resolved');
  if (isReminder) return on.includes('reminder');
  return isNews && on.includes('firing');
}

function peopleFor(
  alerts: readonly FoldedAlert[],
  group: FoldedGroup,
  channel: ChannelSettings,
  rules: readonly MentionRule[],
): { readonly mobiles: readonly string[]; readonly userIds: readonly string[] } {
  const pseudo = pseudoLabels(group.newest);
  const mobiles = new Set<string>();
  const userIds = new Set<string>();
  for (const { alert } of alerts) {
    for (const rule of rules) {
      if (!matchesAll(rule.matchers, alert.labels, pseudo)) continue;
      const { mobiles: numbers, userIds: ids } = idsOf(rule, channel);
      for (const number of numbers) mobiles.add(number);
      for (const id of ids) userIds.add(id);
    }
  }
  return { mobiles: [...mobiles], userIds: [...userIds] };
}

function idsOf(rule: MentionRule, channel: ChannelSettings) {
  if (channel.provider === 'dingtalk') return rule.dingtalk;
  return { mobiles: [], userIds: [...rule.feishu.openIds, ...rule.feishu.userIds] };
}
