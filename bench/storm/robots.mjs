/** The other side of the storm: the sandbox's robots, in this process, with an outage and a wrong secret. */
import { providerOf } from '../../dist/channels/registry.js';
import { Secret } from '../../dist/domain/secret.js';
import { dingtalkRobot } from '../../dist/sandbox/dingtalk-robot.js';
import { feishuRobot } from '../../dist/sandbox/feishu-robot.js';

const MINUTE_MS = 60_000;
const SECRET = 'SECRET-of-the-storm';
const MENDED_MS = 10 * MINUTE_MS;
const OUTAGE_MS = { from: 2 * MINUTE_MS, to: 22 * MINUTE_MS };

/** Robots by key: what they are, and what they make of a request at an instant. */
export const ROBOTS = {
  'ops-1': { provider: 'dingtalk' },
  'ops-2': { provider: 'dingtalk', hasWrongSecret: true },
  'oncall-1': { provider: 'dingtalk' },
  'team-1': { provider: 'feishu', hasOutage: true },
};

/** A robot as a channel's settings name it. */
export function robotSettings(key) {
  const url =
    ROBOTS[key].provider === 'dingtalk'
      ? `https://oapi.dingtalk.com/robot/send?access_token=${key}`
      : `https://open.feishu.cn/open-apis/bot/v2/hook/${key}`;
  return { key, url: new Secret(url), secret: new Secret(SECRET) };
}

/** Four robots, fresh; `post` answers as the wire would, and `posts` remembers what reached them. */
export function robotsFrom(startAt) {
  const posts = [];
  const rules = Object.fromEntries(Object.entries(ROBOTS).map(([key, robot]) => [key, rulesOf(robot)]));
  return {
    posts,
    post(key, message, robot, at) {
      const { provider: name, hasOutage, hasWrongSecret } = ROBOTS[key];
      const provider = providerOf(name);
      const sinceMs = at - startAt;
      const post = { at, key, isShown: false, code: undefined };
      posts.push(post);
      if (hasOutage && sinceMs >= OUTAGE_MS.from && sinceMs < OUTAGE_MS.to) {
        posts.pop();
        return provider.classify({ kind: 'not_sent', cause: 'connect', text: 'connection refused' });
      }
      const isWrong = hasWrongSecret && sinceMs < MENDED_MS;
      const { url, body } = provider.sign(message, robot, at);
      const ruling = (isWrong ? rules[key].wrong : rules[key].right).receive({
        method: 'POST',
        url: new URL(url),
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(body),
        at,
      });
      post.code = ruling.code;
      post.isShown = ruling.code === 0;
      const answer = { kind: 'answered', httpStatus: 200, headers: {}, body: JSON.stringify(ruling.json) };
      return provider.classify({ ...answer, isCutOff: false });
    },
  };
}

function rulesOf({ provider }) {
  const make = provider === 'dingtalk' ? dingtalkRobot : feishuRobot;
  return { right: make({ secret: SECRET }), wrong: make({ secret: `${SECRET}-of-yesterday` }) };
}

/** The most requests that reached one robot of a provider in any rolling minute. */
export function busiestMinute(posts, provider) {
  let most = 0;
  for (const key of Object.keys(ROBOTS).filter((each) => ROBOTS[each].provider === provider)) {
    const times = posts.filter((post) => post.key === key).map(({ at }) => at);
    for (let first = 0, last = 0; last < times.length; last += 1) {
      while (times[first] <= times[last] - MINUTE_MS) first += 1;
      most = Math.max(most, last - first + 1);
    }
  }
  return most;
}
