import type { Provider } from '../provider.ts';
import { adopt } from './adopt.ts';
import { classify } from './classify.ts';
import { dingtalkChannel } from './config.ts';
import { dialectOf } from './dialect.ts';
import { encode } from './encode.ts';
import { MAX_BUTTONS, MAX_MENTIONS, MAX_REQUEST_BYTES } from './limits.ts';
import { signedUrl } from './sign.ts';

/** DingTalk's custom group robots. */
export const dingtalk: Provider = {
  name: 'dingtalk',
  limits: { maxRequestBytes: MAX_REQUEST_BYTES, maxMentions: MAX_MENTIONS, maxButtons: MAX_BUTTONS },
  defaultPacing: dingtalkChannel.defaultPacing,
  dialect: dialectOf,
  encode,
  adopt,
  // The signature travels in the query: it costs the body nothing.
  requestBytes: (message) => Buffer.byteLength(JSON.stringify(message.json)),
  sign: (message, robot, nowMs) => {
    const url = robot.url.reveal();
    return {
      url: robot.secret === undefined ? url : signedUrl(url, robot.secret.reveal(), nowMs),
      body: JSON.stringify(message.json),
    };
  },
  classify,
};
