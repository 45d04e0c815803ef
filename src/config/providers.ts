import { dingtalkChannel } from '../channels/dingtalk/config.ts';
import { feishuChannel } from '../channels/feishu/config.ts';
import type { Pacing, ProviderName, Rung } from '../domain/settings.ts';

/** What the configuration asks each provider: what a channel of it may say. */
interface ChannelRules {
  /** Forms a channel may start with. `bare` is no choice: it holds no alert. */
  readonly forms: readonly Rung[];
  readonly defaultForm: Rung;
  readonly defaultPacing: Pacing;
  /** Says what is wrong with a robot's URL, without repeating it. */
  readonly robotUrl: {
    safeParse(url: string): {
      readonly error?: { readonly issues: readonly { readonly message: string }[] } | undefined;
    };
  };
}

export const CHANNEL_RULES: Readonly<Record<ProviderName, ChannelRules>> = {
  dingtalk: dingtalkChannel,
  feishu: feishuChannel,
};
