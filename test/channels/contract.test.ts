import { providerOf } from '../../src/channels/registry.ts';
import { describeProvider } from './contract.ts';

let made = 0;

describeProvider({
  provider: providerOf('dingtalk'),
  robotUrl: (robots, rules) => {
    made += 1;
    return robots.dingtalkUrl(`token${made}`, rules);
  },
  mentions: { mobiles: ['13800000000', '+852-12345678'], userIds: ['user001'] },
  refusal: (errcode, errmsg) => ({ errcode, errmsg }),
});

describeProvider({
  provider: providerOf('feishu'),
  robotUrl: (robots, rules) => {
    made += 1;
    return robots.feishuUrl(`token${made}`, rules);
  },
  mentions: { mobiles: [], userIds: ['ou_example1', 'ab12cd34'] },
  refusal: (code, msg) => ({ code, msg }),
});
