import type { Message } from '../domain/card.ts';
import type { Clock } from '../domain/clock.ts';
import type { Verdict } from '../domain/outcome.ts';
import { scrubKnown } from '../domain/scrub.ts';
import type { ChannelSettings, RobotSettings } from '../domain/settings.ts';
import { providerOf } from './registry.ts';
import type { RequestSender } from './send.ts';

export interface RobotSender {
  send(channel: ChannelSettings, robotKey: string, message: Message): Promise<Verdict>;
}

/**
 * Signs a message for one robot of the channel at this very moment, posts it and reads the answer.
 * Never throws, and no secret of the robot stands in the verdict.
 */
export function createRobotSender(parts: {
  readonly sender: RequestSender;
  readonly clock: Pick<Clock, 'wall'>;
}): RobotSender {
  return {
    send: async (channel, robotKey, message) => {
      const robot = channel.robots.find(({ key }) => key === robotKey);
      if (robot === undefined) return unusable('the robot is no longer configured for this channel');
      try {
        const provider = providerOf(channel.provider);
        const request = provider.sign(message, robot, parts.clock.wall());
        return withoutSecrets(provider.classify(await parts.sender.post(request)), robot);
      } catch {
        return unusable('the request could not be built: check the URL of the robot');
      }
    },
  };
}

function unusable(providerText: string): Verdict {
  return { outcome: 'misconfigured', reason: 'bad_request', providerText };
}

/** A robot, or a proxy before it, may repeat what we sent in words no pattern foresees. */
function withoutSecrets(verdict: Verdict, robot: RobotSettings): Verdict {
  if (verdict.providerText === undefined) return verdict;
  return { ...verdict, providerText: scrubKnown(verdict.providerText, secretsOf(robot)) };
}

function secretsOf(robot: RobotSettings): readonly string[] {
  const url = new URL(robot.url.reveal());
  const token = url.pathname.split('/').at(-1) ?? '';
  return [
    url.href,
    robot.secret?.reveal() ?? '',
    url.searchParams.get('access_token') ?? '',
    tokenOfPath(token),
  ];
}

/** The last part of a path is a token when it is long; `send` is none. */
function tokenOfPath(part: string): string {
  return part.length >= MIN_TOKEN_CHARS ? part : '';
}

const MIN_TOKEN_CHARS = 8;
