import type { FastifyPluginAsync } from 'fastify';
import type { ChannelReport } from '../domain/channel-report.ts';
import { sendProblem } from './answers.ts';
import type { WebDeps } from './ports.ts';

/** The writer answers in milliseconds; a probe that waits longer has its answer. */
const PING_TIMEOUT_MS = 2_000;

type HealthDeps = Pick<WebDeps, 'store' | 'engine' | 'readiness' | 'scrape' | 'scrapeContentType'>;

/** The three open pages for machines: alive, ready, metrics. */
export function healthPlugin(deps: HealthDeps): FastifyPluginAsync {
  return async (app) => {
    app.get('/healthz', async (_request, reply) => {
      try {
        await deps.store.ping(PING_TIMEOUT_MS);
      } catch {
        return sendProblem(reply, 'store_unavailable', 'The writer of the store does not answer.');
      }
      return reply.send({ status: 'ok' });
    });
    app.get('/readyz', async (_request, reply) => {
      const readiness = deps.readiness();
      const channels = (await readStates(deps.engine)).map(openView);
      if (readiness.isReady) return reply.send({ status: 'ready', channels });
      return reply.code(503).send({ status: 'not_ready', reason: readiness.reason, channels });
    });
    app.get('/metrics', async (_request, reply) =>
      reply.type(deps.scrapeContentType).send(await deps.scrape()),
    );
  };
}

/** A store that cannot be read must not hide whether the process can accept. */
async function readStates(engine: HealthDeps['engine']): Promise<readonly ChannelReport[]> {
  try {
    return await engine.states();
  } catch {
    return [];
  }
}

/** What anyone may see of a channel: no robots, no provider's words. */
function openView(report: ChannelReport): Readonly<Record<string, unknown>> {
  return {
    name: report.name,
    provider: report.provider,
    state: report.state,
    reason: report.brokenReason ?? null,
    waiting: report.waiting,
    oldest_due_seconds: report.oldestDueMs === undefined ? null : report.oldestDueMs / 1000,
  };
}
