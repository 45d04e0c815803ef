import type { Pacing, ProviderName, Rung } from '../domain/settings.ts';

export const PROVIDERS = ['dingtalk', 'feishu'] as const satisfies readonly ProviderName[];

/** What the configuration has to know of a chat platform. */
export interface ProviderFacts {
  /** Forms a channel may start with; the first is the default. `bare` is no choice: it holds no alert. */
  readonly forms: readonly Exclude<Rung, 'bare'>[];
  readonly defaultPacing: Pacing;
  /** The vendor's own hosts; on them the rest of the URL is checked as well. */
  readonly hosts: readonly string[];
  /** What a robot's URL looks like, for people. */
  readonly urlShape: string;
  /** Says what is wrong with a URL on one of `hosts`, without quoting it. */
  readonly checkUrl: (url: URL) => string | undefined;
}

const DINGTALK: ProviderFacts = {
  forms: ['card', 'markdown', 'text'],
  // The vendor's limit is 20 a minute, punished by ten minutes of silence:
  // https://open.dingtalk.com/document/robots/custom-robot-access
  defaultPacing: { perSecond: undefined, perMinute: 18 },
  hosts: ['oapi.dingtalk.com'],
  urlShape: 'https://oapi.dingtalk.com/robot/send?access_token=…',
  checkUrl: (url) => {
    if (url.pathname !== '/robot/send') return 'the path must be /robot/send';
    if ((url.searchParams.get('access_token') ?? '') === '') return 'access_token is missing or empty';
    return undefined;
  },
};

const FEISHU: ProviderFacts = {
  forms: ['card2', 'card1', 'text'],
  // The vendor's limits are 5 a second and 100 a minute:
  // https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
  defaultPacing: { perSecond: 4, perMinute: 90 },
  hosts: ['open.feishu.cn', 'open.larksuite.com'],
  urlShape: 'https://open.feishu.cn/open-apis/bot/v2/hook/…',
  checkUrl: (url) => {
    if (url.pathname.startsWith('/open-apis/bot/hook/'))
      return 'this is the old kind of robot (v1), which takes no cards: add a new custom robot to the chat';
    if (!/^\/open-apis\/bot\/v2\/hook\/[^/]+$/.test(url.pathname))
      return 'the path must be /open-apis/bot/v2/hook/ and the token';
    return undefined;
  },
};

export const PROVIDER_FACTS: Readonly<Record<ProviderName, ProviderFacts>> = {
  dingtalk: DINGTALK,
  feishu: FEISHU,
};

/** A phone number as DingTalk mentions it; one from abroad needs `+country-number`. */
export const DINGTALK_MOBILE = /^(\+\d{1,4}-)?\d{5,15}$/;
/** Feishu's id of a person within one app. */
export const FEISHU_OPEN_ID = /^ou_[A-Za-z0-9_-]+$/;
/** A staff id of either platform: letters, digits and a few signs, so no name and no e-mail address. */
export const USER_ID = /^[A-Za-z0-9_.$:-]+$/;
