import type { ProviderName } from '../domain/settings.ts';
import { dingtalk } from './dingtalk/provider.ts';
import { feishu } from './feishu/provider.ts';
import type { Provider } from './provider.ts';

const PROVIDERS: Readonly<Record<ProviderName, Provider>> = { dingtalk, feishu };

/** The provider of a channel: the one place that knows them all. */
export function providerOf(name: ProviderName): Provider {
  return PROVIDERS[name];
}
