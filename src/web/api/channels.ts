import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AlertcardError } from '../../domain/errors.ts';
import { sendProblem } from '../answers.ts';
import type { ChannelTest, WebDeps } from '../ports.ts';
import { Done, PauseBody, TestAnswer, TestBody } from './action-schemas.ts';
import { type ApiRoute, route } from './route.ts';
import { ChannelPage, NameParams } from './schemas.ts';
import { channelView } from './views.ts';

type ChannelDeps = Pick<WebDeps, 'store' | 'engine' | 'testChannel'>;

export function channelRoutes(deps: ChannelDeps): ApiRoute[] {
  return [listRoute(deps), testRoute(deps), pauseRoute(deps), resumeRoute(deps)];
}

function listRoute({ engine }: ChannelDeps): ApiRoute {
  return route({
    method: 'GET',
    path: '/api/channels',
    summary: 'State of each channel',
    answer: ChannelPage,
    handle: async () => ({ items: (await engine.states()).map(channelView), next: null }),
  });
}

function testRoute(deps: ChannelDeps): ApiRoute {
  return route({
    method: 'POST',
    path: '/api/channels/{name}/test',
    summary: 'Send a test card through the live path and answer what the robot said',
    params: NameParams,
    body: TestBody,
    answer: TestAnswer,
    problems: ['unknown_channel', 'test_not_delivered'],
    handle: async ({ params: { name }, body }, reply) => {
      await requireChannel(deps, name);
      const test = await deps.testChannel(name, body?.payload);
      if (test.outcome !== 'delivered') return refuseTest(reply, name, test);
      return { ...testView(name, test), outcome: test.outcome };
    },
  });
}

type TestView = Omit<z.input<typeof TestAnswer>, 'outcome'>;

function testView(channel: string, test: ChannelTest): TestView {
  return {
    notification_id: test.notificationId,
    channel,
    reason: test.reason ?? null,
    provider_code: test.providerCode ?? null,
    provider_text: test.providerText ?? null,
  };
}

function refuseTest(reply: FastifyReply, channel: string, test: ChannelTest): FastifyReply {
  const said =
    test.outcome === undefined ? 'still waiting' : `${test.outcome}, ${test.reason ?? 'no reason'}`;
  const words = [`The test card of ${channel} was not delivered: ${said}.`, test.advice].join(' ').trim();
  return sendProblem(reply, 'test_not_delivered', words, {
    ...testView(channel, test),
    outcome: test.outcome ?? null,
  });
}

function pauseRoute(deps: ChannelDeps): ApiRoute {
  return route({
    method: 'POST',
    path: '/api/channels/{name}/pause',
    summary: 'Send nothing to a channel for a while, at most 24 h',
    params: NameParams,
    body: PauseBody,
    answer: Done,
    problems: ['unknown_channel'],
    handle: async ({ params: { name }, body }) => {
      await requireChannel(deps, name);
      await deps.store.act({ kind: 'pause', channel: name, forMs: body.for });
      deps.engine.wake(name);
      return { channel: name };
    },
  });
}

function resumeRoute(deps: ChannelDeps): ApiRoute {
  return route({
    method: 'POST',
    path: '/api/channels/{name}/resume',
    summary: 'End the pause of a channel and try its robots at once',
    params: NameParams,
    answer: Done,
    problems: ['unknown_channel'],
    handle: async ({ params: { name } }) => {
      await requireChannel(deps, name);
      await deps.store.act({ kind: 'resume', channel: name });
      await deps.engine.resume(name);
      return { channel: name };
    },
  });
}

async function requireChannel({ engine }: ChannelDeps, name: string): Promise<void> {
  const names = (await engine.states()).map((report) => report.name);
  if (names.includes(name)) return;
  throw new AlertcardError('unknown_channel', `No channel has this name; there is ${names.join(', ')}.`);
}
