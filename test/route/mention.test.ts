import { describe, expect, it } from 'vitest';
import type { FoldedAlert, FoldedGroup } from '../../src/domain/fold.ts';
import type { ChannelSettings, MentionRule } from '../../src/domain/settings.ts';
import { parseMatcher } from '../../src/route/matcher.ts';
import { mentionsFor, mentionsForAll } from '../../src/route/mention.ts';
import { aChannel, aNotification, anAlert } from './support.ts';

const ALICE: MentionRule = {
  matchers: [parseMatcher('owner=alice')],
  dingtalk: { mobiles: ['13800000000'], userIds: ['alice01'] },
  feishu: { openIds: ['ou_example1'], userIds: ['alice02'] },
};
const EVERY_TEAM: MentionRule = {
  matchers: [parseMatcher('__receiver__=ops')],
  dingtalk: { mobiles: ['13800000000', '13800000001'], userIds: [] },
  feishu: { openIds: ['ou_example2'], userIds: [] },
};

function folded(owner: string, change: Partial<FoldedAlert> = {}, status: 'firing' | 'resolved' = 'firing') {
  return {
    alert: anAlert({ owner }, status),
    isNews: true,
    isNoLongerReported: false,
    reportedResolvedAt: undefined,
    startedAt: undefined,
    durationMs: undefined,
    ...change,
  };
}

function aGroup(alerts: readonly FoldedAlert[], change: Partial<FoldedGroup> = {}): FoldedGroup {
  return {
    newest: aNotification(alerts.map(({ alert }) => alert)),
    notificationId: 'ntf_1',
    status: 'firing',
    alerts,
    counts: { firing: 0, resolved: 0, noLongerReported: 0, total: alerts.length },
    truncatedAlerts: 0,
    isReminder: false,
    notifications: 1,
    unread: 0,
    oldestReceivedAt: 0,
    mentionAll: false,
    ...change,
  };
}

function mentioning(on: ChannelSettings['mention']['on'], all = false): ChannelSettings {
  return aChannel('ops', { mention: { all, on } });
}

describe('mentions', () => {
  it('are the people whose rule matches an alert, each once, by the ids of the provider', () => {
    const group = aGroup([folded('alice'), folded('bob')]);
    const feishu = aChannel('f', { provider: 'feishu' });

    const onDingtalk = mentionsFor(group, aChannel('d'), [ALICE, EVERY_TEAM], 50);
    const onFeishu = mentionsFor(group, feishu, [ALICE, EVERY_TEAM], 50);

    expect(onDingtalk).toEqual({
      all: false,
      mobiles: ['13800000000', '13800000001'],
      userIds: ['alice01'],
    });
    expect(onFeishu).toEqual({
      all: false,
      mobiles: [],
      userIds: ['ou_example1', 'alice02', 'ou_example2'],
    });
  });

  it.each([
    ['a new firing alert', ['firing'] as const, folded('alice'), false, true],
    ['a firing alert told before', ['firing'] as const, folded('alice', { isNews: false }), false, false],
    ['a reminder, not asked for', ['firing'] as const, folded('alice', { isNews: false }), true, false],
    ['a reminder, asked for', ['reminder'] as const, folded('alice', { isNews: false }), true, true],
    [
      'a new resolved alert, not asked for',
      ['firing'] as const,
      folded('alice', {}, 'resolved'),
      false,
      false,
    ],
    ['a new resolved alert, asked for', ['resolved'] as const, folded('alice', {}, 'resolved'), false, true],
    [
      'an old resolved alert',
      ['resolved'] as const,
      folded('alice', { isNews: false }, 'resolved'),
      false,
      false,
    ],
    [
      'an alert no longer reported',
      ['firing'] as const,
      folded('alice', { isNoLongerReported: true }),
      false,
      false,
    ],
  ])('answer to %s', (_, on, alert, isReminder, expected) => {
    const group = aGroup([alert], { isReminder });

    const { all, mobiles } = mentionsFor(group, mentioning(on, true), [ALICE], 50);

    expect([all, mobiles.length === 1]).toEqual([expected, expected]);
  });

  it('reach everyone when a route asked for it', () => {
    const group = aGroup([folded('bob')], { mentionAll: true });

    const { all } = mentionsFor(group, mentioning(['firing']), [], 50);

    expect(all).toBe(true);
  });

  it('reach everyone for what could not be read, where the channel mentions all', () => {
    const { all } = mentionsFor(aGroup([]), mentioning(['firing'], true), [ALICE], 50);

    expect(all).toBe(true);
  });

  it('keep to the limit of the provider', () => {
    const group = aGroup([folded('alice')]);

    const mentions = mentionsFor(group, aChannel('d'), [ALICE, EVERY_TEAM], 2);

    expect(mentions).toEqual({ all: false, mobiles: ['13800000000', '13800000001'], userIds: [] });
  });
});

describe('the mentions of a card for several groups', () => {
  it('are those of all its groups, each once', () => {
    const groups = [aGroup([folded('bob')]), aGroup([folded('alice')]), aGroup([folded('alice')])];

    const mentions = mentionsForAll(groups, mentioning(['firing']), [ALICE], 50);

    expect(mentions).toMatchObject({ all: false, mobiles: ['13800000000'], userIds: ['alice01'] });
  });

  it('reach everyone when one of the groups does, and nobody for groups without news', () => {
    const news = aGroup([folded('bob')], { mentionAll: true });
    const reminder = aGroup([folded('alice', { isNews: false })], { isReminder: true });

    expect(mentionsForAll([reminder, news], mentioning(['firing']), [ALICE], 50).all).toBe(true);
    expect(mentionsForAll([reminder, reminder], mentioning(['firing'], true), [ALICE], 50)).toEqual({
      all: false,
      mobiles: [],
      userIds: [],
    });
  });

  it('keep to the limit of the provider together', () => {
    const groups = [aGroup([folded('alice')]), aGroup([folded('bob')])];

    const { mobiles, userIds } = mentionsForAll(groups, aChannel('d'), [ALICE, EVERY_TEAM], 2);

    expect([...mobiles, ...userIds]).toHaveLength(2);
  });
});
