import type { Provider } from '../provider.ts';
import { adopt } from './adopt.ts';
import { classify } from './classify.ts';
import { feishuChannel } from './config.ts';
import { dialectOf } from './dialect.ts';
import { encode } from './encode.ts';
import { MAX_BUTTONS, MAX_MENTIONS, MAX_REQUEST_BYTES, SIGNATURE_BYTES } from './limits.ts';
import { signatureFields } from './sign.ts';

/** Custom bots of Feishu and Lark. */
export const feishu: Provider = {
  name: 'feishu',
  limits: { maxRequestBytes: MAX_REQUEST_BYTES, maxMentions: MAX_MENTIONS, maxButtons: MAX_BUTTONS },
  defaultPacing: feishuChannel.defaultPacing,
  dialect: dialectOf,
  encode,
  adopt,
  requestBytes: (message, isSigned) =>
    Buffer.byteLength(JSON.stringify(message.json)) + (isSigned ? SIGNATURE_BYTES : 0),
  sign: (message, robot, nowMs) => {
    const fields = robot.secret === undefined ? {} : signatureFields(robot.secret.reveal(), nowMs);
    return { url: robot.url.reveal(), body: JSON.stringify({ ...fields, ...message.json }) };
  },
  classify,
};
